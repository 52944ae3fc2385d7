import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Address,
  atTurn,
  EMPTY_ADDRESS,
  FOLD_MODES,
  formatAddress,
  OUTLINE_FILTERS,
  PANELS,
  PANES,
  paneOf,
  parseAddress,
  VIEWS,
  withPane,
} from "./address";

const anyAddress: fc.Arbitrary<Address> = fc.record({
  turn: fc.option(fc.integer({ min: 0, max: 99_999 })),
  view: fc.constantFrom(...VIEWS),
  file: fc.option(fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 })),
  line: fc.option(fc.integer({ min: 1, max: 99_999 })),
  from: fc.constantFrom("before" as const, "baseline" as const),
  to: fc.constantFrom("after" as const, "final" as const),
  context: fc.option(fc.integer({ min: 0, max: 999 })),
  list: fc.constantFrom(...OUTLINE_FILTERS),
  item: fc.option(fc.string({ minLength: 1, maxLength: 20 })),
  at: fc.option(fc.nat(99_999_999)),
  pane: fc.option(fc.constantFrom(...PANES)),
  fold: fc.constantFrom(...FOLD_MODES),
  said: fc.constantFrom("rule" as const, null),
  panel: fc.option(fc.constantFrom(...PANELS)),
  investigation: fc.option(fc.string({ minLength: 1, maxLength: 20 })),
  find: fc.constant(null),
  findCase: fc.constant(false),
  match: fc.constant(null),
});

/** A place in an item has no meaning without the item. */
const arbitrary = anyAddress.map((address) => (address.item === null ? { ...address, at: null } : address));

const finding = fc.record({
  find: fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  findCase: fc.boolean(),
  match: fc.option(
    fc.record({
      item: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 20 }),
      field: fc.constantFrom("text" as const, "arguments" as const),
      offset: fc.nat(100_000_000),
    }),
  ),
});

describe("the address of a trajectory page", () => {
  it("opens the same view that it was made from", () => {
    fc.assert(
      fc.property(arbitrary, (address) => {
        expect(parseAddress(new URLSearchParams(formatAddress(address)))).toEqual(address);
      }),
    );
  });

  it("opens the same match of the same words", () => {
    fc.assert(
      fc.property(arbitrary, finding, (address, find) => {
        const whole = { ...address, ...find };
        expect(parseAddress(new URLSearchParams(formatAddress(whole)))).toEqual(whole);
      }),
    );
    const match = { item: "t12.3", field: "text" as const, offset: 40 };
    expect(formatAddress({ ...EMPTY_ADDRESS, find: "a b", findCase: true, match })).toBe(
      "find=a%20b&case=match&match=40.text.t12.3",
    );
    // Words that are too long are none; a match without words, or in no known text, is none.
    expect(parseAddress(new URLSearchParams(`find=${"x".repeat(201)}&case=match&match=1.text.a`))).toEqual(
      EMPTY_ADDRESS,
    );
    expect(parseAddress(new URLSearchParams("find=a&match=1.name.a")).match).toBeNull();
    expect(atTurn({ ...EMPTY_ADDRESS, find: "a", findCase: true, match }, 3)).toEqual({
      ...EMPTY_ADDRESS,
      turn: 3,
      find: "a",
      findCase: true,
    });
  });

  it("counts turns from one and keeps slashes readable", () => {
    const address: Address = { ...EMPTY_ADDRESS, turn: 26, file: "src/a b.py", line: 217 };
    expect(formatAddress(address)).toBe("turn=27&view=code&file=src/a%20b.py&line=217");
  });

  it("falls back softly", () => {
    const broken = "turn=0&view=admin&file=&line=-4&from=x&to=y&context=1e9&list=none&item=";
    expect(parseAddress(new URLSearchParams(broken))).toEqual(EMPTY_ADDRESS);
    expect(parseAddress(new URLSearchParams(`turn=abc&file=${"a".repeat(5000)}`))).toEqual(EMPTY_ADDRESS);
  });

  it("lets go of the file and the line when it goes to another turn", () => {
    const address: Address = { ...EMPTY_ADDRESS, turn: 3, file: "a.py", line: 9, list: "writes", to: "final" };
    expect(atTurn(address, 4)).toEqual({ ...EMPTY_ADDRESS, turn: 4, list: "writes", to: "final" });
  });

  it("shows the code in one column when a line of it is asked for, and what was chosen always", () => {
    const line: Address = { ...EMPTY_ADDRESS, file: "a.py", line: 9 };
    expect(paneOf(EMPTY_ADDRESS)).toBe("turn");
    expect(paneOf(line)).toBe("code");
    fc.assert(
      fc.property(arbitrary, fc.constantFrom(...PANES), (address, pane) => {
        expect(paneOf(withPane(address, pane))).toBe(pane);
      }),
    );
    expect(formatAddress(withPane(line, "code"))).not.toContain("pane");
    expect(formatAddress(withPane(line, "turn"))).toContain("pane=turn");
  });

  it("keeps the way of folding from turn to turn, and says it only when it is not by parts", () => {
    expect(atTurn({ ...EMPTY_ADDRESS, fold: "paper" }, 4).fold).toBe("paper");
    expect(formatAddress({ ...EMPTY_ADDRESS, fold: "off" })).toBe("fold=off");
    expect(formatAddress({ ...EMPTY_ADDRESS, fold: "parts" })).toBe("");
    expect(parseAddress(new URLSearchParams("fold=anything")).fold).toBe("parts");
  });

  it("keeps the pane from turn to turn", () => {
    expect(atTurn({ ...EMPTY_ADDRESS, pane: "code" }, 4).pane).toBe("code");
  });

  it("takes a lone surrogate in a file name without throwing", () => {
    expect(formatAddress({ ...EMPTY_ADDRESS, file: "a\ud800" })).toContain("file=a");
  });
});

import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import type { ComponentProps } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { FoldView, RunFolding } from "@/lib/views/fold";
import type { ItemView } from "@/lib/views/turn";
import type { FoldMode } from "./address";
import { FoldControl } from "./fold-control";
import { FoldedBlock } from "./folded-text";
import { savingsNet, savingsSentence, savingsShort } from "./folding-words";
import { InForensics, itemWith, runWith, wholeText } from "./forensics-fixture";
import { ItemList } from "./item-view";
import { segmentsOf } from "./text-folds";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const TEXT = Array.from({ length: 60 }, (_, i) => `line ${i + 1}\n`).join("");
const offset = (line: number): number => TEXT.indexOf(`line ${line}\n`);
const FOLD: FoldView = {
  paper: { isFolded: true, why: "no_word", word: null },
  parts: {
    leftOut: 0,
    kept: [
      { start: 0, end: offset(9), line: 1, lineAfter: 9, why: [{ kind: "first" }], text: null },
      { start: offset(53), end: TEXT.length, line: 53, lineAfter: 61, why: [{ kind: "last" }], text: null },
    ],
  },
};
const rule = { rule: "parts@1", observations: 12, foldedChars: 310_402, placeholderChars: 1_000, leftOut: 0 };
const FOLDING: RunFolding = {
  savings: {
    ...{ observations: 40, observationChars: 402_110, wholeChars: 620_000 },
    ...{ parts: rule, paper: { ...rule, rule: "paper@1", observations: 1, foldedChars: 20, placeholderChars: 60 } },
  },
  tauChars: 4_000,
  words: ["error", "fail"],
  charsPerToken: 4,
};

type Quotations = ComponentProps<typeof FoldedBlock>["quotations"];

function block(quotations: Quotations = [], item: string | null = null, fold = FOLD, omittedChars = 0) {
  const segments = segmentsOf({ ...wholeText(TEXT), omittedChars }, fold, "parts");
  if (segments === null) throw new Error("nothing is folded");
  return (
    <InForensics run={runWith({ folding: FOLDING })} item={item}>
      <FoldedBlock item="t0.1" totalChars={TEXT.length} segments={segments} quotations={quotations} />
    </InForensics>
  );
}

const bar = () => screen.getByRole("button", { expanded: undefined, name: /characters/ });
const mark = (line: number, kind: "decisive" | "find" | "find-current") => ({
  ...{ start: offset(line), end: offset(line) + 7, kind, n: 1 },
  text: kind === "decisive" ? `line ${line}` : null,
});

describe("a folded observation", () => {
  it("shows the parts with their own line numbers, and a bar that opens and closes in its place", () => {
    const { container } = render(block());
    expect(screen.getByText("line 8")).toBeDefined();
    expect(screen.queryByText("line 9")).toBeNull();
    const words = `44 lines, ${offset(53) - offset(9)} characters folded, no signal`;
    expect(bar().textContent).toContain(words);
    expect(bar().getAttribute("aria-expanded")).toBe("false");
    expect(bar().title).toBe(
      `Lines 9 to 52: 44 lines, ${offset(53) - offset(9)} characters. No failure word, diff or test summary stands in it. What follows stays: last lines.`,
    );
    fireEvent.click(bar());
    expect(bar().getAttribute("aria-expanded")).toBe("true");
    const rows = [...container.querySelectorAll(".grid")].map((row) => row.textContent);
    expect(rows).toEqual(Array.from({ length: 60 }, (_, i) => `${i + 1}line ${i + 1}`));
    fireEvent.click(bar());
    expect(screen.queryByText("line 9")).toBeNull();
  });

  it("opens by itself around a quotation, and can be closed", () => {
    const { container } = render(block([mark(30, "decisive")]));
    expect(container.querySelector("mark")?.textContent).toBe("line 30");
    fireEvent.click(bar());
    expect(container.querySelector("mark")).toBeNull();
    expect(bar().textContent).toContain("evidence in it");
  });

  it("counts matches, and opens around the one that is open, each time it moves there", () => {
    const found = [mark(30, "find"), mark(40, "find")];
    const { container, rerender } = render(block(found));
    expect(bar().textContent).toContain("2 matches");
    expect(container.querySelector("mark")).toBeNull();
    rerender(block([mark(30, "find-current"), mark(40, "find")]));
    expect(container.querySelector("mark[data-find=current]")?.textContent).toBe("line 30");
    fireEvent.click(bar());
    expect(container.querySelector("mark")).toBeNull();
    rerender(block([mark(30, "find"), mark(40, "find-current")]));
    expect(container.querySelector("mark[data-find=current]")?.textContent).toBe("line 40");
  });

  it("asks for a fold that is not on the page from its first to its last character", async () => {
    const piece = {
      item: "t0.1",
      field: "text",
      offset: offset(9),
      text: TEXT.slice(offset(9)),
      totalChars: TEXT.length,
    };
    const fetched = vi.fn(async (_url: string) => Response.json({ ...piece, nextOffset: null }));
    vi.stubGlobal("fetch", fetched);
    const texts = FOLD.parts?.kept.map((part) => ({ ...part, text: TEXT.slice(part.start, part.end) })) ?? [];
    const long: FoldView = { ...FOLD, parts: { leftOut: 0, kept: texts } };
    // Closed until it is asked for: a quotation in it only says so.
    render(block([mark(30, "decisive")], null, long, 10));
    expect(fetched).not.toHaveBeenCalled();
    expect(bar().textContent).toContain("evidence in it");
    cleanup();
    render(block([], null, long, 10));
    fireEvent.click(bar());
    expect(await screen.findByText(/^Characters \d+ to/)).toBeDefined();
    expect(fetched.mock.calls[0]?.[0]).toContain(`offset=${offset(9)}`);
    expect(screen.getByText(/^Characters/).textContent).toBe(
      `Characters ${offset(9) + 1} to ${offset(53)} of ${TEXT.length}`,
    );
    cleanup();
    // The address asks for the item: it opens near the quotation and comes into sight. (jsdom has no layout.)
    const shown = vi.fn();
    Object.assign(Element.prototype, { scrollIntoView: shown, scrollTo: vi.fn() });
    render(block([mark(30, "decisive")], "t0.1", long, 10));
    expect(await screen.findByText(/^Characters \d+ to/)).toBeDefined();
    await vi.waitFor(() => expect(shown).toHaveBeenCalled());
  });
});

describe("a result of a turn", () => {
  const turn = (item: ItemView) => ({
    ...{ index: 0, total: 4, title: "", activity: "execute", agent: "main", agentName: "main", parentTurn: null },
    ...{ branch: null, model: null, usage: null, startedAt: null, durationMs: null, sourceSteps: [] },
    ...{ workingDirectory: null, items: [item], writes: [], reads: [], omitted: { items: 0, writes: 0, reads: 0 } },
  });
  const show = (fold: FoldMode, folding: RunFolding | null = FOLDING) =>
    render(
      <InForensics run={runWith({ folding })} fold={fold}>
        <ItemList turn={turn(itemWith({ id: "t0.1", kind: "result", text: wholeText(TEXT), fold: folding && FOLD }))} />
      </InForensics>,
    );

  it("is folded by parts, as the paper, or not at all", () => {
    show("parts");
    expect(screen.getByText(/44 lines folded/)).toBeDefined();
    cleanup();
    show("paper");
    expect(screen.getByText(/61 lines folded/)).toBeDefined();
    expect(bar().textContent).toContain("folded, no failure word");
    expect(screen.queryByText("line 1")).toBeNull();
    cleanup();
    show("off");
    expect(screen.getByText("line 30")).toBeDefined();
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("of an import without folding is cut as before", () => {
    show("parts", null);
    expect(screen.getByRole("button", { name: /^40 lines/ })).toBeDefined();
  });
});

describe("the control", () => {
  it("puts the rule into the address, and is not there without folding", () => {
    const go = vi.fn();
    render(
      <InForensics run={runWith({ folding: FOLDING })} go={go}>
        <FoldControl />
      </InForensics>,
    );
    const control = within(screen.getByRole("group", { name: "How results are folded" }));
    expect(control.getByRole("button", { name: "By parts" }).getAttribute("aria-pressed")).toBe("true");
    fireEvent.click(control.getByRole("button", { name: "As the paper" }));
    expect(go).toHaveBeenCalledWith(expect.objectContaining({ fold: "paper", turn: 0 }));
    cleanup();
    const { container } = render(
      <InForensics run={runWith()}>
        <FoldControl />
      </InForensics>,
    );
    expect(container.textContent).toBe("");
  });
});

describe("the words about savings", () => {
  it("count observations and characters, and say that tokens are about so many", () => {
    expect(savingsSentence(FOLDING, FOLDING.savings.parts)).toBe(
      "Folded 12 of 40 observations: 310,402 of 402,110 characters (77\u00a0%), about 77,601 tokens.",
    );
    expect(savingsNet(FOLDING, FOLDING.savings.parts)).toBe(
      "Less 1,000 characters of placeholders, it saves 49\u00a0% of the whole trajectory’s 620,000 characters, about 77,351 tokens.",
    );
    expect(savingsNet(FOLDING, FOLDING.savings.paper)).toBe(
      "With 60 characters of placeholders it adds about 10 tokens to the whole trajectory’s 620,000 characters.",
    );
    expect(
      ["parts", "paper", "off"].map((mode) =>
        savingsShort(FOLDING, mode === "off" ? "off" : mode === "paper" ? "paper" : "parts"),
      ),
    ).toEqual(["77\u00a0% of results folded", "under 1\u00a0% of results folded", "Nothing folded"]);
    const nowhere = { ...FOLDING.savings, parts: { ...FOLDING.savings.parts, observations: 0, foldedChars: 0 } };
    expect(savingsShort({ ...FOLDING, savings: nowhere }, "parts")).toBe("Nothing folded");
    const none = { ...FOLDING, savings: { ...FOLDING.savings, observations: 0, observationChars: 0 } };
    expect(savingsSentence(none, none.savings.parts)).toBe("There are no observations to fold.");
  });
});

import { describe, expect, it } from "vitest";
import type { FindAnswer, FoundPlace, MatchPosition } from "@/lib/views/find";
import {
  type Found,
  NOTHING_FOUND,
  type OpenPlace,
  openMatch,
  ordinalOf,
  placeName,
  stepFrom,
  withAnswer,
} from "./find-results";

const at = (offset: number, item = "t0.0"): MatchPosition => ({ item, field: "text", offset, length: 4 });

function place(turn: number, offsets: number[], more: Partial<FoundPlace> = {}): FoundPlace {
  const matches = offsets.map((offset) => at(offset, `t${turn}.0`));
  return {
    turn,
    context: null,
    count: offsets.length,
    first: matches.slice(0, 5).map((match) => ({ ...match, before: "", words: "word", after: "" })),
    last: matches.at(-1) ?? at(0),
    ...more,
  };
}

const answer = (places: FoundPlace[], more: Partial<FindAnswer> = {}): FindAnswer => ({
  places,
  searchedTurns: 10,
  totalTurns: 10,
  next: null,
  ...more,
});

const foundIn = (...places: FoundPlace[]): Found => withAnswer(NOTHING_FOUND, answer(places));

/** The open turn with all its matches. */
const openAt = (turn: number, offsets: number[], state: OpenPlace["state"] = "whole"): OpenPlace => ({
  place: { turn, context: null },
  matches: offsets.map((offset) => at(offset, `t${turn}.0`)),
  state,
});

describe("what a search has found", () => {
  it("is in the order of the run, whatever the order of the answers: what stands before a turn, then the turn", () => {
    const first = withAnswer(NOTHING_FOUND, answer([place(5, [1]), place(6, [1, 2])], { searchedTurns: 3, next: "3" }));
    const both = withAnswer(
      first,
      answer([place(4, [1]), place(5, [9], { context: 2 }), place(5, [9], { context: 1 }), place(0, [3])]),
    );
    expect(both.places.map(placeName)).toEqual(["t0", "t4", "c1", "c2", "t5", "t6"]);
    expect(both).toMatchObject({ count: 7, turns: 4, searchedTurns: 10, totalTurns: 10, next: null });
    expect(first).toMatchObject({ count: 3, turns: 2, searchedTurns: 3, next: "3" });
  });

  it("goes on in the place in which the answer before stopped", () => {
    const joined = withAnswer(foundIn(place(1, [1, 2, 3])), answer([place(1, [7, 8, 9], { count: 40 })]));
    expect(joined.places).toHaveLength(1);
    expect(joined.places[0]).toMatchObject({ count: 43, last: { offset: 9 } });
    expect(joined.places[0]?.first.map(({ offset }) => offset)).toEqual([1, 2, 3, 7, 8]);
  });
});

describe("the open match", () => {
  it("is the one at its place, or the nearest in the same text, where masks moved it", () => {
    const open = openAt(0, [10, 50, 90]);
    expect(openMatch(at(50), open, 4)).toEqual(at(50));
    expect(openMatch(at(55), open, 4)).toEqual(at(50));
    expect(openMatch(at(1_000), open, 4)).toEqual(at(90));
    expect(openMatch(at(50, "t0.9"), open, 4)).toBeNull();
    expect(openMatch({ ...at(50), field: "arguments" }, open, 4)).toBeNull();
    expect(openMatch(null, open, 4)).toBeNull();
  });

  it("is not known before the matches are, and believed where not all are listed", () => {
    expect(openMatch(at(50), openAt(0, [], "waiting"), 4)).toBeNull();
    expect(openMatch(at(5_000), openAt(0, [10, 50], "part"), 4)).toEqual(at(5_000));
  });

  it("is counted in the order of the run", () => {
    const found = foundIn(place(2, [1, 2]), place(4, [1, 2, 3]), place(4, [8], { context: 0 }));
    expect(ordinalOf(found, openAt(2, [1, 2]), at(1, "t2.0"))).toBe(1);
    expect(ordinalOf(found, openAt(4, [1, 2, 3]), at(3, "t4.0"))).toBe(6);
    expect(ordinalOf(found, openAt(4, [1], "part"), at(3, "t4.0"))).toBe(6);
    expect(ordinalOf(found, openAt(4, [1], "part"), at(2, "t4.0"))).toBeNull();
    expect(ordinalOf(found, openAt(3, []), null)).toBeNull();
    expect(ordinalOf(found, openAt(3, [1]), at(1, "t3.0"))).toBeNull();
  });
});

describe("a step", () => {
  const found = foundIn(place(2, [1, 2]), place(4, [5, 6, 7]), place(9, [3]));
  const to = (turn: number, offset: number) => ({
    kind: "match",
    place: expect.objectContaining({ turn, context: null }),
    match: expect.objectContaining({ item: `t${turn}.0`, offset }),
  });

  it("goes through the matches of a turn, then to the next turn, and round", () => {
    const four = openAt(4, [5, 6, 7]);
    expect(stepFrom(found, four, at(5, "t4.0"), 1, false)).toEqual(to(4, 6));
    expect(stepFrom(found, four, at(7, "t4.0"), 1, false)).toEqual(to(9, 3));
    expect(stepFrom(found, openAt(9, [3]), at(3, "t9.0"), 1, false)).toEqual(to(2, 1));
  });

  it("goes backwards to the last match of the turn before, and round", () => {
    expect(stepFrom(found, openAt(4, [5, 6, 7]), at(6, "t4.0"), -1, false)).toEqual(to(4, 5));
    expect(stepFrom(found, openAt(4, [5, 6, 7]), at(5, "t4.0"), -1, false)).toEqual(to(2, 2));
    expect(stepFrom(found, openAt(2, [1, 2]), at(1, "t2.0"), -1, false)).toEqual(to(9, 3));
  });

  it("begins in the open turn, else behind it, else before", () => {
    expect(stepFrom(found, openAt(4, [5, 6, 7]), null, 1, false)).toEqual(to(4, 5));
    expect(stepFrom(found, openAt(4, [5, 6, 7]), null, -1, false)).toEqual(to(4, 7));
    expect(stepFrom(found, openAt(5, []), null, 1, false)).toEqual(to(9, 3));
    expect(stepFrom(found, openAt(5, []), null, -1, false)).toEqual(to(4, 7));
  });

  it("waits for what is not known yet, and goes round no end that may still move", () => {
    expect(stepFrom(found, openAt(4, [], "waiting"), null, 1, false)).toEqual({ kind: "wait" });
    expect(stepFrom(found, openAt(9, [3]), at(3, "t9.0"), 1, true)).toEqual({ kind: "wait" });
    expect(stepFrom(NOTHING_FOUND, openAt(0, []), null, 1, true)).toEqual({ kind: "wait" });
    expect(stepFrom(NOTHING_FOUND, openAt(0, []), null, 1, false)).toEqual({ kind: "none" });
  });

  it("leaves a turn with more matches than are listed by its last one", () => {
    const many = foundIn(place(3, [1, 2], { count: 5_000, last: at(9_000, "t3.0") }), place(4, [5]));
    const open = openAt(3, [1, 2], "part");
    expect(stepFrom(many, open, at(2, "t3.0"), 1, false)).toEqual(to(3, 9_000));
    expect(stepFrom(many, open, at(9_000, "t3.0"), 1, false)).toEqual(to(4, 5));
    expect(stepFrom(many, openAt(4, [5]), at(5, "t4.0"), -1, false)).toEqual(to(3, 9_000));
  });

  it("goes on to other turns when the matches of the open one could not be fetched", () => {
    expect(stepFrom(found, openAt(4, [], "failed"), at(5, "t4.0"), 1, false)).toEqual(to(9, 3));
  });
});

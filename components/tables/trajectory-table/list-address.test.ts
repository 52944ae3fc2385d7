import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OUTCOMES, PAGE_SIZES, SORTABLE, STATUSES } from "@/lib/views/trajectory-list";
import {
  activeFilters,
  changed,
  DEFAULT_QUERY,
  formatListAddress,
  nextSort,
  orderWords,
  parseListAddress,
  withoutFilters,
} from "./list-address";

const parse = (text: string) => parseListAddress(new URLSearchParams(text));

const anyQuery = fc.record({
  file: fc.constantFrom("", "a1B2c3D4e5F6"),
  q: fc.string({ maxLength: 200 }),
  status: fc.constantFrom("all" as const, ...STATUSES),
  outcome: fc.constantFrom("all" as const, ...OUTCOMES),
  verdict: fc.constantFrom("all" as const, "determined" as const, "undetermined" as const),
  framework: fc.string({ maxLength: 100 }),
  minTurns: fc.nat(),
  sort: fc.constantFrom(...SORTABLE),
  direction: fc.constantFrom("ascending" as const, "descending" as const),
  page: fc.integer({ min: 1, max: 1_000_000 }),
  size: fc.constantFrom(...PAGE_SIZES),
});

describe("the list's address", () => {
  it("is plain when nothing is chosen", () => {
    expect(formatListAddress(DEFAULT_QUERY)).toBe("");
    expect(parse("")).toEqual(DEFAULT_QUERY);
  });

  it("comes back as it was, whatever is chosen", () => {
    fc.assert(
      fc.property(anyQuery, (query) => {
        // An address is UTF-8: lone surrogates cannot travel in it.
        const sendable = { ...query, q: query.q.toWellFormed(), framework: query.framework.toWellFormed() };
        expect(parse(formatListAddress(sendable))).toEqual(sendable);
      }),
    );
  });

  it("falls back where it cannot be read", () => {
    expect(parse("sort=nonsense&direction=up&page=-3&size=51&minTurns=many&status=gone&outcome=&verdict=x")).toEqual(
      DEFAULT_QUERY,
    );
    expect(parse(`q=${"a".repeat(201)}`).q).toBe("");
  });
});

describe("filters", () => {
  it("name every filter that is on, and how to take it off", () => {
    const query = parse("framework=SWE-agent&outcome=failed&minTurns=2000&verdict=undetermined&status=failed&q=word");
    const filters = activeFilters(query);
    expect(filters.map(({ field, operator, value }) => `${field} ${operator} ${value}`)).toEqual([
      "Framework is SWE-agent",
      "Outcome is Failed",
      "Turns at least 2,000",
      "Verdict is Undetermined",
      "Status is Import failed",
    ]);
    const cleared = filters.reduce((left, filter) => changed(left, filter.clear), query);
    expect(activeFilters(cleared)).toEqual([]);
    expect(cleared.q).toBe("word");
  });

  it("start at the first page again when they change", () => {
    expect(changed(parse("page=7&outcome=failed"), { outcome: "all" }).page).toBe(1);
  });

  it("go without taking the order and the page size", () => {
    const query = withoutFilters(parse("q=a&outcome=failed&sort=turns&direction=ascending&size=100&page=4"));
    expect(formatListAddress(query)).toBe("sort=turns&direction=ascending&size=100");
  });
});

describe("the order", () => {
  it("begins with what a person wants first, then turns round", () => {
    const byTurns = nextSort(DEFAULT_QUERY, "turns");
    expect(byTurns).toMatchObject({ sort: "turns", direction: "descending", page: 1 });
    expect(nextSort(byTurns, "turns")).toMatchObject({ sort: "turns", direction: "ascending" });
    expect(nextSort(byTurns, "name")).toMatchObject({ sort: "name", direction: "ascending" });
  });

  it("has words", () => {
    expect(orderWords(DEFAULT_QUERY)).toBe("newest first");
    expect(orderWords({ sort: "writes", direction: "ascending" })).toBe("fewest writes first");
  });
});

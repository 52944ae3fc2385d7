import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Strip } from "@/lib/views/strip";
import { activityBands, axisTurns, placeMarks, stripColumns, turnAt, turnScale } from "./strip-columns";

const lane = (turns: number, letters: string) =>
  fc.array(fc.constantFrom(...letters), { minLength: turns, maxLength: turns }).map((each) => each.join(""));

const strips: fc.Arbitrary<Strip> = fc.integer({ min: 1, max: 700 }).chain((turns) =>
  fc.record({
    turns: fc.constant(turns),
    activity: lane(turns, "rswxtdmko"),
    size: lane(turns, "0123456789"),
    write: lane(turns, ".wcro"),
    test: lane(turns, ".pfu"),
    error: lane(turns, ".e"),
    suspicion: lane(turns, "0123456789"),
    agent: lane(turns, "01"),
  }),
);

describe("the columns of the strip", () => {
  it("hold every turn once, and every write, test and error in a count", () => {
    fc.assert(
      fc.property(strips, fc.integer({ min: 1, max: 250 }), (strip, most) => {
        const { columns } = stripColumns(strip, most);
        expect(columns.length).toBeLessThanOrEqual(most);
        expect(columns.flatMap((column) => [column.from, column.to])).toEqual(
          columns.flatMap((_, i) => [columns[i]?.from, columns[i + 1]?.from ?? strip.turns]),
        );
        const sum = (key: "writeCount" | "testCount" | "errorCount") => columns.reduce((n, each) => n + each[key], 0);
        expect(sum("writeCount")).toBe(strip.write.replaceAll(".", "").length);
        expect(sum("testCount")).toBe(strip.test.replaceAll(".", "").length);
        expect(sum("errorCount")).toBe(strip.error.replaceAll(".", "").length);
        for (const column of columns) {
          if (strip.write.slice(column.from, column.to).includes("w")) expect(column.write).toBe("w");
          if (strip.test.slice(column.from, column.to).includes("f")) expect(column.test).toBe("f");
        }
      }),
      { numRuns: 60 },
    );
  });

  it("are one a turn up to two hundred turns", () => {
    const strip = (turns: number): Strip => {
      const of = (letter: string) => letter.repeat(turns);
      const dots = of(".");
      return {
        turns,
        activity: of("r"),
        size: of("1"),
        write: dots,
        test: dots,
        error: dots,
        suspicion: of("0"),
        agent: of("0"),
      };
    };
    expect(stripColumns(strip(200)).turnsPerColumn).toBe(1);
    expect(stripColumns(strip(201)).turnsPerColumn).toBe(2);
    expect(stripColumns(strip(6_000)).columns).toHaveLength(200);
    expect(stripColumns(strip(0)).columns).toEqual([]);
  });

  it("answer with the turn that was drawn at a point", () => {
    fc.assert(
      fc.property(strips, fc.integer({ min: 200, max: 2_000 }), (strip, width) => {
        const columns = stripColumns(strip);
        const { centre } = turnScale(columns, width);
        for (const turn of [0, Math.floor(strip.turns / 2), strip.turns - 1]) {
          expect(turnAt(columns, strip.turns, width, centre(turn))).toBe(turn);
        }
        expect(turnAt(columns, strip.turns, width, -50)).toBe(0);
        expect(turnAt(columns, strip.turns, width, width + 50)).toBe(strip.turns - 1);
      }),
      { numRuns: 60 },
    );
  });
});

describe("marks on the strip", () => {
  it("are never lost, never covered, and keep their order", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_000 }),
        fc.uniqueArray(fc.nat(8_999), { maxLength: 12 }),
        fc.integer({ min: 240, max: 1_800 }),
        (turns, at, width) => {
          const marks = at.filter((turn) => turn < turns).map((turn) => ({ turn }));
          const placed = placeMarks(marks, (turn) => ((turn + 0.5) / turns) * width, 12, width);
          expect(new Set(placed.map((each) => each.mark.turn))).toEqual(new Set(marks.map((each) => each.turn)));
          placed.forEach((each, i) => {
            const next = placed[i + 1];
            if (next) {
              expect(next.x - each.x).toBeGreaterThanOrEqual(12 - 1e-6);
              expect(next.mark.turn).toBeGreaterThan(each.mark.turn);
            }
            // Half of a mark on each side: none is cut off at an edge.
            expect(each.x).toBeLessThanOrEqual(width - 6);
            expect(each.x).toBeGreaterThanOrEqual(6);
          });
        },
      ),
    );
  });
});

describe("bands and axis", () => {
  it("join neighbours of one kind", () => {
    const strip: Strip = {
      turns: 5,
      activity: "rrwrr",
      size: "00000",
      write: "..w..",
      test: ".....",
      error: ".....",
      suspicion: "00000",
      agent: "00000",
    };
    expect(activityBands(stripColumns(strip).columns)).toEqual([
      { activity: "r", from: 0, to: 2 },
      { activity: "w", from: 2, to: 3 },
      { activity: "r", from: 3, to: 5 },
    ]);
  });

  it("label the first and the last turn without collisions", () => {
    expect(axisTurns(1, 1000, 40)).toEqual([0]);
    expect(axisTurns(0, 1000, 40)).toEqual([]);
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 9_000 }), fc.integer({ min: 240, max: 1_800 }), (turns, width) => {
        const labels = axisTurns(turns, width, 48);
        expect(labels[0]).toBe(0);
        expect(labels.at(-1)).toBe(turns - 1);
        expect(labels.length).toBeLessThan(64);
        labels.forEach((label, i) => {
          const next = labels[i + 1];
          if (next !== undefined) expect(next).toBeGreaterThan(label);
        });
      }),
    );
  });
});

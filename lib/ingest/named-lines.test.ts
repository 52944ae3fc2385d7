import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { readContent } from "./content";
import { namedLines } from "./named-lines";
import { splitRows } from "./rows/row-parts";

/** More lines than are parsed to find out whose they are. */
const SAMPLED = 200;
const row = (n: number): string => JSON.stringify({ list: [{ instance_id: "inner" }], n, instance_id: `task-${n}` });

function contentOf(further: string[]) {
  const lines = [...Array.from({ length: SAMPLED }, (_, n) => row(n)), ...further];
  const content = readContent({ name: "rows", bytes: new TextEncoder().encode(`${lines.join("\n")}\n`) });
  if (content.kind !== "lines") throw new Error("these are lines");
  return content;
}

const furtherNames = (further: string[]): unknown[] =>
  [...namedLines(contentOf(further), ["instance_id"])].slice(SAMPLED).map(({ value }) => value?.instance_id);

describe("the names of lines that are not parsed", () => {
  it("are the texts of the object itself, unescaped", () => {
    expect(
      furtherNames([row(7), '  {"instance_id" : "t\\u00e4sk \\"8\\""}', '{"a":"\\"instance_id\\":\\"no\\""}']),
    ).toEqual(["task-7", 'täsk "8"', undefined]);
  });

  it("are missing where the line is no object, not complete, or has another value there", () => {
    expect(furtherNames(["[1]", '{"instance_id":"cut', '{"instance_id":"a"', '{"instance_id":{"b":"c"}}'])).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });

  it("are repaired as any text of an upload", () => {
    expect(furtherNames(['{"instance_id":"a\\u0000b\\ud800"}'])).toEqual(["a\ufffdb\ufffd"]);
  });

  it("name the parts of a file of rows, wrapped or not, and lines by their number where nothing does", () => {
    const wrapped = JSON.stringify({ row_idx: 3, row: JSON.parse(row(9)), truncated_cells: [] });
    const parts = splitRows(contentOf([row(7), wrapped, "", "broken"]));
    expect(parts.slice(SAMPLED).map(({ key, name, range }) => [key, name, range?.line])).toEqual([
      ["200", "task-7", 201],
      ["201", "task-9", 202],
      ["202", "line 204", 204],
    ]);
  });

  it("are found in time that grows with the file when no line is complete", () => {
    const content = contentOf(Array.from({ length: 20_000 }, () => `{"instance_id":"${"x".repeat(500)}`));
    expect(processorMs(() => [...namedLines(content, ["instance_id"])])).toBeLessThan(2_000);
  });
});

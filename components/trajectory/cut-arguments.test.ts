import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TextView } from "@/lib/views/turn";
import { cutArguments } from "./cut-arguments";

/** The view of a text of which `head` characters from the beginning and `tail` from the end are here. */
function cut(json: string, head: number, tail: number): TextView {
  const from = Math.min(head, json.length);
  const to = Math.max(from, json.length - tail);
  const lines = (text: string) => text.split("\n").length - 1;
  return {
    head: json.slice(0, from),
    tail: json.slice(to),
    totalChars: json.length,
    totalLines: lines(json) + 1,
    omittedChars: to - from,
    omittedLines: lines(json.slice(from, to)),
  };
}

const body = Array.from({ length: 40 }, (_, i) => `\tline(${i}) = "é\\\\ \u0001 ${i}";`).join("\n");
const json = JSON.stringify({ file_path: "/a.py", content: body, replace_all: false, why: "x\ny" }, null, 2);

describe("arguments that are cut", () => {
  it("show the fields before the cut, the rest of the cut one, and those behind it", () => {
    const found = cutArguments(cut(json, 300, 300));
    expect(found?.head.map((field) => field.name)).toEqual(["file_path", "content"]);
    expect(found?.tail.map((field) => [field.name, field.name === "content" ? "" : field.text])).toEqual([
      ["content", ""],
      ["replace_all", "false"],
      ["why", "x\ny"],
    ]);
    expect(body.startsWith(found?.head[1]?.text ?? "?")).toBe(true);
    expect(body.endsWith(found?.tail[0]?.text ?? "?")).toBe(true);
  });

  it("are what the whole says wherever the cuts fall, with every unit where it was written", () => {
    let read = 0;
    fc.assert(
      fc.property(fc.nat(json.length), fc.nat(json.length), (head, tail) => {
        const view = cut(json, head, tail);
        const found = cutArguments(view);
        if (found === null) return;
        read += 1;
        const [first, last] = [found.head.at(-1), found.tail[0]];
        expect(body.startsWith(first?.text ?? "?")).toBe(true);
        expect(body.endsWith(last?.text ?? "?")).toBe(true);
        expect(found.omittedChars).toBeGreaterThanOrEqual(view.omittedChars);
        for (const field of [...found.head, ...found.tail]) {
          if (field.kind === "json") continue;
          field.text.split("").forEach((unit, i) => {
            expect(JSON.parse(`"${json.slice(field.at[i], field.at[i + 1])}"`)).toBe(unit);
          });
        }
        for (const field of found.tail.slice(1)) {
          expect(JSON.parse(json.slice(field.nameStart, field.nameEnd))).toBe(field.name);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  it("are left as they are when the cut is not inside one string", () => {
    expect(cutArguments(cut(json, 5, 5))).toBeNull();
    expect(cutArguments(cut(json, json.length, 0))).toBeNull();
    expect(cutArguments({ ...cut(json, 300, 300), head: '["a' })).toBeNull();
    expect(cutArguments({ ...cut(json, 300, 300), tail: "no quote at all" })).toBeNull();
    expect(cutArguments({ ...cut(json, 300, 300), tail: ' x" garbage' })).toBeNull();
  });
});

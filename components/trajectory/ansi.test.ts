import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { PLAIN_STYLE, scanAnsi } from "./ansi";

const ESC = "\u001b";
const shown = (text: string) =>
  scanAnsi(text)
    .runs.map((run) => text.slice(run.start, run.end))
    .join("");

describe("terminal text", () => {
  it("becomes runs with colour and weight", () => {
    const text = `${ESC}[1;31mFAILED${ESC}[0m test_a ${ESC}[32m36 passed${ESC}[39m.`;
    const { runs } = scanAnsi(text);
    expect(runs.map((run) => [text.slice(run.start, run.end), run.style.colour, run.style.bold])).toEqual([
      ["FAILED", "red", true],
      [" test_a ", null, false],
      ["36 passed", "green", false],
      [".", null, false],
    ]);
  });

  it("knows 256 colours and true colour by their nearest name", () => {
    expect(scanAnsi(`${ESC}[38;5;196mx`).runs[0]?.style.colour).toBe("red");
    expect(scanAnsi(`${ESC}[38;2;10;200;30mx`).runs[0]?.style.colour).toBe("green");
    expect(scanAnsi(`${ESC}[48;5;21;1mx`).runs[0]?.style).toMatchObject({ ground: "blue", bold: true });
  });

  it("X7: drops links and titles and keeps the words", () => {
    const text = `${ESC}]8;;javascript:alert(1)${ESC}\\click${ESC}]8;;${ESC}\\ ${ESC}]0;title\u0007rest`;
    expect(shown(text)).toBe("click rest");
    expect(shown(`${ESC}]0;never closed\nnext line`)).toBe("\nnext line");
  });

  it("X7: nothing of a sequence stands in the text, however it begins, ends or is cut", () => {
    for (const start of [`${ESC}]8;;`, "\u009d8;;", `${ESC}P`, `${ESC}_`, `${ESC}^`, `${ESC}X`]) {
      for (const end of ["\u0007", `${ESC}\\`, "\u009c"]) {
        expect(shown(`a${start}javascript:alert(1)${end}b`)).toBe("ab");
        expect(shown(`a${start}javascript:alert(1)`)).toBe("a");
      }
    }
    expect(shown(`a${ESC}[2J${ESC}[1;1H${ESC}[?1049h${ESC}c${ESC}(0b`)).toBe("ab");
  });

  it("X7: 100 kB of an unfinished sequence takes less than 50 ms", () => {
    const hostile = `${ESC}[${";".repeat(100_000)}`;
    // The fastest of five: a busy machine makes single runs slow, a quadratic scanner makes all of them slow.
    const times = Array.from({ length: 5 }, () =>
      processorMs(() => {
        expect(shown(hostile)).toBe("");
        expect(shown(`${ESC}[`.repeat(50_000))).toBe("");
      }),
    );
    expect(Math.min(...times)).toBeLessThan(50);
  });

  it("loses no character outside a sequence", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        expect(shown(text)).toBe(text);
        expect(shown(`${ESC}[31m${text}${ESC}[0m`)).toBe(text);
      }),
    );
  });

  it("never overlaps or leaves the text, whatever the text is", () => {
    const piece = fc.constantFrom(
      ESC,
      "[",
      ";",
      "3",
      "m",
      "]",
      "\u0007",
      "\\",
      "\n",
      "a",
      "\u009b",
      "\u009d",
      "?",
      "(",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (parts) => {
        const text = parts.join("");
        let end = 0;
        for (const run of scanAnsi(text).runs) {
          expect(run.start).toBeGreaterThanOrEqual(end);
          expect(run.end).toBeGreaterThan(run.start);
          end = run.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
        expect(shown(text).split("\n").length).toBe(text.split("\n").length);
      }),
    );
  });

  it("continues a colour in the next piece", () => {
    const first = scanAnsi(`${ESC}[33mwarn`);
    expect(scanAnsi("ing", first.style).runs[0]?.style.colour).toBe("yellow");
    expect(scanAnsi(`${ESC}[m`, first.style).style).toEqual(PLAIN_STYLE);
  });
});

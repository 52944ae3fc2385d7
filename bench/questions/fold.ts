import { foldObservation } from "@/lib/folding/fold";
import { SIGNAL_EXPRESSION } from "@/lib/folding/signals";
import { SeededText } from "../inputs/seeded-text";
import { interleave, type Taken, timed } from "../measure";
import { medianFigure, type Question, ratioFigure } from "../question";

const AT_MOST = 3;
const ROUNDS = 11;
const TOTAL_CHARS = 12_000_000;

/** Observations of about twelve million characters together, as traces hold them and as they hurt. */
const INPUTS: { name: string; make: (text: SeededText) => string[] }[] = [
  { name: "logs of 2,000 characters", make: (text) => several(2_000, () => text.lines(2_000, "log")) },
  { name: "listings of 8,000 characters", make: (text) => several(8_000, () => text.lines(8_000, "code")) },
  { name: "one log of 12 MB", make: (text) => [text.lines(TOTAL_CHARS, "log")] },
  {
    name: "logs of 20,000 characters, a failure every 40 lines",
    make: (text) => several(20_000, () => withFailures(text.lines(20_000, "log"), 40)),
  },
  { name: "failures in every line", make: (text) => several(4_000, () => withFailures(text.lines(2_000, "log"), 1)) },
  {
    name: "denied words in every line",
    make: () => several(4_000, () => "0 failed, no errors, error_handler\n".repeat(115)),
  },
  { name: "two-byte lines of five, no match", make: () => [flat("设定读取完\n")] },
  {
    name: "two-byte lines of five, no match, in pieces",
    make: () => several(8_000, () => flat("设定读取完\n", 8_000)),
  },
  { name: "one-byte lines of five, no match", make: () => [flat("abcde\n")] },
  { name: "two-byte lines of thirty, no match", make: () => [flat(`${"设定读取完".repeat(6)}\n`)] },
  { name: "line breaks only", make: () => [flat("\n")] },
  { name: "one line of one byte a character", make: () => [flat("abcde fghij ")] },
  { name: "one line of two bytes a character", make: () => [flat("设定读取完了")] },
  { name: "a match in every two-byte line", make: () => [flat("设定读取完 error: 失败\n")] },
  {
    name: "a match in every two-byte line, in pieces",
    make: () => several(4_000, () => flat("设定读取完 error: 失败\n", 4_000)),
  },
];

export const question: Question = {
  id: "fold",
  title: "Folding observations by both rules, against one pass of the signal expression over the same text",
  bound: `at most ${AT_MOST} times one global case-insensitive pass`,
  run: async () => {
    const figures = [];
    for (const { name, make } of INPUTS) {
      const texts = make(new SeededText(31));
      const taken = await interleave<Taken>(
        [
          { name: "pass", sample: () => timed(() => countMatches(texts)) },
          { name: "fold", sample: () => timed(() => texts.map(foldObservation)) },
        ],
        { rounds: ROUNDS },
      );
      const of = (side: string, clock: keyof Taken = "wallMs"): number[] =>
        (taken[side] ?? []).map((each) => each[clock]);
      figures.push(
        ratioFigure(`${name}: folding / pass`, of("fold"), of("pass"), AT_MOST),
        ratioFigure(`${name}: the same in processor time`, of("fold", "cpuMs"), of("pass", "cpuMs")),
        medianFigure(`${name}: folding`, "ms", of("fold")),
        medianFigure(`${name}: pass`, "ms", of("pass")),
      );
    }
    return { figures };
  },
};

function several(chars: number, make: () => string): string[] {
  return Array.from({ length: Math.round(TOTAL_CHARS / chars) }, make);
}

/** A line again and again, in one piece of memory as a parsed text is. */
function flat(line: string, chars = TOTAL_CHARS): string {
  return Buffer.from(line.repeat(Math.round(chars / line.length))).toString();
}

function withFailures(log: string, every: number): string {
  const fail = (line: string, n: number): string => (n % every === 0 ? `FAILED ${line} - AssertionError` : line);
  return log.split("\n").map(fail).join("\n");
}

function countMatches(texts: readonly string[]): number {
  let count = 0;
  for (const text of texts) for (const _ of text.matchAll(SIGNAL_EXPRESSION)) count += 1;
  return count;
}

import { z } from "zod";
import type { ArtefactHistory } from "@/lib/artefact/model";
import type { MaskedTrajectory, TextRange } from "@/lib/judge/masked";
import type { JudgeTool } from "@/lib/judge/port";
import type { Turn } from "@/lib/trajectory/schema";
import type { TrailStep } from "../diagnosis";
import { type TestRun, testRunsOf } from "../test-runs";
import { diffOfTurn, fileAfterTurn } from "./file-views";
import { searchTurns } from "./trace-search";
import type { TraceView } from "./trace-view";

/** Characters of one answer; what is longer is asked for from a line on. */
export const ANSWER_MAX_CHARS = 12_000;
const TURNS_AT_ONCE = 8;
const ASKED_MAX_CHARS = 160;

const turnNumber = z.number().int().min(1).describe("a turn as the trajectory numbers it: 12 for #12");
const why = z.string().max(400).describe("what you hope to learn from it, in one sentence");
const fromLine = z
  .number()
  .int()
  .min(1)
  .nullable()
  .describe("the line to begin with when an answer was cut; else null");

const observationArguments = z.object({
  turn: turnNumber.nullable(),
  through: turnNumber.nullable().describe(`up to ${TURNS_AT_ONCE} turns at once, folded; null for one turn, whole`),
  context: z.string().max(80).nullable().describe("the identifier of what stands between turns, in place of a turn"),
  from_line: fromLine,
  why,
});
const diffArguments = z.object({ turn: turnNumber, path: z.string().max(1_000).nullable(), why });
const fileArguments = z.object({ path: z.string().min(1).max(1_000), turn: turnNumber, from_line: fromLine, why });
const searchArguments = z.object({
  text: z.string().min(1).max(300),
  from_turn: turnNumber.nullable(),
  to_turn: turnNumber.nullable(),
  why,
});
const historyArguments = z.object({ why });
const noteArguments = z.object({ note: z.string().min(1).max(1_200) });

/** What the investigator may look up. Nothing else can be called, and nothing of it leaves the trace. */
export const LOOK_UP_TOOLS: readonly JudgeTool[] = [
  {
    name: "view_observation",
    description: "Shows a turn with its observations unfolded, several turns folded, or what stands between turns.",
    parameters: observationArguments,
  },
  {
    name: "view_diff",
    description: "Shows what the writes of a turn changed, as a unified diff.",
    parameters: diffArguments,
  },
  { name: "view_file", description: "Shows a file as it was after a turn.", parameters: fileArguments },
  {
    name: "search",
    description: "Finds a text in the trajectory, letters of either case alike.",
    parameters: searchArguments,
  },
  {
    name: "test_history",
    description: "Lists the test runs of the trajectory with their results.",
    parameters: historyArguments,
  },
  {
    name: "note",
    description: "Keeps a short note for you; older answers may be dropped when there is no room, notes stay.",
    parameters: noteArguments,
  },
];

/** What a look-up says, and how it stands in the trail. */
export interface LookedUp {
  answer: string;
  step: TrailStep;
}

/** What the tools look into. `masked` takes the secrets out of everything that they say. */
export interface LookUpSources {
  view: TraceView;
  history: ArtefactHistory;
  masked: MaskedTrajectory;
}

interface Answer {
  text: string;
  turns: number[];
  unfoldedChars: number;
}

/**
 * Answers a call of one of LOOK_UP_TOOLS with arguments that its schema has taken. What cannot be shown is answered in
 * words and stands in the trail as refused; it never throws for what a model asks.
 * @throws ZodError when the arguments are not those of the tool.
 */
export function lookUp(sources: LookUpSources, tool: string, given: unknown): LookedUp {
  if (tool === "note") {
    const { note } = noteArguments.parse(given);
    return { answer: "Noted.", step: { kind: "note", note: sources.masked.mask(note).text } };
  }
  const { answer, asked, why: reason } = answerOf(sources, tool, given);
  const step = {
    kind: "tool" as const,
    tool,
    asked: cut(sources.masked.mask(asked).text),
    why: sources.masked.mask(reason).text,
  };
  if (typeof answer === "string")
    return { answer, step: { ...step, turns: [], chars: answer.length, unfoldedChars: 0, refused: answer } };
  const { text, turns, unfoldedChars } = answer;
  return { answer: text, step: { ...step, turns, chars: text.length, unfoldedChars, refused: null } };
}

interface Looked {
  asked: string;
  why: string;
  /** Text: why there is nothing to show. */
  answer: Answer | string;
}

function answerOf(sources: LookUpSources, tool: string, given: unknown): Looked {
  switch (tool) {
    case "view_observation": {
      const asked = observationArguments.parse(given);
      const range = asked.through === null ? "" : ` to #${asked.through}`;
      const what = asked.turn === null ? (asked.context ?? "nothing") : `#${asked.turn}${range}`;
      return { asked: what, why: asked.why, answer: viewObservation(sources, asked) };
    }
    case "view_diff": {
      const { turn, path, why: reason } = diffArguments.parse(given);
      return {
        asked: `#${turn}${path === null ? "" : ` ${path}`}`,
        why: reason,
        answer: viewDiff(sources, turn, path),
      };
    }
    case "view_file": {
      const { path, turn, from_line, why: reason } = fileArguments.parse(given);
      return { asked: `${path} after #${turn}`, why: reason, answer: viewFile(sources, path, turn, from_line ?? 1) };
    }
    case "search": {
      const { text, from_turn, to_turn, why: reason } = searchArguments.parse(given);
      return { asked: text, why: reason, answer: search(sources, text, from_turn, to_turn) };
    }
    case "test_history": {
      const { why: reason } = historyArguments.parse(given);
      return { asked: "all test runs", why: reason, answer: testHistory(sources) };
    }
    default:
      return { asked: tool, why: "", answer: `There is no tool "${cut(tool)}".` };
  }
}

function viewObservation(
  { view }: LookUpSources,
  { turn, through, context, from_line }: z.infer<typeof observationArguments>,
): Answer | string {
  if (turn === null) {
    const text = context === null ? null : view.context(context);
    if (text === null) return "Name a turn, or the identifier of what stands between turns.";
    return page(text, from_line ?? 1, []);
  }
  if (turn > view.turns.length) return noSuchTurn(view.turns.length);
  if (through !== null && through > turn) {
    const last = Math.min(through, turn + TURNS_AT_ONCE - 1, view.turns.length);
    const shown = view.foldedTurns(turn - 1, last - 1);
    return page(shown.text, from_line ?? 1, range(turn - 1, last - 1));
  }
  const whole = view.wholeTurn(turn - 1);
  return whole === null ? noSuchTurn(view.turns.length) : page(whole.text, from_line ?? 1, [turn - 1], whole.folded);
}

function viewDiff({ view, history, masked }: LookUpSources, turn: number, path: string | null): Answer | string {
  if (turn > view.turns.length) return noSuchTurn(view.turns.length);
  const diff = diffOfTurn(history, turn - 1, path);
  if (diff !== null) return page(masked.mask(diff).text, 1, [turn - 1]);
  const written = [...new Set(history.writes.map((write) => write.turn + 1))].map((each) => `#${each}`);
  return `Nothing was written there in #${turn}. Turns that write: ${cut(written.join(", ")) || "none"}.`;
}

function viewFile(
  { view, history, masked }: LookUpSources,
  path: string,
  turn: number,
  fromLine: number,
): Answer | string {
  if (turn > view.turns.length) return noSuchTurn(view.turns.length);
  const file = fileAfterTurn(history, path, turn - 1);
  if (file === null) {
    const known = [...history.files.keys()].map((each) => masked.mask(each).text);
    return `No file of that name is known then. Known files: ${known.join(", ").slice(0, 2_000) || "none"}.`;
  }
  // Masking keeps line breaks: the lines keep their numbers.
  const texts = masked.mask(file.lines.map(({ text }) => text).join("\n")).text.split("\n");
  const lines = file.lines.flatMap(({ number }, i) =>
    number < fromLine ? [] : [{ number, text: `${number}\t${texts[i] ?? ""}` }],
  );
  return { text: `${masked.mask(file.head).text}\n${fitted(lines).answer}`, turns: [turn - 1], unfoldedChars: 0 };
}

function search(
  { view, masked }: LookUpSources,
  text: string,
  from: number | null,
  to: number | null,
): Answer | string {
  const last = view.turns.length - 1;
  const found = searchTurns(view.turns, masked, text, {
    from: (from ?? 1) - 1,
    to: Math.min(last, (to ?? last + 1) - 1),
  });
  if (found.total === 0) return "Found nowhere.";
  const more = found.total > found.lines.length ? [`${found.total - found.lines.length} more.`] : [];
  return page([...found.lines, ...more].join("\n"), 1, found.turns);
}

function testHistory({ view, masked }: LookUpSources): Answer | string {
  const lines: string[] = [];
  const turns: number[] = [];
  for (const turn of view.turns) {
    for (const run of testRunsOf(turn)) {
      const counts = `${run.failed ?? "?"} failed, ${run.passed ?? "?"} passed`;
      lines.push(`#${turn.index + 1} ${run.runner}: ${run.outcome}, ${counts}${summaryOf(turn, run, masked)}`);
      if (!turns.includes(turn.index)) turns.push(turn.index);
    }
  }
  return lines.length === 0 ? "The trajectory holds no test run that can be read." : page(lines.join("\n"), 1, turns);
}

/** The line of the result that says it. */
function summaryOf(turn: Turn, { result, summary }: TestRun, masked: MaskedTrajectory): string {
  const item = turn.items.find(({ id }) => id === result);
  const text = item === undefined || summary === null ? null : masked.textOf(item, "text");
  if (text === null || summary === null) return "";
  const { start, end } = text.maskedRange(summary);
  return ` (${text.text.slice(start, end).trim()})`;
}

/** A page of a text from a 1-based line on. `folded`: the ranges of the text that were folded before, in order. */
function page(text: string, fromLine: number, turns: number[], folded: readonly TextRange[] = []): Answer {
  const lines = text.split("\n");
  const first = Math.min(fromLine, lines.length) - 1;
  const from = lines.slice(0, first).reduce((sum, { length }) => sum + length + 1, 0);
  const { answer, shownChars } = fitted(lines.slice(first).map((line, i) => ({ number: first + i + 1, text: line })));
  const unfolded = folded.map(({ start, end }) => Math.min(end, from + shownChars) - Math.max(start, from));
  const unfoldedChars = unfolded.reduce((sum, chars) => sum + Math.max(0, chars), 0);
  return { text: answer, turns, unfoldedChars };
}

/** As many lines as fit, and the number of the line to go on with. `shownChars`: how far into the lines it goes. */
function fitted(lines: readonly { number: number; text: string }[]): { answer: string; shownChars: number } {
  const shown: string[] = [];
  let chars = 0;
  for (const { number, text } of lines) {
    if (shown.length > 0 && chars + text.length > ANSWER_MAX_CHARS) {
      const more = `[${lines.length - shown.length} more lines. Ask with from_line ${number}.]`;
      return { answer: [...shown, more].join("\n"), shownChars: chars };
    }
    if (text.length > ANSWER_MAX_CHARS) {
      // It stands alone: what is behind it in this line cannot be asked for.
      const cutAt = text.slice(0, ANSWER_MAX_CHARS);
      const more = lines.length > 1 ? [`[${lines.length - 1} more lines. Ask with from_line ${number + 1}.]`] : [];
      const answer = [`${cutAt} [This line is longer: ${text.length} characters.]`, ...more].join("\n");
      return { answer, shownChars: ANSWER_MAX_CHARS };
    }
    shown.push(text);
    chars += text.length + 1;
  }
  return { answer: shown.join("\n"), shownChars: chars };
}

function noSuchTurn(count: number): string {
  return `There is no such turn: the trajectory has #1 to #${count}.`;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function cut(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > ASKED_MAX_CHARS ? `${line.slice(0, ASKED_MAX_CHARS)}…` : line;
}

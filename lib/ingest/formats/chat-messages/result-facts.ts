import { countMember, isObject, type JsonValue, member, parseNestedJson, stringMember } from "../../safe-json";

/** What an answer says beside its text. */
export interface ResultFacts {
  text: string;
  isError: boolean | null;
  exitCode: number | null;
  isCut: boolean;
  durationMs: number | null;
}

/** How much of either end of an answer is looked at. */
const LOOKED_AT = 2_000;
/** Longer JSON in an answer is left as it is. */
const ENVELOPE_CHARS = 4_000_000;

const EXIT_AT_START =
  /^\s*(?:<tool_use_error>)?(?:Error: )?(?:Exit code:?|exit code:?|Process exited with code|<returncode>)\s*(-?\d{1,5})\b/;
const EXIT_AT_END =
  /\[(?:The command completed|Command finished|Command completed) with exit code (-?\d{1,5})\.?\]|\n(?:Exit code|exit code|Process exited with code):? (-?\d{1,5})\s*$/;
const FAILED = /^\s*(?:<tool_use_error>|Error:|ERROR:|\{\s*"error"\s*:\s*[^n\s])/;
const CUT =
  /<response clipped>|\[Output truncated|\.\.\. \[\d+ (?:lines|characters) truncated\] \.\.\.|…\d+ (?:tokens|chars) truncated…|<persisted-output>|\[\.{3} Observation truncated/;

/** What every way of telling an exit code at the end holds: looking for that first is cheaper. */
const EXIT_PART = "xit";

/** Reads an answer: `flag` is what the record itself says about success, null when it says nothing. */
export function readResultText(given: string, flag: boolean | null): ResultFacts {
  const head = given.slice(0, LOOKED_AT);
  const tail = given.slice(-LOOKED_AT);
  const { text, exitCode, durationMs } = unwrapped(given, head) ?? {
    text: given,
    exitCode: exitCodeIn(head, tail),
    durationMs: null,
  };
  const told = exitCode === null ? (FAILED.test(head) ? true : null) : exitCode !== 0;
  return {
    text,
    isError: flag ?? told,
    exitCode,
    isCut: CUT.test(head) || (given.length > LOOKED_AT && (CUT.test(tail) || hasCutMiddle(given))),
    durationMs,
  };
}

/** A cut in the middle of a long answer. Its ellipsis alone is found at once, and text of one byte a character has none. */
function hasCutMiddle(text: string): boolean {
  return text.length > 2 * LOOKED_AT && text.includes("…") && text.includes(" truncated…");
}

function exitCodeIn(head: string, tail: string): number | null {
  const start = EXIT_AT_START.exec(head)?.[1];
  if (start !== undefined) return Number(start);
  const end = tail.includes(EXIT_PART) ? EXIT_AT_END.exec(tail) : null;
  const found = end?.[1] ?? end?.[2];
  return found === undefined ? null : Number(found);
}

/**
 * The output inside `{"output": ..., "metadata": {"exit_code": ..., "duration_seconds": ...}}`, in which some shells
 * answer. Null when the text is not exactly that.
 */
function unwrapped(text: string, head: string): Pick<ResultFacts, "text" | "exitCode" | "durationMs"> | null {
  if (!text.startsWith("{") || text.length > ENVELOPE_CHARS || !head.includes('"output"')) return null;
  const value = parseNestedJson(text);
  const metadata = member(value, "metadata");
  const output = stringMember(value, "output");
  if (!isObject(value) || output === null || Object.keys(value).some((key) => key !== "output" && key !== "metadata")) {
    return null;
  }
  const seconds = countMember(metadata, "duration_seconds");
  return {
    text: output,
    exitCode: exitCodeOf(member(metadata, "exit_code")),
    durationMs: seconds === null ? null : seconds * 1000,
  };
}

/** A number as an exit code; null when it is none. */
export function exitCodeOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null;
}

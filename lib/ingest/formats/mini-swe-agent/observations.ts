import { textBetween } from "../../text-between";

/** What the harness tells the agent about a command that ran. */
export interface Observation {
  text: string;
  exitCode: number | null;
  isError: boolean | null;
  isCut: boolean;
}

const RETURN_CODE = /^<returncode>(-?\d{1,9})<\/returncode>\s*/;
const EXCEPTION = "<exception>";
const TIMED_OUT = /^The last command <command>[\s\S]* timed out and has been killed\./;

/** True when a message of the harness has the shape of an observation, whichever version wrote it. */
export function isObservation(text: string): boolean {
  return (
    RETURN_CODE.test(text) || text.startsWith(EXCEPTION) || text.startsWith("Observation: ") || TIMED_OUT.test(text)
  );
}

/**
 * Reads an observation from the text that the agent was shown: `<returncode>` and `<output>`, the head and tail of a long
 * output, or a time-out. What has none of these shapes is the output itself.
 */
export function readObservation(shown: string): Observation {
  if (TIMED_OUT.test(shown)) return { text: shown, exitCode: null, isError: true, isCut: false };
  if (shown.startsWith("Observation: ")) {
    const text = shown.slice("Observation: ".length);
    const code = /'returncode': (-?\d{1,9})\b/.exec(text.slice(-400))?.[1];
    return { text, ...outcomeOf(code === undefined ? null : Number(code), ""), isCut: false };
  }
  const exception = shown.startsWith(EXCEPTION) ? (textBetween(shown, EXCEPTION, "</exception>") ?? "") : "";
  const behind = exception === "" ? shown : shown.slice(EXCEPTION.length + exception.length + "</exception>".length);
  const code = RETURN_CODE.exec(behind.trimStart());
  const rest = code === null ? behind : behind.trimStart().slice(code[0].length);
  const outcome = outcomeOf(code === null ? null : Number(code[1]), exception);
  const inner = innerOutput(rest);
  const isCut = inner === null && rest.includes("<elided_chars>");
  return { text: withException(inner ?? rest, exception), ...outcome, isCut };
}

/** An exit code of 0 says that it went well; another one says so itself, and may be a search that found nothing. */
export function outcomeOf(exitCode: number | null, exception: string): Pick<Observation, "exitCode" | "isError"> {
  return { exitCode, isError: exception !== "" ? true : exitCode === 0 ? false : null };
}

/** An output with what the harness says about a command that it could not run or had to stop. */
export function withException(output: string, exception: string): string {
  if (exception === "") return output;
  return output === "" || output.endsWith("\n") ? output + exception : `${output}\n${exception}`;
}

/** What stands between the tags of an output that was not cut; the output itself may hold such tags. */
function innerOutput(text: string): string | null {
  const trimmed = text.trimEnd();
  if (!trimmed.startsWith("<output>") || !trimmed.endsWith("</output>")) return null;
  return trimmed.slice("<output>".length, -"</output>".length).replace(/^\n/, "");
}

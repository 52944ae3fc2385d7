import { type JsonValue, member, stringMember } from "../../safe-json";

/** How much of either end of a text is looked at. */
const LOOKED_AT = 4_000;
const CUT = /<response clipped>|\[\.\.\. (?:Observation|Command output) truncated\b/;

/** Whether the source itself cut a text before it was recorded: in the middle, or at the end. */
export function isCutText(text: string): boolean {
  if (text.length <= 2 * LOOKED_AT) return CUT.test(text);
  // The mark of a cut middle stands anywhere: a plain search is cheap, a pattern over all of it is not.
  return (
    text.includes("<response clipped>") ||
    text.includes("[... Observation truncated") ||
    text.includes("[... Command output truncated")
  );
}

/** What a shell says beside its output. */
export interface ShellOutcome {
  exitCode: number | null;
  /** Where the shell stands afterwards; null when that is not told. */
  directory: string | null;
  /** What the tool tells the agent around the output, but for the plain statement of the exit code. */
  before: string;
  after: string;
}

const PLAIN_END = /^\s*\[(?:The command completed|Command finished) with exit code -?\d+\.?\]\s*$/;

/** Reads the `metadata` of a command's output, and the exit code that older versions keep beside it. -1 means unknown. */
export function shellOutcome(record: JsonValue | undefined): ShellOutcome {
  const metadata = member(record, "metadata");
  const codes = [member(record, "exit_code"), member(metadata, "exit_code")];
  const exitCode = codes.find((code) => typeof code === "number" && Number.isSafeInteger(code) && code !== -1);
  const directory = stringMember(metadata, "working_dir");
  const suffix = stringMember(metadata, "suffix") ?? "";
  return {
    exitCode: typeof exitCode === "number" ? exitCode : null,
    directory: directory?.startsWith("/") ? directory : null,
    before: stringMember(metadata, "prefix") ?? "",
    after: PLAIN_END.test(suffix) ? "" : suffix,
  };
}

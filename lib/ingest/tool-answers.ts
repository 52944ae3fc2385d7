import type { CallItem, ReadFile } from "@/lib/trajectory/schema";
import { isCut, saysFailed } from "./editor-answers";
import { fileViews } from "./editor-views";
import { isShellName } from "./tool-kinds";

/** What an answer says beside its text. */
export interface Answer {
  text: string;
  isError: boolean | null;
  exitCode: number | null;
  isCut: boolean;
  /** Where the shell stands afterwards; null when that is not told. */
  directory: string | null;
  reads: ReadFile[];
}

/** How much of the end of an answer is looked at. */
const LOOKED_AT = 1_000;
const PREFIX = /^OBSERVATION:[ \t]*\r?\n?/;
const EXIT =
  /\[(?:The command completed|Command finished) with exit code (-?\d{1,5})\.?\]\s*$|^exit code:? (-?\d{1,5})\s*$/im;
const MAY_BE_EXIT = /exit code/i;
const FOLDER = /^\[Current working directory: ([^\]\n]{1,500})\]\s*$/m;
const FOLDER_WORDS = "[Current working directory: ";
const CUT = /<response clipped>|\[\.{3} Observation truncated|observation truncated\b/i;

/** True for a text that says of itself that it answers a command. */
export function isObservation(text: string): boolean {
  return PREFIX.test(text) || /^EXECUTION RESULT of \[/.test(text);
}

/** Reads an answer to a call; null stands for a call that the trace does not hold. */
export function readAnswer(given: string, call: CallItem | null): Answer {
  const text = given.startsWith("OBSERVATION:") ? given.replace(PREFIX, "") : given;
  const tail = text.slice(-LOOKED_AT);
  const code = MAY_BE_EXIT.test(tail) ? EXIT.exec(tail) : null;
  const stated = code === null ? null : Number(code[1] ?? code[2]);
  // -1 stands for a command that is still running.
  const exitCode = stated === -1 ? null : stated;
  const folder = tail.includes(FOLDER_WORDS) ? FOLDER.exec(tail)?.[1] : undefined;
  const told = exitCode === null ? (call !== null && isShellName(call.tool) ? null : saysFailed(text)) : exitCode !== 0;
  const path = call?.arguments?.path;
  const range = call?.arguments?.view_range;
  const isWhole = call?.arguments?.command === "view" && (range === undefined || range === null);
  return {
    text,
    isError: told,
    exitCode,
    isCut: isCut(text) || CUT.test(tail) || (text.length > LOOKED_AT && CUT.test(text.slice(0, LOOKED_AT))),
    directory: folder?.startsWith("/") ? folder : null,
    reads: typeof path === "string" && told !== true ? fileViews(text, null, { path, isWhole }) : [],
  };
}

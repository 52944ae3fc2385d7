import type { RawSpan, RecordedFile, Turn } from "@/lib/trajectory/schema";
import type { CodeBlock, CodeOutcome } from "./code-blocks";
import { AGENT, type EntryWriter, plainResult } from "./entries";
import { shellCallKind } from "./shell-kind";
import { shellReads } from "./shell-reads";

/** Blocks of code in an agent's message that somebody else may run. */
export interface WaitingCode {
  turn: Turn;
  blocks: readonly CodeBlock[];
  raw: RawSpan[];
}

const SHELLS = new Set(["bash", "sh", "shell"]);
const SAVED = new Set([...SHELLS, "python", "py", "python3", "pwsh", "powershell", "ps1"]);

/**
 * Adds what an executor did to the turn whose message holds the code: one call a block, and its message as the result of
 * the last one. An executor goes from block to block and stops at the first that fails, so an exit code of 0 speaks for
 * all of them; of a failure it is not told whose it was. A block that names its file was saved under that name first.
 * @param executor the name of who ran it, as the trace gives it
 */
export function addCodeRun(
  writer: EntryWriter,
  waiting: WaitingCode,
  outcome: CodeOutcome,
  executor: string | null,
  raw: RawSpan[],
): void {
  const { turn, blocks } = waiting;
  // Each block is a process of its own, in the folder of the executor.
  turn.state ??= { when: "before", workingDirectory: null, openFile: null, cumulativeDiff: null, freshShell: true };
  const calls = blocks.map((block) => writer.addItem(turn, callOf(block, waiting.raw)));
  const succeeded = outcome.exitCode === 0;
  const isError = outcome.exitCode === null ? null : !succeeded;
  const author = { role: "tool" as const, name: executor };
  const saved = blocks.map((block, n) => savedFile(block, outcome, succeeded || n === 0));
  const last = calls.length - 1;
  for (const [n, call] of calls.entries()) {
    if (n !== last && !succeeded) continue;
    const own = succeeded ? [saved[n]] : saved;
    const recorded = own.filter((file): file is RecordedFile => file != null);
    const base = { author, callItem: call.id, isError, exitCode: outcome.exitCode, recorded };
    const isShown = n === last;
    const reads = isShown && calls.length === 1 ? readsOf(blocks[0], outcome) : [];
    writer.addItem(turn, plainResult(isShown ? outcome.output : "", raw, { ...base, reads }));
  }
}

function callOf({ language, code }: CodeBlock, raw: RawSpan[]): Parameters<EntryWriter["addItem"]>[1] {
  const tool = language === "" ? inferredLanguage(code) : language;
  const base = { kind: "call" as const, author: AGENT, raw, callId: null, tool };
  if (SHELLS.has(tool)) return { ...base, callKind: shellCallKind(code), arguments: null, text: code };
  // Code of another language must not be read as a shell's command line.
  return { ...base, callKind: "execute", arguments: { code }, text: null };
}

/** AutoGen takes a block without a language for a command line when it starts as one. */
function inferredLanguage(code: string): string {
  return /^(?:python3? |pip)/.test(code) ? "sh" : "code";
}

/** Executors make these lines quiet before they save a file, so that its text is not the block's. */
const CHANGED_BEFORE_SAVING = /^[ \t]*(?:![ \t]*)?pip3?[ \t]+install\b/m;

/** @param isCertain whether this block was reached */
function savedFile(block: CodeBlock, outcome: CodeOutcome, isCertain: boolean): RecordedFile | null {
  const { fileName, code, language } = block;
  if (fileName === null || outcome.output.includes("Filename is not in the workspace")) return null;
  if (language !== "" && !SAVED.has(language) && outcome.exitCode !== 0) return null;
  const isChanged = code.includes("pip") && CHANGED_BEFORE_SAVING.test(code);
  const after = isCertain && !isChanged ? code : null;
  return { path: fileName, before: null, after, existedBefore: null, patch: null, byPerson: false };
}

/** A blank line at the beginning may be the executor's own, and then the output is not what the command printed. */
function readsOf(block: CodeBlock | undefined, outcome: CodeOutcome): ReturnType<typeof shellReads> {
  const isShell = block !== undefined && SHELLS.has(block.language);
  return isShell && outcome.exitCode === 0 && !outcome.output.startsWith("\n")
    ? shellReads(block.code, outcome.output)
    : [];
}

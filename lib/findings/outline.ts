import type { Write } from "@/lib/artefact/model";
import { commandLineOf } from "@/lib/investigator/command-line";
import { fileName } from "@/lib/investigator/paths";
import { testRunsOf } from "@/lib/investigator/test-runs";
import type { CallItem, Turn } from "@/lib/trajectory/schema";
import { type Activity, activityOf, hasFailedResult, turnSizeChars } from "./activity";
import { oneLine } from "./one-line";

/** Longest title in characters; the outline shows about 28 of them and the rest on hover. */
export const TITLE_MAX_CHARS = 80;
const NAME_MAX_CHARS = 48;

export interface TurnOutline {
  title: string;
  activity: Activity;
  hasError: boolean;
  sizeChars: number;
}

/**
 * One line that says what a turn does, in the words of its main act: "Writes reproduce.py", "Edits sessions.py +8 −2",
 * "Edit refused, syntax", "Runs pytest tests/x", "Reads models.py 40–97", "Searches same_host", "Submits".
 * `writes` are the writes of this turn. Text of the trace is made harmless by `oneLine`.
 */
export function outlineTurn(turn: Turn, writes: Write[]): TurnOutline {
  const activity = activityOf(turn, writes);
  const title = oneLine(titleOf(turn, writes, activity), TITLE_MAX_CHARS);
  return {
    title: title === "" ? "Says nothing" : title,
    activity,
    hasError: hasFailedResult(turn) || writes.some((write) => write.status === "refused"),
    sizeChars: turnSizeChars(turn),
  };
}

const PLAN_TOOL = /^(?:todo_?write|todo_?read|update_plan|update_todos?|set_plan|plan)$/i;

function titleOf(turn: Turn, writes: Write[], activity: Activity): string {
  const calls = turn.items.filter((item): item is CallItem => item.kind === "call");
  switch (activity) {
    case "submit":
      return "Submits";
    case "write":
      return writeTitle(writes, calls);
    case "test":
    case "execute": {
      const testCall = testRunsOf(turn)[0]?.call;
      const call = calls.find((c) => c.id === testCall) ?? calls.find((c) => c.callKind === "execute");
      return `Runs ${commandTitle(call)}`;
    }
    case "delegate":
      return `Delegates ${subjectOf(
        calls.find((c) => c.callKind === "delegate"),
        DELEGATE_KEYS,
      )}`.trimEnd();
    case "search":
      return searchTitle(calls.filter((c) => c.callKind === "search"));
    case "read":
      return readTitle(
        calls.filter((c) => c.callKind === "read"),
        turn,
      );
    case "think":
      return thinkTitle(turn);
    case "other":
      return calls[0] === undefined
        ? "Acts"
        : PLAN_TOOL.test(calls[0].tool)
          ? "Updates its plan"
          : `Calls ${calls[0].tool}`;
  }
}

function writeTitle(writes: Write[], calls: CallItem[]): string {
  const effective = writes.filter((write) => write.status !== "refused" && write.status !== "opaque");
  const first = effective[0];
  if (first === undefined) {
    const refused = writes.find((write) => write.status === "refused");
    if (refused !== undefined) return refusedTitle(refused);
    const opaque = writes[0];
    if (opaque !== undefined) return `May change ${name(opaque.path)}`;
    const call = calls.find((candidate) => candidate.callKind === "write");
    const subject = subjectOf(call, PATH_KEYS);
    // A command that makes a folder or copies something: no write of a file that is followed, so its own words.
    return subject === "" ? `Runs ${commandTitle(call)}` : `Writes ${subject}`;
  }
  const paths = new Set(effective.map((write) => write.path));
  const more = paths.size > 1 ? ` and ${paths.size - 1} more` : "";
  const ofFirst = effective.filter((write) => write.path === first.path);
  // A redirection into a file that nothing has shown before is a new file as far as anyone can tell.
  if (first.operation === "create" || (first.operation === "overwrite" && first.versionBefore === null))
    return `Writes ${name(first.path)}${more}`;
  if (first.operation === "delete") return `Deletes ${name(first.path)}${more}`;
  if (first.operation === "move") return `Moves ${name(first.path)}${more}`;
  const verb = first.operation === "overwrite" ? "Overwrites" : "Edits";
  return `${verb} ${name(first.path)}${counts(ofFirst)}${more}`;
}

function counts(writes: Write[]): string {
  if (writes.some((write) => write.addedLines === null || write.removedLines === null)) return "";
  const added = writes.reduce((sum, write) => sum + (write.addedLines ?? 0), 0);
  const removed = writes.reduce((sum, write) => sum + (write.removedLines ?? 0), 0);
  return added + removed === 0 ? "" : ` +${added} −${removed}`;
}

function refusedTitle(write: Write): string {
  const reason = (write.reason ?? "").toLowerCase();
  const why = reason.includes("syntax")
    ? ", syntax"
    : reason.includes("exist")
      ? ", file exists"
      : reason.includes("multiple") || reason.includes("unique") || reason.includes("occurrence")
        ? ", text not unique"
        : reason.includes("did not appear") || reason.includes("not found") || reason.includes("no replacement")
          ? ", text not found"
          : "";
  // Without a known reason the file says more than nothing.
  return why === "" && name(write.path) !== "" ? `Edit refused, ${name(write.path)}` : `Edit refused${why}`;
}

/** `cd` in front and `2>&1` behind say nothing about what a command is for. */
function commandTitle(call: CallItem | undefined): string {
  if (call === undefined) return "a command";
  const line = (commandLineOf(call) ?? call.text ?? call.tool).trim();
  const first = line.slice(0, 2_000).replace(/^cd [^\s&;|]+ *(?:&&|;) */, "");
  const shown = first.split("\n", 1)[0] ?? "";
  return shown.replace(/^(?:python[\d.]* -m )(?=(?:pytest|unittest)\b)/, "").replace(/ +2>&1(?= |$)/, "");
}

const PATH_KEYS = ["path", "file_path", "filePath", "filename", "file", "notebook_path"];
const QUERY_KEYS = ["pattern", "query", "search_term", "regex", "q", "url"];
const DELEGATE_KEYS = ["description", "agent", "subagent_type", "task", "prompt"];

function subjectOf(call: CallItem | undefined, keys: string[]): string {
  if (call?.arguments == null) return "";
  for (const key of keys) {
    const value = Object.hasOwn(call.arguments, key) ? call.arguments[key] : undefined;
    if (typeof value === "string" && value !== "") return PATH_KEYS.includes(key) ? name(value) : value.slice(0, 200);
  }
  return "";
}

function searchTitle(calls: CallItem[]): string {
  const call = calls[0];
  if (call === undefined) return "Searches";
  const query = subjectOf(call, QUERY_KEYS);
  if (query !== "") return `Searches ${query}`;
  const line = (commandLineOf(call) ?? "").split("\n", 1)[0] ?? "";
  const word = searchedWord(line);
  return word === null ? `Searches ${line}`.trimEnd() : `Searches ${word}`;
}

/** The pattern of a `grep`, `rg`, `search_dir`, `search_file` or `find` command line: its first word that is no option. */
function searchedWord(line: string): string | null {
  const words =
    line
      .slice(0, 500)
      .replace(/^cd [^\s&;|]+ *(?:&&|;) */, "")
      .match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  if (!/^(?:e?grep|rg|ag|git|search_dir|search_file|search_repo|find_file|find)$/.test(words[0] ?? "")) return null;
  if (words[0] === "find") {
    const at = words.findIndex((word) => /^-i?(?:name|path|regex)$/.test(word));
    return at === -1 ? null : unquoted(words[at + 1]);
  }
  const rest = words.slice(words[0] === "git" ? 2 : 1).filter((word) => !word.startsWith("-"));
  return unquoted(rest[0]);
}

function unquoted(word: string | undefined): string | null {
  if (word === undefined) return null;
  return /^(["']).*\1$/.test(word) ? word.slice(1, -1) : word;
}

function readTitle(calls: CallItem[], turn: Turn): string {
  const call = calls[0];
  if (call === undefined) return "Reads";
  const more = calls.length > 1 ? ` and ${calls.length - 1} more` : "";
  const path = subjectOf(call, PATH_KEYS);
  const result = turn.items.find((item) => item.kind === "result" && item.callItem === call.id);
  const read = result?.kind === "result" ? result.reads[0] : undefined;
  if (read !== undefined) {
    const lines = read.text === "" ? 0 : read.text.split("\n").length - (read.text.endsWith("\n") ? 1 : 0);
    const range = read.whole || lines === 0 ? "" : ` ${read.startLine}–${read.startLine + lines - 1}`;
    return `Reads ${name(read.path)}${range}${more}`;
  }
  if (path !== "") return `Reads ${path}${rangeOf(call)}${more}`;
  const command = commandTitle(call);
  const subject = readCommandSubject(command);
  return `${subject === null ? `Runs ${command}` : `Reads ${subject}`}${more}`;
}

/** What a command reads: `tail -n 8 a.py && ls` reads `a.py`. Null for a command that names nothing (`ls -la`). */
function readCommandSubject(command: string): string | null {
  const lines = /^sed +-n +(["']?)(\d+)(?:, *(\d+|\$))?p\1 +(["']?)([^\s"';&|<>]+)\4 *(?:$|[;&|])/.exec(command);
  if (lines) {
    const [, , from, to, , path = ""] = lines;
    return `${name(path)} ${to === undefined ? from : to === "$" ? `from ${from}` : `${from}–${to}`}`;
  }
  const words = (command.split(/&&|\|\||[;|<>]/, 1)[0] ?? "").trim().split(/ +/).slice(1);
  const named = words.filter(
    (word, i) => !word.startsWith("-") && !(words[i - 1]?.startsWith("-") && /^\d+$/.test(word)),
  );
  if (named[0] === undefined) return null;
  return named.length === 1
    ? name(unquoted(named[0]) ?? named[0])
    : named.map((word) => unquoted(word) ?? word).join(" ");
}

function rangeOf(call: CallItem): string {
  const range =
    call.arguments !== null && Object.hasOwn(call.arguments, "view_range") ? call.arguments.view_range : null;
  if (!Array.isArray(range) || typeof range[0] !== "number" || typeof range[1] !== "number") return "";
  return range[1] === -1 ? ` from ${range[0]}` : ` ${range[0]}–${range[1]}`;
}

function thinkTitle(turn: Turn): string {
  const said = turn.items.find((item) => item.kind !== "result" && item.kind !== "call" && item.text.trim() !== "");
  if (said === undefined || said.kind === "call" || said.kind === "result") return "Thinks";
  if (said.kind === "opaque") return "Not understood";
  const words = oneLine(said.text.trimStart().slice(0, 1_000), TITLE_MAX_CHARS - 8);
  const verbs = {
    plan: "Plans",
    handoff: "Hands over",
    review: "Reviews",
    message: "Says",
    thought: "Thinks",
    call: "Calls",
  };
  return words === "" ? "Thinks" : `${verbs[said.kind]}: ${words}`;
}

function name(path: string): string {
  return oneLine(fileName(path), NAME_MAX_CHARS);
}

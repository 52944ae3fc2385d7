import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import { shellWords } from "@/lib/trajectory/shell-words";
import { CallArguments } from "./call-arguments";
import { type Attempt, judgeAnswer, type LineWindow } from "./effect";
import { cursorsIn, windowSnippet } from "./snippets";

const SUCCESS =
  /File updated\. Please review|Text replaced\. Please review|Replaced \d+ occurrences\. Please review|^\[File: /m;
const FAILURE =
  /Your proposed edit has introduced new syntax error|Your edit was not applied|have NOT been applied|No file open|Usage: edit|Error: |not found in displayed lines|No changes were made|Search text must not be empty|Warning: File .* already exists|File .* not found|command not found/;

/** What SWE-agent's editor has open: it lives from command to command, so a call is read with it. */
export interface EditorState {
  openFile: string | null;
  window: LineWindow | null;
  cursors: LineWindow | null;
}

const COMMANDS = new Set(["open", "create", "edit", "insert", "set_cursors", "goto", "scroll_up", "scroll_down"]);

/** Whether a call is a command of SWE-agent's windowed editor (formats.md, W2). */
export function isWindowedCall(call: CallItem): boolean {
  return COMMANDS.has(call.tool) && (call.text !== null || call.arguments !== null) && !hasPathArgument(call);
}

/** Structured tools named `edit`, `insert` or `create` with a path (and content) of their own are another grammar. */
function hasPathArgument(call: CallItem): boolean {
  const given = new CallArguments(call);
  if (call.tool === "create") return given.has("content") || given.has("file_text");
  return ["edit", "insert"].includes(call.tool) && given.text("file_path", "filePath", "path") !== null;
}

/** The writes of a windowed editor's command. The open file is the one that the state names before the command. */
export function readWindowed(call: CallItem, result: ResultItem | null, editor: EditorState): Attempt[] {
  const { status, reason } = judgeAnswer(result, SUCCESS, FAILURE);
  const line = commandLine(call);
  const base = { grammar: "W2" as const, status, reason };
  if (call.tool === "create") {
    const path = new CallArguments(call).text("filename", "path") ?? line.words[1] ?? null;
    if (path === null) return [];
    const effect = { kind: "write" as const, text: "\n", mustBeNew: false };
    return [{ ...base, path, operation: "create", effect, fragment: { before: null, after: "\n", startLine: 1 } }];
  }
  const path = editor.openFile;
  if (path === null || (call.tool !== "edit" && call.tool !== "insert")) return [];
  if (call.tool === "insert") return insertion(call, line, { ...base, path });
  return edition(call, line, editor, { ...base, path });
}

type Base = Pick<Attempt, "path" | "grammar" | "status" | "reason">;

function insertion(call: CallItem, line: CommandLine, base: Base): Attempt[] {
  const given = new CallArguments(call);
  const text = given.text("text") ?? line.words[1] ?? null;
  if (text === null) return [];
  const words = given.has("text") ? null : line.words[2];
  const after = given.whole("line") ?? (words != null && /^\d+$/.test(words) ? Number(words) : null);
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const effect = { kind: "insert" as const, after, text: body, tabs: false };
  const startLine = after === null ? null : after + 1;
  return [{ ...base, operation: "edit", effect, fragment: { before: null, after: text, startLine } }];
}

function edition(call: CallItem, line: CommandLine, editor: EditorState, base: Base): Attempt[] {
  const given = new CallArguments(call);
  const range = lineRange(given, line);
  if (range !== null) return [byLines(range, editedText(given, line), base)];
  const search = given.text("search");
  const replace = given.text("replace");
  if (search !== null && replace !== null) {
    return [bySearch(search, replace, replacesAll(given.text("replace-all", "replace_all"), given), editor, base)];
  }
  if (line.body !== null && line.words.length === 1) {
    const cursors = editor.cursors;
    if (cursors === null) return [{ ...base, ...hidden("it is not told where the editor's cursors were") }];
    return [byLines({ from: cursors.from, to: cursors.to }, line.body, base)];
  }
  const [, before, after, all] = line.words;
  if (before === undefined || after === undefined) return [];
  // The tool takes any third word, also `False`, as a yes.
  return [bySearch(before, after, all !== undefined && all !== "", editor, base)];
}

function replacesAll(text: string | null, given: CallArguments): boolean {
  return given.flag("replace-all", "replace_all") || (text !== null && text !== "");
}

function hidden(reason: string): Pick<Attempt, "operation" | "effect" | "status" | "reason" | "fragment"> {
  return { operation: "opaque", effect: { kind: "opaque" }, status: "opaque", reason, fragment: null };
}

function byLines(range: LineWindow, text: string, base: Base): Attempt {
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const lines = text === "" ? [] : body.split("\n").map((one) => `${one}\n`);
  const effect = { kind: "lines" as const, from: Math.max(1, range.from), to: range.to, lines };
  return { ...base, operation: "edit", effect, fragment: { before: null, after: text, startLine: effect.from } };
}

function bySearch(before: string, after: string, all: boolean, editor: EditorState, base: Base): Attempt {
  const edits = [{ before, after, all }];
  const effect = { kind: "replace" as const, edits, tabs: false, dropsLineEnd: false, window: editor.window };
  return { ...base, operation: "edit", effect, fragment: { before, after, startLine: null } };
}

function lineRange(given: CallArguments, line: CommandLine): LineWindow | null {
  const start = given.whole("start_line", "start");
  const end = given.whole("end_line", "end");
  if (start !== null && end !== null) return { from: start, to: end };
  const word = given.text("line_range") ?? line.words[1] ?? "";
  const match = /^(\d{1,9}):(\d{1,9})$/.exec(word);
  return match === null ? null : { from: Number(match[1]), to: Number(match[2]) };
}

function editedText(given: CallArguments, line: CommandLine): string {
  return given.text("replacement_text", "text") ?? line.body ?? line.words[2] ?? "";
}

interface CommandLine {
  words: string[];
  /** The lines between the first one and `end_of_edit`, without the last line end; null when there is no such block. */
  body: string | null;
}

function commandLine(call: CallItem): CommandLine {
  const text = (call.text ?? "").replaceAll("\r\n", "\n");
  const block = /^([^\n]*)\n([\s\S]*?)\n?end_of_edit\s*$/.exec(text);
  if (block !== null && call.tool === "edit") {
    return { words: shellWords(block[1] ?? "") ?? [], body: block[2] ?? "" };
  }
  return { words: shellWords(text) ?? text.trim().split(/\s+/), body: null };
}

/** The editor's state after a command, from the command, its answer, and what the turn's state says. */
export function nextEditorState(call: CallItem, result: ResultItem | null, before: EditorState): EditorState {
  if (result === null) return before;
  const refused = /have NOT been applied|has introduced new syntax error/.test(result.text);
  const shown = refused ? null : windowSnippet(result.text);
  const range = shown?.ranges[0];
  const window =
    range === undefined ? before.window : { from: range.startLine, to: range.startLine + range.lines.length - 1 };
  const openFile = shown?.path ?? before.openFile;
  const set = call.tool === "set_cursors" ? commandLine(call).words : [];
  const from = new CallArguments(call).whole("start_line") ?? Number(set[1]);
  const to = new CallArguments(call).whole("end_line") ?? Number(set[2]);
  const chosen = Number.isInteger(from) && Number.isInteger(to) ? { from, to } : null;
  const cursors = refused ? before.cursors : (cursorsIn(result.text) ?? chosen ?? before.cursors);
  return { openFile, window, cursors };
}

import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import type { HeldFile } from "../../source";
import { jsonOf } from "./folder";

/** A search that the agent asked for, as the program understood it. */
export interface SearchCall {
  name: string;
  arguments: JsonObject;
  /** Whether it could be run; null when the trace does not say. */
  isOk: boolean | null;
}

/** The calls of each round of questions, from `tool_call_layers.json`; none when the file is not there. */
export function callLayers(file: HeldFile | null): SearchCall[][] {
  if (file === null) return [];
  const { value } = jsonOf(file);
  return Array.isArray(value) ? value.map((layer) => (Array.isArray(layer) ? layer.flatMap(callOf) : [])) : [];
}

function callOf(value: JsonValue): SearchCall[] {
  const name = stringMember(value, "func_name");
  if (name === null) return [];
  const given = member(value, "arguments");
  const isOk = member(value, "call_ok");
  return [{ name, arguments: isObject(given) ? given : {}, isOk: typeof isOk === "boolean" ? isOk : null }];
}

const RESULT_HEAD = /^Result of [\w.]{1,100}\(/gm;

/** The results of several calls that one message holds, in their order; the message as one when it does not tell them apart. */
export function resultsIn(text: string): string[] {
  const starts = [...text.matchAll(RESULT_HEAD)].map((match) => match.index);
  if (starts.length === 0) return [text];
  return starts.map((start, n) => text.slice(n === 0 ? 0 : start, starts[n + 1]).trimEnd());
}

/** Whether a message answers searches: the head of a result, or the code at the places that the agent named. */
export function isSearchAnswer(text: string): boolean {
  return text.startsWith("Result of ") || text.startsWith("Here are the code in buggy locations");
}

/** An edit of a patch as the agent writes it. */
export interface PatchEdit {
  file: string;
  original: string;
  patched: string;
}

/** The edits in a message: a file, the code that is there, and the code for it, each between its tags. */
export function editsIn(text: string): PatchEdit[] {
  const edits: PatchEdit[] = [];
  let at = 0;
  for (;;) {
    const file = between(text, "file", at);
    const original = file && between(text, "original", file.end);
    const patched = original && between(text, "patched", original.end);
    if (!file || !original || !patched) return edits;
    edits.push({ file: file.text.trim(), original: original.text, patched: patched.text });
    at = patched.end;
  }
}

function between(text: string, tag: string, from: number): { text: string; end: number } | null {
  const start = text.indexOf(`<${tag}>`, from);
  const end = start === -1 ? -1 : text.indexOf(`</${tag}>`, start);
  if (end === -1) return null;
  return { text: text.slice(start + tag.length + 2, end), end: end + tag.length + 3 };
}

/** How each attempt at a patch came out, in the program's words, from `extract_status.json`. */
export function patchStatuses(file: HeldFile | null): string[] {
  if (file === null) return [];
  return listMember(jsonOf(file).value, "extract_status").flatMap((one) => (typeof one === "string" ? [one] : []));
}

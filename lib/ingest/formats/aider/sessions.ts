import type { Content } from "../../content";
import { NoteBook } from "../../notes";
import type { Part } from "../../parts";
import type { TextLine } from "../../text-lines";
import { Fences, startTime } from "./fences";
import { isBlank, readLines } from "./text-lines";

/** The lines with which sessions start, by their place (0-based). Those inside a fence of an older history are none. */
export function sessionStarts(lines: readonly TextLine[]): { line: number; time: string }[] {
  const fences = new Fences(lines);
  const starts: { line: number; time: string }[] = [];
  for (let n = 0; n < lines.length; n++) {
    const text = lines[n]?.text ?? "";
    const time = text.startsWith("# ") ? startTime(text) : null;
    if (time !== null && (n === 0 || isBlank(lines[n - 1]))) starts.push({ line: n, time });
    else if (text.startsWith("```")) n = fences.closeOf(n, starts.at(-1)?.time ?? null) ?? n;
  }
  return starts;
}

/** The sessions of a chat history, and what stands before the first of them; empty for any other content. */
export function splitAider(content: Content): Part[] {
  if (content.kind !== "text") return [];
  const { bytes } = content.source;
  const lines = readLines(bytes, new NoteBook());
  const starts = sessionStarts(lines);
  const parts: Part[] = starts.map(({ line, time }, n) => ({
    key: `session-${n + 1}`,
    name: time,
    range: {
      start: lines[line]?.start ?? 0,
      end: lines[starts[n + 1]?.line ?? -1]?.start ?? bytes.length,
      line: line + 1,
      pointer: "",
    },
  }));
  const first = starts[0]?.line ?? 0;
  const before = lines.findIndex((line, n) => n < first && !isBlank(line));
  if (before === -1) return parts;
  const range = { start: lines[before]?.start ?? 0, end: lines[first]?.start ?? 0, line: before + 1, pointer: "" };
  return [{ key: "before", name: "before the first start", range }, ...parts];
}

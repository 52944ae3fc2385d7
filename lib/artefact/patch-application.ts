import type { Applied, NotApplied } from "./effect";
import { spliced, wholeChange } from "./effect-application";
import { partialContent, spliceText, wholeContent } from "./known-content";
import { diffLines } from "./line-diff";
import { LineSearch } from "./line-search";
import { splitLines } from "./lines";
import type { KnownContent, KnownRange, Splice } from "./model";
import { patchPartial } from "./patch-gaps";
import type { PatchChunk } from "./patch-grammar";

/** Lines of the old text that others take the place of. */
interface Replacement {
  at: number;
  remove: number;
  insert: readonly string[];
}

/** How a version of the tool takes a text apart and puts it together again. */
interface Assembly {
  /** The lines without endings, in which places are looked for. */
  lines: readonly string[];
  join(replacements: readonly Replacement[]): string;
}

/**
 * Applies the chunks of a patch as `apply_patch` does: each is looked for after the one before it. The tool's versions
 * differ in the endings of files with CRLF and in an empty last line: where the results differ, only what they share is
 * known. Of a file that is known in part, what cannot be told is left out.
 */
export function applyChunks(content: KnownContent, chunks: readonly PatchChunk[]): Applied | NotApplied {
  if (content.kind === "absent") return { ok: false, contradicts: true, reason: "the file does not exist" };
  if (content.kind !== "whole") return patchPartial(content, chunks);
  const { text } = content;
  const kept = keepingEndings(text);
  const found = placesOf(kept.lines, chunks);
  if (typeof found === "string") return refusedByBoth(text, chunks, found);
  const result = kept.join(found);
  if (!text.includes("\r\n") && !result.endsWith("\n\n") && result !== "\n") return applied(text, result, found);
  const other = withLineFeeds(text);
  const places = placesOf(other.lines, chunks);
  if (typeof places === "string") return unfollowed();
  const second = other.join(places);
  return second === result ? applied(text, result, found) : shared(result, second);
}

function refusedByBoth(text: string, chunks: readonly PatchChunk[], reason: string): NotApplied {
  const isRefused = !text.includes("\r\n") || typeof placesOf(withLineFeeds(text).lines, chunks) === "string";
  return isRefused && reason !== OVERLAP ? { ok: false, contradicts: true, reason } : unfollowed();
}

function unfollowed(): NotApplied {
  return {
    ok: false,
    contradicts: false,
    reason: "what the patch makes of this file differs between versions of the tool",
  };
}

const OVERLAP = "places of the patch overlap";

/** Where the chunks apply, in the order of the lines; the reason when one of them fits nowhere. */
function placesOf(lines: readonly string[], chunks: readonly PatchChunk[]): Replacement[] | string {
  const search = new LineSearch(lines);
  const found: Replacement[] = [];
  let from = 0;
  for (const chunk of chunks) {
    for (const context of chunk.contexts) {
      const place = search.find([context], from);
      if (place === null) return `the context '${context.slice(0, 200)}' is not in the file`;
      from = place + 1;
    }
    if (chunk.before.length === 0) {
      // Lines without a place come at the end, before an empty line that stands there.
      const at = lines.at(-1) === "" ? lines.length - 1 : lines.length;
      found.push({ at, remove: 0, insert: chunk.after });
      continue;
    }
    const place = placeOf(search, chunk, from);
    if (place === null)
      return `the lines that the patch expects are not in the file: '${(chunk.before[0] ?? "").slice(0, 200)}'`;
    found.push(place);
    from = place.at + place.remove;
  }
  found.sort((left, right) => left.at - right.at);
  const overlaps = found.some((one, n) => n > 0 && one.at < (found[n - 1]?.at ?? 0) + (found[n - 1]?.remove ?? 0));
  return overlaps ? OVERLAP : found;
}

/** An empty line at the end of a chunk may stand for the end of the file's last line: then it is tried without. */
function placeOf(search: LineSearch, chunk: PatchChunk, from: number): Replacement | null {
  const { before, after, atEnd } = chunk;
  const at = search.find(before, from, atEnd);
  if (at !== null) return { at, remove: before.length, insert: after };
  if (before.at(-1) !== "") return null;
  const shorter = before.slice(0, -1);
  const place = search.find(shorter, from, atEnd);
  if (place === null) return null;
  return { at: place, remove: shorter.length, insert: after.at(-1) === "" ? after.slice(0, -1) : after };
}

/** As versions do that keep each line's own ending: new lines end as the file's first line does. */
function keepingEndings(text: string): Assembly {
  const raw = splitLines(text);
  const ending = raw[0]?.endsWith("\r\n") === true ? "\r\n" : "\n";
  const bare = (line: string): string => line.replace(/\r?\n$/, "");
  return {
    lines: raw.map(bare),
    join: (replacements) => {
      const made = replaced(raw, replacements, (line) => line + ending);
      return made.map((line) => (line.endsWith("\n") ? line : line + ending)).join("");
    },
  };
}

/** As versions do that know line feeds only: what is before one belongs to the line, and the text ends with one. */
function withLineFeeds(text: string): Assembly {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return {
    lines,
    join: (replacements) => {
      const made = replaced(lines, replacements, (line) => line);
      return (made.at(-1) === "" ? made : [...made, ""]).join("\n");
    },
  };
}

function replaced(
  lines: readonly string[],
  replacements: readonly Replacement[],
  make: (line: string) => string,
): string[] {
  const made: string[] = [];
  let at = 0;
  for (const one of replacements) {
    for (; at < one.at; at += 1) made.push(lines[at] ?? "");
    for (const line of one.insert) made.push(make(line));
    at = one.at + one.remove;
  }
  for (; at < lines.length; at += 1) made.push(lines[at] ?? "");
  return made;
}

function applied(text: string, result: string, replacements: readonly Replacement[]): Applied {
  const before = wholeContent(text);
  const splices = splicesOf(splitLines(text), replacements);
  if (spliceText(text, splices) === result) return spliced(before, splices);
  // The end of the last line came with the patch.
  const after = wholeContent(result);
  return { ok: true, content: after, change: wholeChange(before, after), note: null };
}

/** The lines that really change: those that only tell the place stay. */
export function splicesOf(lines: readonly string[], replacements: readonly Replacement[]): Splice[] {
  return replacements.flatMap(({ at, remove, insert }) =>
    diffLines(
      lines.slice(at, at + remove),
      insert.map((line) => `${line}\n`),
      at,
    ),
  );
}

/** The lines that two texts share at the same numbers. */
function shared(left: string, right: string): Applied {
  const [one, other] = [splitLines(left), splitLines(right)];
  const isSameLength = one.length === other.length;
  const ranges: KnownRange[] = [];
  for (const [n, line] of one.entries()) {
    if (line === other[n]) ranges.push({ startLine: n + 1, lines: [line] });
    else if (!isSameLength) break;
  }
  const content = partialContent(ranges, isSameLength ? one.length : null);
  const note = "versions of the tool leave different ends of lines here; what they share is known";
  return { ok: true, content, change: null, note };
}

import { findLines, replaceBlock } from "./aider-replacement";
import type { Applied, Effect, NotApplied } from "./effect";
import { applyChange, rangesOf, totalAfter, totalLinesOf, UNKNOWN } from "./known-content";
import { diffLines } from "./line-diff";
import { countNewlines, splitLines } from "./lines";
import type { ContentChange, KnownContent } from "./model";

/**
 * Applies a block of aider's to what is known of a file. The first place counts, so that in a file with gaps only the lines
 * from its beginning to the first gap can hold it for certain.
 */
export function applyBlock(content: KnownContent, effect: Extract<Effect, { kind: "block" }>): Applied | NotApplied {
  if (content.kind === "absent") return { ok: false, contradicts: true, reason: "the file does not exist" };
  if (content.kind === "whole") {
    const outcome =
      effect.rule === "first" ? replaceBlock(content.text, effect.before, effect.after) : byHunk(content.text, effect);
    if (outcome.kind === "unclear") return { ok: false, contradicts: false, reason: outcome.reason };
    if (outcome.kind === "absent")
      return { ok: false, contradicts: true, reason: "the SEARCH lines are not in the file" };
    const change = {
      splices: diffLines(splitLines(content.text), splitLines(outcome.text)),
      learned: [],
      totalLines: null,
    };
    return { ok: true, content: applyChange(content, change), change, note: null };
  }
  const top = rangesOf(content)[0];
  const text = top?.startLine === 1 ? top.lines.join("") : "";
  const at = effect.rule === "first" && effect.before.endsWith("\n") ? findLines(text, effect.before) : -1;
  if (at === -1) {
    return { ok: true, content: UNKNOWN, change: null, note: "the edit took place in lines that are not known" };
  }
  const old = splitLines(effect.before);
  const splices = diffLines(old, splitLines(effect.after), countNewlines(text, 0, at));
  const change: ContentChange = { splices, learned: [], totalLines: totalAfter(totalLinesOf(content), splices) };
  return { ok: true, content: applyChange(content, change), change, note: null };
}

/** A hunk whose old side stands once in the file; aider looks for others in ways that cannot be followed. */
function byHunk(text: string, { before, after }: { before: string; after: string }): ReturnType<typeof replaceBlock> {
  const at = text.indexOf(before);
  if (at === -1) return { kind: "unclear", reason: "the lines of the hunk are not in the file as they stand" };
  if (text.indexOf(before, at + 1) !== -1) return { kind: "unclear", reason: "the hunk fits in more than one place" };
  return { kind: "replaced", text: text.slice(0, at) + after + text.slice(at + before.length) };
}

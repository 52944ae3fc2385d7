import { applyBlock } from "./block-application";
import { applyDiff } from "./diff-application";
import type { Applied, Effect, NotApplied, StringEdit } from "./effect";
import { editInGap, locateInSnippets } from "./gap-edit";
import { applyChange, knownLines, totalAfter, totalLinesOf, UNKNOWN, wholeContent } from "./known-content";
import { diffLines } from "./line-diff";
import { expandTabs, splitLines } from "./lines";
import type { ContentChange, KnownContent, KnownRange, Splice } from "./model";
import { replaceInKnown } from "./replacement";
import { scriptSplices } from "./sed-script";
import { applySkill, type SkillEdit } from "./skill-effect";

/**
 * Applies an effect to what is known of a file. Only known lines are read; nothing is concluded from a gap.
 * @param snippets lines of the new content that the tool's answer shows; they tell where an edit in a gap took place
 */
export function applyEffect(
  content: KnownContent,
  effect: Effect,
  snippets: readonly KnownRange[],
): Applied | NotApplied {
  switch (effect.kind) {
    case "write":
      return overwrite(content, effect.text, effect.mustBeNew);
    case "append":
      return appendText(content, effect.text);
    case "replace":
      return replaceAll(content, effect, snippets);
    case "lines":
      return replaceLines(content, effect.from, effect.to, effect.lines);
    case "insert":
      return insertText(effect.tabs ? withoutTabs(content) : content, effect.after, effect.text, effect.joins === true);
    case "skill":
      return bySkill(content, effect.edit);
    case "script": {
      const splices = scriptSplices(content, effect.commands);
      return splices === null ? unfollowed("the script reaches lines that are not known") : spliced(content, splices);
    }
    case "block":
      return applyBlock(content, effect);
    case "diff":
      return applyDiff(content, effect.hunks);
    case "delete":
      if (content.kind === "absent") return contradiction("the file does not exist");
      return { ok: true, content: { kind: "absent" }, change: null, note: null };
    case "touch":
      return content.kind === "absent"
        ? { ok: true, content: wholeContent(""), change: null, note: null }
        : { ok: true, content, change: { splices: [], learned: [], totalLines: totalLinesOf(content) }, note: null };
    default:
      return { ok: true, content: UNKNOWN, change: null, note: null };
  }
}

function contradiction(reason: string): NotApplied {
  return { ok: false, contradicts: true, reason };
}

function unfollowed(reason: string): NotApplied {
  return { ok: false, contradicts: false, reason };
}

/** A content after splices of known lines. */
export function spliced(content: KnownContent, splices: Splice[]): Applied {
  const totalLines = content.kind === "whole" ? null : totalAfter(totalLinesOf(content), splices);
  const change = { splices, learned: [], totalLines };
  return { ok: true, content: applyChange(content, change), change, note: null };
}

function overwrite(content: KnownContent, text: string, mustBeNew: boolean): Applied | NotApplied {
  if (mustBeNew && content.kind === "whole") return contradiction("the file exists already");
  const fresh = wholeContent(text);
  if (content.kind !== "whole") return { ok: true, content: fresh, change: null, note: null };
  const splices = diffLines(splitLines(content.text), splitLines(text));
  return { ok: true, content: fresh, change: { splices, learned: [], totalLines: null }, note: null };
}

function appendText(content: KnownContent, text: string): Applied | NotApplied {
  if (content.kind === "absent") return { ok: true, content: wholeContent(text), change: null, note: null };
  if (content.kind === "whole") {
    const { text: old } = content;
    if (text === "") return spliced(content, []);
    const start = old.endsWith("\n") ? old.length : old.lastIndexOf("\n") + 1;
    const fresh = splitLines(old.slice(start) + text);
    const total = totalLinesOf(content) ?? 0;
    const removed = start < old.length ? 1 : 0;
    return spliced(content, [{ at: total - removed, remove: removed, insert: fresh }]);
  }
  const total = totalLinesOf(content);
  if (total === null) {
    const splices: Splice[] = [];
    return { ...spliced(content, splices), note: "text was added at the end, whose line is not known" };
  }
  const last = knownLines(content, total, 1)?.[0];
  if (total > 0 && last !== undefined && !last.endsWith("\n")) {
    return spliced(content, [{ at: total - 1, remove: 1, insert: splitLines(last + text) }]);
  }
  return spliced(content, [{ at: total, remove: 0, insert: splitLines(text) }]);
}

/** What a tool that expands the tabs of a whole file makes of the known part of it. */
function withoutTabs(content: KnownContent): KnownContent {
  if (content.kind === "whole") return content.text.includes("\t") ? wholeContent(expandTabs(content.text)) : content;
  if (content.kind !== "partial") return content;
  if (!content.ranges.some((range) => range.lines.some((line) => line.includes("\t")))) return content;
  const ranges = content.ranges.map((range) => ({ ...range, lines: range.lines.map(expandTabs) }));
  return { ...content, ranges };
}

function replaceAll(
  content: KnownContent,
  effect: Extract<Effect, { kind: "replace" }>,
  snippets: readonly KnownRange[],
): Applied | NotApplied {
  const one = effect.edits.length === 1;
  let current = effect.tabs ? withoutTabs(content) : content;
  let change: ContentChange | null = null;
  let note: string | null = null;
  let follows = true;
  for (const given of effect.edits) {
    const edit = effect.tabs ? { ...given, before: expandTabs(given.before), after: expandTabs(given.after) } : given;
    const applied = replaceOne(current, edit, effect, one ? snippets : []);
    if (!applied.ok) return applied;
    follows = follows && applied.change !== null;
    current = applied.content;
    change = applied.change;
    note = applied.note ?? note;
  }
  if (one && current !== content && follows && (!effect.tabs || withoutTabs(content) === content)) {
    return { ok: true, content: current, change, note };
  }
  return { ok: true, content: current, change: wholeChange(content, current), note };
}

/** The change between two whole contents by comparing them; null when one of them is not whole. */
export function wholeChange(before: KnownContent, after: KnownContent): ContentChange | null {
  if (before.kind !== "whole" || after.kind !== "whole") return null;
  return { splices: diffLines(splitLines(before.text), splitLines(after.text)), learned: [], totalLines: null };
}

function replaceOne(
  content: KnownContent,
  edit: StringEdit,
  effect: Extract<Effect, { kind: "replace" }>,
  snippets: readonly KnownRange[],
): Applied | NotApplied {
  if (content.kind === "absent") {
    if (edit.before === "") return { ok: true, content: wholeContent(edit.after), change: null, note: null };
    return contradiction("the file does not exist");
  }
  if (edit.before === "") {
    if (content.kind === "whole" && content.text.trim() !== "") return contradiction("the file exists already");
    return {
      ok: true,
      content: wholeContent(edit.after),
      change: wholeChange(content, wholeContent(edit.after)),
      note: null,
    };
  }
  const exact = asInFile(content, effect.trims === true ? asFound(content, edit) : edit, effect.dropsLineEnd);
  const limit = edit.all ? Number.POSITIVE_INFINITY : 2;
  const found = replaceInKnown(content, exact.before, exact.after, limit);
  if (content.kind === "whole") {
    if (found.count === 0) return contradiction("the text to replace is not in the file");
    if (found.count > 1 && !edit.all) return oneInWindow(content, exact, effect);
    return spliced(content, found.splices);
  }
  if (found.count === 1 && !edit.all) return spliced(content, found.splices);
  if (found.count > 1 && !edit.all) return oneInWindow(content, exact, effect);
  if (edit.all) return replaceEverywhereKnown(content, exact, found.splices);
  const place = locateInSnippets(snippets, exact.before, exact.after);
  if (place !== null) return spliced(content, [place]);
  const kept = editInGap(content, exact.before, exact.after);
  const note = "the edit took place in lines that are not known";
  return { ok: true, content: kept, change: null, note };
}

/** The edit without the blanks at its ends, where the file holds the text only so. */
function asFound(content: KnownContent, edit: StringEdit): StringEdit {
  if (content.kind !== "whole" || content.text.includes(edit.before)) return edit;
  const before = edit.before.trim();
  return before !== "" && content.text.includes(before) ? { ...edit, before, after: edit.after.trim() } : edit;
}

/** The edit as the tool applies it to this file: with its line endings, and with the line end that a deletion takes. */
function asInFile(content: KnownContent, edit: StringEdit, dropsLineEnd: boolean): StringEdit {
  let { before, after } = edit;
  const holds = (text: string): boolean => replaceInKnown(content, text, "", 1).count > 0;
  if (before.includes("\n") && !before.includes("\r") && !holds(before)) {
    const windows = before.replaceAll("\n", "\r\n");
    if (holds(windows)) {
      before = windows;
      after = after.replaceAll(/\r?\n/g, "\r\n");
    }
  }
  if (dropsLineEnd && after === "" && !before.endsWith("\n")) {
    const ending = holds(`${before}\r\n`) ? "\r\n" : "\n";
    if (holds(before + ending)) before += ending;
  }
  return { before, after, all: edit.all };
}

function oneInWindow(
  content: KnownContent,
  edit: StringEdit,
  effect: Extract<Effect, { kind: "replace" }>,
): Applied | NotApplied {
  const { window } = effect;
  if (window === null) return contradiction("the text to replace is not unique in the file");
  const places = window.to - window.from + 1;
  const lines = knownLines(content, window.from, places) ?? [];
  const visible: KnownContent = { kind: "partial", ranges: [{ startLine: window.from, lines }], totalLines: null };
  const found = replaceInKnown(visible, edit.before, edit.after, 2);
  if (found.count !== 1) return unfollowed("it is not clear which occurrence was replaced");
  return spliced(content, found.splices);
}

function replaceEverywhereKnown(content: KnownContent, edit: StringEdit, splices: Splice[]): Applied {
  const note = "occurrences in lines that are not known may have been replaced too";
  const sameLength = edit.before.split("\n").length === edit.after.split("\n").length;
  if (sameLength) return { ...spliced(content, splices), note };
  // Each unknown occurrence moves what follows: only the lines before the first gap stay where they are.
  const first = content.kind === "partial" ? content.ranges[0] : undefined;
  if (first === undefined || first.startLine !== 1) return { ok: true, content: UNKNOWN, change: null, note };
  const top: KnownContent = { kind: "partial", ranges: [first], totalLines: null };
  const inTop = splices.filter((splice) => splice.at < first.lines.length);
  return { ok: true, content: spliced(top, inTop).content, change: null, note };
}

function replaceLines(content: KnownContent, from: number, to: number, lines: string[]): Applied | NotApplied {
  if (content.kind === "absent") return contradiction("the file does not exist");
  const total = totalLinesOf(content);
  const first = Math.max(0, from - 1);
  const at = total === null ? first : Math.min(first, total);
  const last = total === null ? to : Math.min(to, total);
  const remove = Math.max(0, last - at);
  const old = knownLines(content, at + 1, remove);
  const ending = old?.some((line) => line.endsWith("\r\n")) === true ? "\r\n" : "\n";
  const fresh = lines.map((line) => line.replace(/\r?\n?$/, ending));
  const splices = old === null ? [{ at, remove, insert: fresh }] : diffLines(old, fresh, at);
  return spliced(content, splices);
}

function bySkill(content: KnownContent, edit: SkillEdit): Applied | NotApplied {
  if (content.kind === "absent") return contradiction("the file does not exist");
  if (content.kind !== "whole")
    return unfollowed("what the skill changed is only known of a file that is known as a whole");
  const text = applySkill(content.text, edit);
  if (text === null) return contradiction("the text or line to change is not in the file");
  const after = wholeContent(text);
  return { ok: true, content: after, change: wholeChange(content, after), note: null };
}

function insertText(content: KnownContent, after: number | null, text: string, joins: boolean): Applied | NotApplied {
  if (content.kind === "absent") return contradiction("the file does not exist");
  if (after === null) {
    const body = text.endsWith("\n") ? text.slice(0, -1) : text;
    return appendText(content, body);
  }
  const fresh = splitLines(`${text}\n`);
  if (content.kind !== "whole") return spliced(content, [{ at: after, remove: 0, insert: fresh }]);
  const total = totalLinesOf(content) ?? 0;
  if (after < total) return spliced(content, [{ at: after, remove: 0, insert: fresh }]);
  const open = content.text !== "" && !content.text.endsWith("\n");
  // The tool joins the file's pieces between line ends: after the last piece the new text follows a new line end.
  if (after === total && !open) return spliced(content, [{ at: total, remove: 0, insert: fresh }]);
  if (after === total && open) return appendText(content, joins ? `${text}\n` : `\n${text}`);
  if (after === total + 1 && !open) return appendText(content, `\n${text}`);
  return contradiction("the line to insert after is beyond the end of the file");
}

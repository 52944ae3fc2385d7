import type { ReadFile, RecordedFile } from "@/lib/trajectory/schema";
import type { Applied, Attempt, Effect, NotApplied } from "./effect";
import { applyEffect, wholeChange } from "./effect-application";
import type { FileLedger } from "./file-ledger";
import type { HistoryBook } from "./history-book";
import { applyChange, firstDisagreement, sameContent, UNKNOWN } from "./known-content";
import { stripEnding } from "./lines";
import type { Certainty, ContentChange, FileVersion, KnownContent, KnownRange, Write } from "./model";
import { learn, type Place, rangeOfRead } from "./observation";
import { applyChunks } from "./patch-application";
import { recordedAfter, takeRecordedBefore } from "./recorded";
import { takeTreeBack } from "./standalone-patches";

/** What the trace itself tells about the file at this write. */
export interface Evidence {
  record: RecordedFile | null;
  reads: readonly ReadFile[];
}

/**
 * Takes one write into the book: refused ones change nothing, opaque ones make the file unknown, the others make a
 * version. What the trace recorded counts more than what the edit would give, and a difference is a conflict.
 */
export function takeWrite(
  book: HistoryBook,
  attempt: Attempt,
  place: Place,
  directory: string | null,
  evidence: Evidence,
): void {
  const ledger = book.ledger(attempt.path, directory);
  const snippets = evidence.reads.flatMap((read) => rangeOfRead(read) ?? []);
  if (attempt.status === "refused") {
    refuse(book, ledger, attempt, place);
    return;
  }
  if (attempt.grammar === "W12") takeTreeBack(book, place);
  if (evidence.record !== null) takeRecordedBefore(book, ledger, evidence.record, place);
  if (attempt.status === "opaque") {
    if (attempt.grammar === "W5") ledger.undo.push(ledger.versions.length === 0 ? null : ledger.versions.length - 1);
    opaque(book, ledger, attempt, place, attempt.reason);
    return;
  }
  const before = ledger.current;
  const played = play(book, ledger, attempt.effect, directory, snippets);
  if (!played.ok && played.contradicts && attempt.status === "assumed" && evidence.record === null) {
    refuse(book, ledger, { ...attempt, reason: played.reason }, place);
    return;
  }
  const after = settle(book, ledger, before, played, evidence, place);
  const learned = learnMore(after, before, snippets, evidence.reads);
  const versionBefore = ledger.versions.length === 0 ? null : ledger.versions.length - 1;
  const notes = [learned.note, attempt.status === "assumed" ? "nothing says whether this worked" : null];
  const note = notes.filter((one) => one !== null).join("; ");
  push(book, ledger, attempt, place, {
    content: learned.content,
    change: learned.change,
    certainty: learned.certainty,
    note: note === "" ? null : note,
    before,
  });
  if (attempt.effect.kind === "undo") return;
  // The tool keeps what it wrote for a new file, and what was there before for an edit.
  if (attempt.grammar === "W1") {
    ledger.undo.push(attempt.effect.kind === "write" ? ledger.versions.length - 1 : versionBefore);
  }
  // Aider keeps what is in git.
  if (attempt.grammar === "W5") ledger.undo.push(versionBefore);
}

interface Settled {
  content: KnownContent;
  change: ContentChange | null;
  certainty: Certainty;
  note: string | null;
}

function play(
  book: HistoryBook,
  ledger: FileLedger,
  effect: Effect,
  directory: string | null,
  snippets: readonly KnownRange[],
): Applied | NotApplied {
  if (effect.kind === "undo") {
    const [n] = ledger.undo.splice(-(effect.edits ?? 1));
    if (n === undefined) return { ok: false, contradicts: false, reason: "there is no edit to take back" };
    const content = n === null ? UNKNOWN : (ledger.versions[n]?.content ?? UNKNOWN);
    return { ok: true, content, change: wholeChange(ledger.current, content), note: null };
  }
  if (effect.kind === "move" || effect.kind === "copy") {
    const content = book.find(effect.from, directory)?.current ?? UNKNOWN;
    return { ok: true, content: content.kind === "absent" ? UNKNOWN : content, change: null, note: null };
  }
  if (effect.kind === "patch") return applyChunks(ledger.current, effect.chunks);
  if (effect.kind === "restore" || effect.kind === "stash" || effect.kind === "unstash") {
    const content = broughtBack(ledger, effect);
    return { ok: true, content, change: wholeChange(ledger.current, content), note: null };
  }
  return applyEffect(ledger.current, effect, snippets);
}

/** What git leaves of a file. One that the run made is in no commit, and stays as it is. */
function broughtBack(
  ledger: FileLedger,
  effect: Extract<Effect, { kind: "restore" | "stash" | "unstash" }>,
): KnownContent {
  const { current, base } = ledger;
  if (base.kind === "absent") return current;
  if (effect.kind === "stash") ledger.stashed.set(effect.n, current);
  if (effect.kind !== "unstash") return base;
  const put = ledger.stashed.get(effect.n);
  if (put === undefined) return current;
  // What was changed meanwhile is merged.
  return base.kind !== "unknown" && sameContent(current, base) ? put : UNKNOWN;
}

/** What counts: the record, else the replay. */
function settle(
  book: HistoryBook,
  ledger: FileLedger,
  before: KnownContent,
  played: Applied | NotApplied,
  evidence: Evidence,
  place: Place,
): Settled {
  const { record } = evidence;
  const recorded = record === null ? null : recordedAfter(before, record);
  const report = (message: string): void => {
    book.checks.recorded.differed += 1;
    book.conflicts.push({
      path: ledger.path,
      turn: place.turn,
      item: place.item,
      kind: "replay_differs_from_record",
      message,
    });
  };
  if (recorded === null) {
    if (played.ok) return { ...played, certainty: certaintyOf(played.content) };
    if (played.contradicts) report(`The tool says that turn #${place.turn + 1} wrote, but ${played.reason}.`);
    return { content: UNKNOWN, change: null, certainty: "unknown", note: played.reason };
  }
  const certainty = recorded.content.kind === "whole" ? ("recorded" as const) : certaintyOf(recorded.content);
  const settled: Settled = { content: recorded.content, change: recorded.change, certainty, note: null };
  if (recorded.content.kind !== "whole") return settled;
  if (record?.byPerson === true) return { ...settled, note: "a person changed the text before it was written" };
  if (!played.ok) {
    if (played.contradicts)
      report(`The trace recorded a change in turn #${place.turn + 1} that cannot be replayed: ${played.reason}.`);
    return settled;
  }
  if (played.content.kind !== "whole") return settled;
  // A patch does not show every line ending; the edit itself does.
  const isSame = sameContent(played.content, recorded.content);
  const onlyEndings = !isSame && sameButEndings(played.content.text, recorded.content.text);
  if (isSame || (onlyEndings && !recorded.exact)) {
    book.checks.recorded.agreed += 1;
    return isSame ? settled : { ...settled, content: played.content, change: played.change };
  }
  const note = "the replayed edit differs from what the trace recorded";
  report(
    `Replaying the edit of turn #${place.turn + 1} gives another text than the trace recorded${onlyEndings ? ", in line endings only" : ""}.`,
  );
  return { ...settled, note };
}

function sameButEndings(left: string, right: string): boolean {
  const plain = (text: string): string => withoutLastNewlines(text.replaceAll("\r\n", "\n"));
  return left.length - right.length < 1_000_000 && plain(left) === plain(right);
}

/** How sure a replayed content is. */
export function certaintyOf(content: KnownContent): Certainty {
  if (content.kind === "partial" || content.kind === "unknown") return content.kind;
  return "replayed";
}

/** Lines around the edit that the tool's answer shows, laid beside what is known when they do not contradict it. */
function learnMore(
  after: Settled,
  before: KnownContent,
  snippets: readonly KnownRange[],
  reads: readonly ReadFile[],
): Settled {
  const { content } = after;
  if (content.kind !== "partial" && content.kind !== "unknown") return after;
  if (snippets.some((range) => firstDisagreement(content, range) !== null)) return after;
  const change = learn(content, snippets, reads.find((read) => read.totalLines !== null)?.totalLines ?? null);
  if (change === null) return after;
  const learned = applyChange(content, change);
  const follows = after.change !== null && before.kind !== "absent";
  const joined = follows
    ? {
        splices: after.change?.splices ?? [],
        learned: [...(after.change?.learned ?? []), ...change.learned],
        totalLines: change.totalLines,
      }
    : null;
  return { ...after, content: learned, change: joined, certainty: certaintyOf(learned) };
}

function refuse(book: HistoryBook, ledger: FileLedger, attempt: Attempt, place: Place): void {
  book.writes.push({
    ...writeBase(attempt, ledger, place),
    status: "refused",
    versionBefore: ledger.versions.length === 0 ? null : ledger.versions.length - 1,
    versionAfter: null,
    addedLines: null,
    removedLines: null,
    reason: attempt.reason,
  });
}

function opaque(book: HistoryBook, ledger: FileLedger, attempt: Attempt, place: Place, note: string | null): void {
  const settled = { content: UNKNOWN, change: null, certainty: "unknown" as const, note, before: ledger.current };
  push(book, ledger, attempt, place, settled);
}

function writeBase(
  attempt: Attempt,
  ledger: FileLedger,
  place: Place,
): Pick<Write, "turn" | "item" | "arrival" | "path" | "grammar" | "operation" | "fragment"> {
  const { grammar, operation, fragment } = attempt;
  return { ...place, path: ledger.path, grammar, operation, fragment };
}

function push(
  book: HistoryBook,
  ledger: FileLedger,
  attempt: Attempt,
  place: Place,
  made: Settled & { before: KnownContent },
): void {
  const versionBefore = ledger.versions.length === 0 ? null : ledger.versions.length - 1;
  const version: Omit<FileVersion, "n" | "content" | "change"> = {
    ...place,
    operation: attempt.operation,
    certainty: made.certainty,
    note: made.note,
  };
  const { effect } = attempt;
  ledger.beginWriting(made.before.kind === "absent" || (effect.kind === "write" && effect.mustBeNew));
  const versionAfter = ledger.add(version, made.content, made.change);
  const isLink = effect.kind === "opaque" && effect.isLink === true;
  if (made.content.kind !== "absent" && !isLink) reachOthers(book, ledger, place);
  const counts = countLines(made, attempt);
  book.writes.push({
    ...writeBase(attempt, ledger, place),
    status: attempt.status,
    versionBefore,
    versionAfter,
    ...counts,
    reason: attempt.reason,
  });
}

/** Under its other paths a file that was written becomes unknown: it may be one that took the place of the link. */
function reachOthers(book: HistoryBook, ledger: FileLedger, place: Place): void {
  for (const path of book.links.othersOf(ledger.path)) {
    const other = book.ledger(path, null);
    if (other === ledger || (other.current.kind === "unknown" && other.versions.length > 0)) continue;
    const note = `it is linked to ${ledger.path}, which was written`;
    other.beginWriting(false);
    other.add({ ...place, operation: "opaque", certainty: "unknown", note }, UNKNOWN, null);
  }
}

/** Lines that came and went, null where it cannot be counted. */
function countLines(
  made: Settled & { before: KnownContent },
  attempt: Attempt,
): { addedLines: number | null; removedLines: number | null } {
  if (attempt.status === "opaque") return { addedLines: null, removedLines: null };
  if (made.change !== null) {
    return {
      addedLines: made.change.splices.reduce((sum, splice) => sum + splice.insert.length, 0),
      removedLines: made.change.splices.reduce((sum, splice) => sum + splice.remove, 0),
    };
  }
  const { before, content } = made;
  if (content.kind === "absent")
    return { addedLines: 0, removedLines: before.kind === "whole" ? linesIn(before.text) : null };
  if (content.kind === "whole" && (before.kind === "absent" || attempt.operation === "create")) {
    return { addedLines: linesIn(content.text), removedLines: 0 };
  }
  if (attempt.effect.kind === "patch") {
    const { chunks } = attempt.effect;
    return {
      addedLines: chunks.reduce((sum, chunk) => sum + chunk.added, 0),
      removedLines: chunks.reduce((sum, chunk) => sum + chunk.removed, 0),
    };
  }
  if (attempt.effect.kind !== "replace") return { addedLines: null, removedLines: null };
  const [edit, ...others] = attempt.effect.edits;
  if (edit === undefined || others.length > 0 || edit.all) return { addedLines: null, removedLines: null };
  return { addedLines: linesIn(edit.after), removedLines: linesIn(edit.before) };
}

function linesIn(text: string): number {
  return text === "" ? 0 : stripEnding(text).split("\n").length;
}

/** Not by a pattern: one that looks for the end takes quadratic time on newlines in the middle. */
function withoutLastNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === "\n") end -= 1;
  return text.slice(0, end);
}

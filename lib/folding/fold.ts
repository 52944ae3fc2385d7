import { type ContextItem, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import { textOf } from "@/lib/trajectory/texts";
import { PartsFolder, type Quoted } from "./parts-folder";
import { PAPER_PLACEHOLDER, placeholdersOf } from "./render";
import type { FoldSavings, ObservationFold, PaperFold, PartsFold, RuleSavings } from "./shape";
import { DIFF_HEADER, FAILURE_WORD, PAPER_RULE, PARTS_RULE, TAU_CHARS } from "./signals";

/**
 * The paper's Algorithm 1 (arXiv 2605.26563) as printed: an observation is folded when it holds no header of a unified
 * diff and is either longer than tau or without any failure word. Case is ignored and a word counts anywhere, so that
 * "AssertionError" and "FAILED" do. Tau and the words are ours (signals.ts), because it prints neither. An empty text is
 * left alone: there is nothing to fold. At most one pass over the text.
 */
export function foldPaper(text: string): PaperFold {
  if (text === "") return { isFolded: false, why: "empty", word: null };
  if (DIFF_HEADER.test(text)) return { isFolded: false, why: "diff", word: null };
  if (text.length > TAU_CHARS) return { isFolded: true, why: "long", word: null };
  const found = FAILURE_WORD.exec(text);
  if (found === null) return { isFolded: true, why: "no_word", word: null };
  return { isFolded: false, why: "word", word: found[0].toLowerCase() };
}

/** The paper's rule on a text that holds neither a header nor a word. */
function foldPaperQuiet(text: string): PaperFold {
  if (text === "") return { isFolded: false, why: "empty", word: null };
  return { isFolded: true, why: text.length > TAU_CHARS ? "long" : "no_word", word: null };
}

/**
 * Our rule: of an observation stay its first and last rows, the rows around every signal (failure words that survive the
 * deny list, headers of diffs with their hunks, frames of tracebacks, summaries of test runs) and around `quoted`. The
 * parts are ordered, do not touch, and end on the ends of rows (rows.ts); what is between them is folded. What stays is
 * at most 8,000 characters (and the quotations): signals after that are counted in `leftOut`. One part from 0 to the end
 * means that nothing is folded. One pass over the text; linear for every text.
 */
export function foldParts(text: string, quoted: readonly Quoted[] = []): PartsFold {
  return new PartsFolder(text).fold(quoted);
}

/** Both rules on one observation; null when neither folds anything. */
export function foldObservation(text: string): ObservationFold | null {
  const folder = new PartsFolder(text);
  const parts = folder.fold([]);
  // What `parts` looks for holds all that the paper's rule does: a text without it is not gone through again.
  const paper = folder.foundNothing() ? foldPaperQuiet(text) : foldPaper(text);
  const isFolded = parts.kept.length > 1;
  return isFolded || paper.isFolded ? { parts: isFolded ? parts : null, paper } : null;
}

/** What both rules do to a trajectory. */
export interface TrajectoryFold {
  /** By the id of a result item; only those of which something is folded. */
  observations: ReadonlyMap<string, ObservationFold>;
  savings: FoldSavings;
}

/**
 * Folds the observations (results) of a trajectory. Thoughts, messages, calls and what stands between turns are never
 * folded; they count in the whole.
 */
export function foldTrajectory(trajectory: Trajectory): TrajectoryFold {
  const observations = new Map<string, ObservationFold>();
  const parts = noSavings(PARTS_RULE);
  const paper = noSavings(PAPER_RULE);
  const sizes = { observations: 0, observationChars: 0, wholeChars: 0 };
  const contexts = trajectory.entries.filter((entry): entry is ContextItem => entry.kind === "context");
  for (const context of contexts) sizes.wholeChars += context.text.length;
  for (const item of turnsOf(trajectory).flatMap((turn) => turn.items)) {
    if (item.kind !== "result") {
      sizes.wholeChars += (textOf(item, "text") ?? textOf(item, "arguments") ?? "").length;
      continue;
    }
    const { length } = item.text;
    sizes.observations += 1;
    sizes.observationChars += length;
    sizes.wholeChars += length;
    const fold = foldObservation(item.text);
    if (fold === null) continue;
    observations.set(item.id, fold);
    if (fold.parts !== null) {
      const placeholders = placeholdersOf(fold.parts, item.id);
      parts.observations += 1;
      parts.foldedChars += length - keptChars(fold.parts);
      parts.placeholderChars += placeholders.reduce((sum, placeholder) => sum + placeholder.length, 0);
      parts.leftOut += fold.parts.leftOut;
    }
    if (fold.paper.isFolded) {
      paper.observations += 1;
      paper.foldedChars += length;
      paper.placeholderChars += PAPER_PLACEHOLDER.length;
    }
  }
  return { observations, savings: { ...sizes, parts, paper } };
}

function noSavings(rule: string): RuleSavings {
  return { rule, observations: 0, foldedChars: 0, placeholderChars: 0, leftOut: 0 };
}

function keptChars(fold: PartsFold): number {
  return fold.kept.reduce((sum, range) => sum + range.end - range.start, 0);
}

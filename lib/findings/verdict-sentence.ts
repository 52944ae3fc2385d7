import { displayPath } from "@/lib/investigator/paths";
import type { Verdict } from "@/lib/investigator/verdict";
import { oneLine } from "./one-line";

/** A part of the header's sentence: words, a chip that opens a turn, or a piece of code with the place it opens. */
export type SentencePart =
  | { kind: "text"; text: string }
  | { kind: "turn"; turn: number; role: "decisive" | "alternative" | "undetermined" }
  | { kind: "code"; text: string; turn: number; file: string | null; line: number | null };

export interface SentenceFacts {
  outcome: "failed" | "resolved" | "unknown";
  turnCount: number;
  /** The repository's folder as the trace names it, to shorten paths. */
  root: string | null;
}

/** Alternatives that the sentence names; the list shows them all. */
const ALTERNATIVES_SHOWN = 2;
const FILE_MAX_CHARS = 60;

/**
 * The header's sentence about the failure, as parts: what the rule takes to be the decisive turn and why, or that it
 * cannot say and why not. Says "if the run failed" where the outcome is not known.
 */
export function verdictSentence(verdict: Verdict | null, facts: SentenceFacts): SentencePart[] {
  if (verdict === null)
    return [
      text(
        "There is no verdict: the structural rule could not be run on this import. Its turns and files are complete.",
      ),
    ];
  const first = verdict.candidates[0];
  if (verdict.status === "undetermined" || first === undefined) return undeterminedSentence(verdict, facts);
  const opening =
    facts.outcome === "failed"
      ? "By the structural rule, the run went wrong for good at "
      : "If the run failed, by the structural rule it went wrong for good at ";
  const parts: SentencePart[] = [text(opening), { kind: "turn", turn: first.turn, role: "decisive" }];
  parts.push(...because(first.reasonCode, first.turn, first.file, first.line, facts.root));
  const others = verdict.candidates.slice(1, 1 + ALTERNATIVES_SHOWN);
  if (others.length > 0) {
    parts.push(text(" Other candidates: "));
    others.forEach((candidate, i) => {
      if (i > 0) parts.push(text(", "));
      parts.push({ kind: "turn", turn: candidate.turn, role: "alternative" });
    });
    const hidden = verdict.candidates.length - 1 - others.length;
    parts.push(text(hidden > 0 ? ` and ${hidden} more.` : "."));
  }
  return parts;
}

function undeterminedSentence(verdict: Verdict, facts: SentenceFacts): SentencePart[] {
  const reason = verdict.undeterminedReason ?? "No rule applies.";
  if (facts.outcome === "resolved") return [text(reason)];
  const parts: SentencePart[] = [text(`Undetermined. ${reason}`)];
  const first = verdict.candidates[0];
  if (first !== undefined) {
    parts.push(text(" Worth a look: "), { kind: "turn", turn: first.turn, role: "undetermined" }, text("."));
  }
  return parts;
}

function because(
  code: string,
  turn: number,
  file: string | null,
  line: number | null,
  root: string | null,
): SentencePart[] {
  const chip: SentencePart[] =
    file === null ? [] : [{ kind: "code", text: oneLine(displayPath(file, root), FILE_MAX_CHARS), turn, file, line }];
  if (file !== null && code === "first_source_write") {
    return [text(": its first change of a file that is not its own scratch file, "), ...chip, text(".")];
  }
  if (code === "loop_start") return [text(": from here on it only repeats itself.")];
  return chip.length > 0 ? [text(", in "), ...chip, text(".")] : [text(".")];
}

function text(words: string): SentencePart {
  return { kind: "text", text: words };
}

import type { MaskedTrajectory } from "@/lib/judge/masked";
import type { Turn } from "@/lib/trajectory/schema";

const MATCHES_MAX = 30;
const AROUND_CHARS = 80;

/** Places of the trace that hold a text. */
export interface Found {
  /** One line a match that is shown. */
  lines: string[];
  /** The turns of those lines, 0-based, each once. */
  turns: number[];
  /** All matches, shown or not. */
  total: number;
}

/**
 * Looks for `needle`, letters of either case alike, in the texts of turns `from` to `to` (0-based, inclusive). A call whose
 * text is its arguments is searched once.
 */
export function searchTurns(
  turns: readonly Turn[],
  masked: MaskedTrajectory,
  needle: string,
  { from, to }: { from: number; to: number },
): Found {
  const found: Found = { lines: [], turns: [], total: 0 };
  const wanted = needle.toLowerCase();
  if (wanted === "") return found;
  for (const turn of turns.slice(from, to + 1)) {
    for (const item of turn.items) {
      const text = (masked.textOf(item, "text") ?? masked.textOf(item, "arguments"))?.text ?? "";
      // Some letters change their length with their case: then the place in the text is not that of its lower form.
      const lower = text.toLowerCase();
      const searched = lower.length === text.length ? lower : text;
      for (let at = searched.indexOf(wanted); at !== -1; at = searched.indexOf(wanted, at + wanted.length)) {
        found.total += 1;
        if (found.lines.length >= MATCHES_MAX) continue;
        const excerpt = text.slice(Math.max(0, at - AROUND_CHARS), at + needle.length + AROUND_CHARS);
        found.lines.push(`#${turn.index + 1} ${item.kind} ${item.id}: ${excerpt.replace(/\s+/g, " ")}`);
        if (!found.turns.includes(turn.index)) found.turns.push(turn.index);
      }
    }
  }
  return found;
}

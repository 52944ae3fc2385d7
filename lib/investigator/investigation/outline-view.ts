import type { MaskedTrajectory } from "@/lib/judge/masked";
import type { Turn } from "@/lib/trajectory/schema";

/** What the outline says of a turn: its title, whether something in it failed, and how many writes it holds. */
export interface OutlineLine {
  title: string;
  hasError: boolean;
  writeCount: number;
}

const EXCERPTS_CHARS = [160, 60, 0];

/**
 * The outline of a trajectory in at most about `maxChars`: a line a turn with the beginning of what the agent says, shorter
 * beginnings when that is too long, then lines for several turns together.
 * @param line in masked words; called once a turn.
 */
export function outlineText(
  turns: readonly Turn[],
  masked: MaskedTrajectory,
  line: (turn: Turn) => OutlineLine,
  maxChars: number,
): string {
  const lines = turns.map(line);
  for (const excerptChars of EXCERPTS_CHARS) {
    const text = turns.map((turn, i) => lineOf(turn, lines[i], masked, excerptChars)).join("\n");
    if (text.length <= maxChars) return text;
  }
  for (let size = 2; ; size *= 2) {
    const text = grouped(lines, size).join("\n");
    if (text.length <= maxChars || size >= lines.length) return text;
  }
}

function lineOf(turn: Turn, line: OutlineLine | undefined, masked: MaskedTrajectory, excerptChars: number): string {
  const head = `#${turn.index + 1} ${line?.title ?? ""}${line?.hasError ? " (failed)" : ""}`;
  if (excerptChars === 0) return head;
  const said = turn.items.find((item) => item.kind === "thought" || item.kind === "message");
  const text = said === undefined ? "" : (masked.textOf(said, "text")?.text ?? "");
  const excerpt = text
    .slice(0, excerptChars * 2)
    .replace(/\s+/g, " ")
    .trim();
  if (excerpt === "") return head;
  return `${head} | ${excerpt.slice(0, excerptChars)}${excerpt.length > excerptChars || text.length > excerptChars * 2 ? "…" : ""}`;
}

function grouped(lines: readonly OutlineLine[], size: number): string[] {
  const groups: string[] = [];
  for (let from = 0; from < lines.length; from += size) {
    const group = lines.slice(from, from + size);
    const failed = group.filter(({ hasError }) => hasError).length;
    const writes = group.reduce((sum, { writeCount }) => sum + writeCount, 0);
    const what = `${group.length} turns, ${writes} writes, ${failed} with a failure; first: ${group[0]?.title ?? ""}`;
    groups.push(`#${from + 1} to #${from + group.length}: ${what}`);
  }
  return groups;
}

import type { InspectRow } from "./inspect-row";
import type { InspectTotals } from "./inspect-totals";

const WIDTHS = { format: 16, variant: 16, turns: 6, calls: 6, writes: 18, unread: 9, seconds: 8 } as const;

function columns(cells: Record<keyof typeof WIDTHS, string>, name: string): string {
  const { format, variant, turns, calls, writes, unread, seconds } = cells;
  const left = `${cut(format, WIDTHS.format)}  ${cut(variant, WIDTHS.variant)}`;
  const right = [
    turns.padStart(WIDTHS.turns),
    calls.padStart(WIDTHS.calls),
    writes.padStart(WIDTHS.writes),
    unread.padStart(WIDTHS.unread),
    seconds.padStart(WIDTHS.seconds),
  ];
  return `${left} ${right.join(" ")}  ${name}`;
}

const cut = (text: string, width: number): string => text.slice(0, width).padEnd(width);

/** The head of the rows: writes are applied, assumed, refused and opaque; unread are bytes. */
export const HEAD = columns(
  {
    format: "format",
    variant: "variant",
    turns: "turns",
    calls: "calls",
    writes: "writes a/s/r/o",
    unread: "unread",
    seconds: "seconds",
  },
  "file",
);

/** One row of `inspect` as one line of text. */
export function asLine(row: InspectRow): string {
  const seconds = row.seconds.toFixed(2);
  const empty = { variant: "", turns: "", calls: "", writes: "", unread: "", seconds };
  if ("parts" in row) return columns({ ...empty, format: row.format }, plain(`${row.file}: ${row.parts} trajectories`));
  const name = row.part === null ? row.file : `${row.file} [${row.part.key}] ${row.part.name}`;
  if ("error" in row) {
    return columns({ ...empty, format: "-", variant: row.error.code }, plain(`${name}: ${row.error.message}`));
  }
  const { applied, assumed, refused, opaque } = row.writes;
  const cells = {
    format: row.format,
    variant: row.variant,
    turns: String(row.turns),
    calls: String(row.calls),
    writes: `${applied}/${assumed}/${refused}/${opaque}`,
    unread: row.bytes === null ? "-" : String(row.bytes.unread),
    seconds,
  };
  return columns(cells, plain(name));
}

/** Names and reasons come from the files: one line, and nothing that a terminal obeys. */
function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ");
}

/** What all rows come to, as lines of text. */
export function totalLines(totals: InspectTotals): string {
  const counts = (of: Record<string, number>): string =>
    Object.entries(of)
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${count} ${name}`)
      .join(", ") || "none";
  const slow = totals.slow.map(({ file, seconds }) => `${plain(file)} (${seconds} s)`).join(", ") || "none";
  return [
    "",
    `files         ${totals.files}, ${totals.filesOfSeveral} of them with several trajectories`,
    `trajectories  ${totals.trajectories}: ${counts(totals.formats)}`,
    `failed        ${counts(totals.failed)}`,
    `turns         ${totals.turns}, with ${totals.calls} calls`,
    `writes        ${counts(totals.writes)}`,
    `versions      ${counts(totals.versions)}; ${totals.conflicts} conflicts`,
    `notes         ${counts(totals.notes)}`,
    `bytes         ${counts(totals.bytes)}; not counted in ${totals.notCounted} trajectories`,
    `folded        ${foldedShares(totals.folding)}`,
    `over 10 s     ${slow}`,
    `seconds       ${totals.seconds}`,
  ].join("\n");
}

/** Of the characters of observations, and of all characters, what folding by parts saves: pooled, and by format. */
function foldedShares(byFormat: InspectTotals["folding"]): string {
  const share = (part: number, of: number): string => (of === 0 ? "none" : `${((100 * part) / of).toFixed(1)} %`);
  const all = { observation: 0, whole: 0, folded: 0 };
  const formats = Object.entries(byFormat).map(([format, { observation, whole, folded }]) => {
    all.observation += observation;
    all.whole += whole;
    all.folded += folded;
    return `${format} ${share(folded, observation)}`;
  });
  const pooled = `${share(all.folded, all.observation)} of observations, ${share(all.folded, all.whole)} of the whole`;
  return formats.length === 0 ? "nothing" : `${pooled}; of observations by format: ${formats.join(", ")}`;
}

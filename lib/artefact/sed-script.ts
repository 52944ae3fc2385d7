import type { LineCommand } from "./effect";
import { applyChange, knownLines, rangesOf, totalLinesOf } from "./known-content";
import { diffLines } from "./line-diff";
import { splitLines, stripEnding } from "./lines";
import type { KnownContent, Splice } from "./model";

/**
 * The splices of a simple `sed` script against the given content; null when a command needs a line or a length that is
 * not known. Commands with numbers count lines of the input, so a script may hold either one that moves lines or any
 * number of substitutions, never both.
 */
export function scriptSplices(content: KnownContent, commands: readonly LineCommand[]): Splice[] | null {
  if (content.kind === "absent" || content.kind === "unknown") return null;
  const moving = commands.filter((command) => command.kind !== "substitute");
  if (moving.length > 1 || (moving.length === 1 && commands.length > 1)) return null;
  const only = moving[0];
  if (only !== undefined) {
    const splice = movingSplice(content, only);
    return splice === null ? null : [splice];
  }
  let current: KnownContent = content;
  for (const [n, command] of commands.entries()) {
    if (command.kind !== "substitute") return null;
    // The commands behind it take the line and what it became for one text.
    if (command.replacement.includes("\n") && n < commands.length - 1) return null;
    const splices = substitutions(current, command);
    if (commands.length === 1) return splices;
    current = applyChange(current, { splices, learned: [], totalLines: totalLinesOf(current) });
  }
  return rangesOf(content).flatMap((range, index) =>
    diffLines(range.lines, rangesOf(current)[index]?.lines ?? [], range.startLine - 1),
  );
}

function movingSplice(content: KnownContent, command: LineCommand): Splice | null {
  const total = totalLinesOf(content);
  if (command.kind === "insert") {
    const { at } = command;
    if (total !== null && at > total) return { at: total, remove: 0, insert: [] };
    const insert = splitLines(command.text);
    if (command.isBefore) return { at: at - 1, remove: 0, insert };
    if (total === at) {
      const last = knownLines(content, total, 1)?.[0];
      if (last === undefined) return null;
      // Behind a last line that is not ended, sed ends it.
      if (!last.endsWith("\n")) return { at: at - 1, remove: 1, insert: [`${last}\n`, ...insert] };
    }
    return { at, remove: 0, insert };
  }
  if (command.kind === "substitute") return null;
  const to = command.to ?? total;
  if (to === null) return null;
  const end = total === null ? to : Math.min(to, total);
  const at = command.from - 1;
  if (total !== null && at >= total) return { at: total, remove: 0, insert: [] };
  const isRange = command.to !== command.from;
  // Lines that end before the range does are taken away, and nothing is put in their place.
  if (command.kind === "change" && isRange && total === null && knownLines(content, to, 1) === null) return null;
  const isWhole = !isRange || total === null || to <= total;
  const insert = command.kind === "change" && isWhole ? splitLines(command.text) : [];
  return { at, remove: Math.max(1, end - at), insert };
}

function substitutions(content: KnownContent, command: Extract<LineCommand, { kind: "substitute" }>): Splice[] {
  const total = totalLinesOf(content);
  const splices: Splice[] = [];
  const to = command.to ?? Number.POSITIVE_INFINITY;
  for (const range of rangesOf(content)) {
    for (const [index, line] of range.lines.entries()) {
      const n = range.startLine + index;
      if (n < command.from || n > to || (total !== null && n > total)) continue;
      const body = stripEnding(line);
      if (command.only !== null && !command.only.test(body)) continue;
      const fresh = body.replace(command.pattern, command.replacement);
      if (fresh !== body) splices.push({ at: n - 1, remove: 1, insert: splitLines(fresh + line.slice(body.length)) });
    }
  }
  return splices;
}

import { type EditBlock, findBlocks, findHunks, findWholeFiles } from "./edit-blocks";
import { KnownPaths } from "./edit-path";
import type { Refusal, ToolFacts } from "./tool-lines";

/** An edit with what aider says became of it: `lines` are the places among aider's lines that say so. */
export interface SettledEdit {
  edit: EditBlock;
  /** As aider names it where it does, else as the model does; null where neither does. */
  path: string | null;
  isApplied: boolean;
  lines: number[];
}

/** The edits of one answer, and the files that aider wrote although no edit for them was found. */
export interface SettledEdits {
  edits: SettledEdit[];
  others: { path: string; line: number }[];
  /** Lines of the answer at which a block begins that nothing ends. */
  open: number[];
}

/** How the model was to write its edits. */
export interface AskedFormat {
  /** The name of the edit format, null when it is not told. */
  name: string | null;
  /** False where SEARCH/REPLACE blocks are certain to be no edits. */
  readsBlocks: boolean;
  /** Whether a fence with this path before it is a whole file to write, beyond those that aider speaks of. */
  isWholeFile(path: string): boolean;
}

/**
 * Finds the edits of an answer and settles them by what aider says: only `Applied edit to` (or that the other blocks were
 * applied) makes an edit one that was done. Hunks count as edits in their edit format or when aider speaks of their file.
 * @param chatFiles the files known to be in the chat
 */
export function settleEdits(
  answer: readonly string[],
  facts: ToolFacts,
  chatFiles: ReadonlySet<string>,
  asked: AskedFormat,
): SettledEdits {
  const outcomes = new Outcomes(facts);
  const known = new KnownPaths([...outcomes.named, ...facts.created, ...chatFiles]);
  const [only, ...others] = outcomes.named;
  const resolve = (path: string | null): string | null =>
    path !== null ? known.resolve(path) : others.length === 0 ? (only ?? null) : null;
  const isSpokenOf = (path: string | null): boolean => path !== null && outcomes.named.has(path);
  const { edits: blocks, open } = asked.readsBlocks ? findBlocks(answer) : { edits: [], open: [] };
  const hunks = findHunks(answer).filter(
    ({ path }) => asked.name?.includes("udiff") === true || isSpokenOf(resolve(path)),
  );
  const taken = new Set([...blocks, ...hunks].map(({ path }) => resolve(path)));
  const whole = findWholeFiles(answer, (path) => {
    const resolved = resolve(path);
    return !taken.has(resolved) && (isSpokenOf(resolved) || asked.isWholeFile(path));
  });
  const found = apart([...blocks, ...hunks, ...whole].sort((a, b) => a.first - b.first));
  const edits = found.map((edit) => outcomes.settle(edit, resolve(edit.path)));
  const covered = new Set(edits.filter(({ isApplied }) => isApplied).map(({ path }) => path));
  return { edits, others: facts.applied.filter(({ path }) => !covered.has(path)), open };
}

/** Edits of which none reaches into another. */
function apart(edits: readonly EditBlock[]): EditBlock[] {
  let end = -1;
  return edits.filter((edit) => {
    if (edit.first <= end) return false;
    end = edit.last;
    return true;
  });
}

class Outcomes {
  /** The paths that aider speaks of after an answer. */
  readonly named: Set<string>;
  readonly #applied: Map<string, number[]>;
  readonly #skipped: Map<string, number[]>;
  readonly #refusals = new Map<string, Refusal>();
  /** How many edits of a file have been settled as applied. */
  readonly #counts = new Map<string, number>();

  constructor(readonly facts: ToolFacts) {
    this.#applied = byPath(facts.applied);
    this.#skipped = byPath(facts.skipped);
    for (const refusal of facts.refusals) this.#refusals.set(keyOf(refusal.path, refusal.before), refusal);
    this.named = new Set([...facts.applied, ...facts.skipped, ...facts.refusals].map(({ path }) => path));
  }

  settle(edit: EditBlock, path: string | null): SettledEdit {
    const { facts } = this;
    const before = edit.kind === "udiff" ? null : edit.before;
    const refusal = path === null ? undefined : this.#refusals.get(keyOf(path, before));
    if (refusal) return { edit, path, isApplied: false, lines: refusal.lines };
    const applied = path === null ? undefined : this.#applied.get(path);
    if (path !== null && applied) {
      // Early versions say it once for each edit, later ones once for each file.
      const n = this.#counts.get(path) ?? 0;
      this.#counts.set(path, n + 1);
      return { edit, path, isApplied: true, lines: [applied[Math.min(n, applied.length - 1)] ?? 0] };
    }
    if (facts.othersApplied !== null) return { edit, path, isApplied: true, lines: [facts.othersApplied] };
    const skipped = path === null ? undefined : this.#skipped.get(path)?.[0];
    if (skipped !== undefined) return { edit, path, isApplied: false, lines: [skipped] };
    return { edit, path, isApplied: false, lines: facts.malformed === null ? [] : [facts.malformed] };
  }
}

function byPath(told: readonly { path: string; line: number }[]): Map<string, number[]> {
  const lines = new Map<string, number[]>();
  for (const { path, line } of told) {
    const known = lines.get(path);
    if (known) known.push(line);
    else lines.set(path, [line]);
  }
  return lines;
}

/** A block by its file and SEARCH text, without the blanks at the ends of lines, which a history does not keep. */
function keyOf(path: string, before: string | null): string {
  if (before === null) return path;
  const lines = before.trimEnd().split("\n");
  return `${path}\n${lines.map((line) => line.trimEnd()).join("\n")}`;
}

import type { CallItem } from "@/lib/trajectory/schema";

/** Which edits a commit of aider's holds, so that taking it back can be followed. */
export class Commits {
  /** Edits of each file since the last commit. */
  #pending = new Map<string, number>();
  readonly #commits = new Map<string, Map<string, number>>();

  /** Adds edits that were applied, one path an edit. */
  addEdits(paths: readonly string[]): void {
    for (const path of paths) this.#pending.set(path, (this.#pending.get(path) ?? 0) + 1);
  }

  /** Takes all edits since the last commit as those of a new one. */
  commit(hash: string): void {
    this.#commits.set(keyOf(hash), this.#pending);
    this.#pending = new Map();
  }

  isKnown(hash: string): boolean {
    return this.#commits.has(keyOf(hash));
  }

  /** What taking back commits does, as the arguments of a call: each file with the number of edits that end. */
  takeBack(undone: readonly { hash: string }[]): NonNullable<CallItem["arguments"]> {
    const files = undone.flatMap(({ hash }) => [...(this.#commits.get(keyOf(hash)) ?? [])]);
    return {
      commits: undone.map(({ hash }) => hash),
      files: files.map(([path, edits]) => ({ path, edits })),
    };
  }
}

/** Hashes are cut at seven digits or more. */
function keyOf(hash: string): string {
  return hash.slice(0, 7);
}

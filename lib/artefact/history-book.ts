import { FileLedger } from "./file-ledger";
import { UNKNOWN, wholeContent } from "./known-content";
import { LinkedPaths } from "./linked-paths";
import { type Baseline, type HistoryChecks, type HistoryConflict, nothingChecked, type Write } from "./model";
import { endsWithPath, isAbsolute, pathInside, resolvePath } from "./paths";
import { RepositoryState } from "./repository-state";
import type { ShellSurroundings } from "./shell-surroundings";

/** All files of a run while its history is being told: one ledger a file, whatever the trace calls it. */
export class HistoryBook {
  readonly writes: Write[] = [];
  readonly conflicts: HistoryConflict[] = [];
  readonly repository = new RepositoryState();
  readonly links = new LinkedPaths();
  readonly folders = new Set<string>();
  readonly checks: HistoryChecks = nothingChecked();
  readonly #ledgers = new Map<string, FileLedger>();
  readonly #byName = new Map<string, FileLedger[]>();

  constructor(
    readonly root: string | null,
    readonly baseline: Baseline | null,
  ) {}

  /** The ledger of a path as the trace spells it, made (and begun with the baseline) when it is new. */
  ledger(spelling: string, directory: string | null): FileLedger {
    const found = this.find(spelling, directory);
    if (found !== null) {
      this.#note(found, spelling);
      return found;
    }
    const { key, shown } = resolvePath(spelling, directory ?? this.root);
    const ledger = new FileLedger(shown);
    this.#ledgers.set(key, ledger);
    const name = key.slice(key.lastIndexOf("/") + 1);
    const same = this.#byName.get(name);
    if (same === undefined) this.#byName.set(name, [ledger]);
    else same.push(ledger);
    this.#note(ledger, spelling);
    this.#begin(ledger);
    return ledger;
  }

  /** The ledger of a path when there is one. */
  find(spelling: string, directory: string | null): FileLedger | null {
    const { key, shown } = resolvePath(spelling, directory ?? this.root);
    return this.#ledgers.get(key) ?? this.#bySuffix(shown);
  }

  /** Ledgers of files in a folder, or of the very path. */
  under(folder: string, directory: string | null): FileLedger[] {
    const { shown } = resolvePath(folder, directory ?? this.root);
    return this.all().filter((ledger) => shown === "." || pathInside(ledger.path, shown) !== null);
  }

  /** What the reader of shell commands may ask. */
  surroundings(): ShellSurroundings {
    return {
      root: this.root,
      repository: this.repository,
      links: this.links,
      folders: this.folders,
      filesUnder: (folder, directory, onlyWritten) =>
        this.under(folder, directory)
          .filter((ledger) => ledger.current.kind !== "absent" && (!onlyWritten || ledger.written))
          .map((ledger) => ledger.path),
      goneUnder: (folder, directory) =>
        this.under(folder, directory)
          .filter((ledger) => ledger.current.kind === "absent")
          .map((ledger) => ledger.path),
      contentOf: (path, directory) => {
        const ledger = this.find(path, directory);
        return ledger === null || ledger.current.kind === "absent" ? null : ledger.current;
      },
      baseOf: (path, directory) => this.find(path, directory)?.base ?? UNKNOWN,
    };
  }

  all(): FileLedger[] {
    return [...this.#ledgers.values()];
  }

  /** The files by path, in the order in which the trace came to them; files of which nothing came to be known are left out. */
  files(): Map<string, FileLedger> {
    return new Map(
      this.all()
        .filter((ledger) => ledger.versions.length > 0)
        .map((ledger) => [ledger.path, ledger]),
    );
  }

  /** Where a relative path is not anchored, one single file that ends with it is taken for the same. */
  #bySuffix(shown: string): FileLedger | null {
    const name = shown.slice(shown.lastIndexOf("/") + 1);
    const candidates = (this.#byName.get(name) ?? []).filter((ledger) => {
      if (isAbsolute(shown) === isAbsolute(ledger.path)) return false;
      return isAbsolute(shown) ? endsWithPath(shown, ledger.path) : endsWithPath(ledger.path, shown);
    });
    return candidates.length === 1 ? (candidates[0] ?? null) : null;
  }

  #note(ledger: FileLedger, spelling: string): void {
    if (spelling !== ledger.path && !ledger.aliases.includes(spelling)) ledger.aliases.push(spelling);
  }

  #begin(ledger: FileLedger): void {
    if (this.baseline === null) return;
    const relative = this.root === null ? null : pathInside(ledger.path, this.root);
    const text = this.baseline.files.get(relative ?? ledger.path) ?? this.#baselineBySuffix(ledger.path, relative);
    if (text === undefined) return;
    const version = {
      turn: null,
      item: null,
      arrival: -1,
      operation: "baseline",
      certainty: "given",
      note: null,
    } as const;
    ledger.add(version, wholeContent(text), null);
  }

  /**
   * An archive may put everything into one folder, and without a root the path's own beginning is not known: then one
   * single file that fits is taken.
   */
  #baselineBySuffix(path: string, relative: string | null): string | undefined {
    if (this.baseline === null || path === "" || relative === "") return undefined;
    const found: string[] = [];
    for (const [key, text] of this.baseline.files) {
      if (relative === null ? endsWithPath(path, key) : endsWithPath(key, relative)) found.push(text);
    }
    return found.length === 1 ? found[0] : undefined;
  }
}

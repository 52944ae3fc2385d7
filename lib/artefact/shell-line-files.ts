import { applyEffect } from "./effect-application";
import { ABSENT, UNKNOWN } from "./known-content";
import type { KnownContent } from "./model";
import { isAbsolute, pathInside, resolvePath } from "./paths";
import type { ShellPlace } from "./shell-place";
import type { ShellSurroundings, ShellWrite } from "./shell-surroundings";

/** What a command line asks about files: those that the line itself wrote so far count as it left them. */
export class LineFiles implements ShellSurroundings {
  readonly root: ShellSurroundings["root"];
  readonly repository: ShellSurroundings["repository"];
  readonly links: ShellSurroundings["links"];
  readonly folders: ShellSurroundings["folders"];
  readonly #made = new Map<string, { path: string; content: KnownContent }>();
  readonly #around: ShellSurroundings;
  readonly #place: ShellPlace;

  constructor(around: ShellSurroundings, place: ShellPlace) {
    this.root = around.root;
    this.repository = around.repository;
    this.links = around.links;
    this.folders = around.folders;
    this.#around = around;
    this.#place = place;
  }

  /** Takes note of what the line made of a file. */
  make(path: string, from: string | null, content: KnownContent): void {
    const { key, shown } = resolvePath(path, from);
    this.#made.set(key, { path: shown, content });
    if (content.kind === "absent") return;
    for (const path of this.links.othersOf(shown)) {
      this.#made.set(resolvePath(path, null).key, { path, content: UNKNOWN });
    }
  }

  /** What a write leaves of its file, whose path is resolved. */
  after({ path, effect, opaque }: ShellWrite, conditional: boolean): KnownContent {
    if (opaque !== null || conditional) return UNKNOWN;
    if (effect.kind === "write") return { kind: "whole", text: effect.text };
    if (effect.kind === "delete") return ABSENT;
    if (effect.kind === "move" || effect.kind === "copy") return this.contentOf(effect.from, null) ?? UNKNOWN;
    const applied = applyEffect(this.contentOf(path, null) ?? UNKNOWN, effect, []);
    return applied.ok ? applied.content : UNKNOWN;
  }

  contentOf(path: string, directory: string | null): KnownContent | null {
    // Where the shell may stand in several folders, it may be another file.
    if (this.#place.elsewhere.length > 0 && !isAbsolute(path)) return UNKNOWN;
    const made = this.#made.get(resolvePath(path, directory).key);
    if (made === undefined) return this.#around.contentOf(path, directory);
    return made.content.kind === "absent" ? null : made.content;
  }

  baseOf(path: string, directory: string | null): KnownContent {
    return this.#around.baseOf(path, directory);
  }

  filesUnder(folder: string, directory: string | null, onlyWritten: boolean): string[] {
    const others = this.#around.filesUnder(folder, directory, onlyWritten);
    return this.#with(others, folder, directory, (content) => content.kind !== "absent");
  }

  goneUnder(folder: string, directory: string | null): string[] {
    const others = this.#around.goneUnder(folder, directory);
    return this.#with(others, folder, directory, (content) => content.kind === "absent");
  }

  #with(
    others: readonly string[],
    folder: string,
    directory: string | null,
    wanted: (content: KnownContent) => boolean,
  ): string[] {
    const { shown } = resolvePath(folder, directory ?? this.root);
    const made = [...this.#made.values()].filter(
      ({ path, content }) => wanted(content) && (shown === "." || pathInside(path, shown) !== null),
    );
    return [...others.filter((path) => !this.#made.has(resolvePath(path, null).key)), ...made.map(({ path }) => path)];
  }
}

/** Longer lines name no path. */
const PATH_CHARS = 500;
const SPECIAL = new Set(["...", "", "-", "=", "+"]);

/**
 * The path that a line before a block names, without what models put around it: bold, backticks, a heading's signs, a
 * colon, a line number. Null for a line that names none.
 */
export function pathIn(line: string): string | null {
  if (line.length > PATH_CHARS) return null;
  const text = line.trim();
  if (SPECIAL.has(text)) return null;
  if (text.startsWith("```")) {
    const behind = text.replace(/^`+/, "").trim();
    // A fence may carry the path in place of a language.
    return /[./]/.test(behind) && !/\s/.test(behind) ? behind : null;
  }
  const plain = text
    .replace(/:$/, "")
    .replace(/^#+/, "")
    .trim()
    .replace(/^[`*]+/, "")
    .replace(/(?<![`*:])[`*:]+$/, "")
    .replaceAll("\\_", "_")
    .replace(/^(\S.*?):\d+(?:-\d+)?$/, "$1")
    .trim();
  return plain === "" ? null : plain;
}

/** The paths of the files that aider is known to have in the chat or to speak of. */
export class KnownPaths {
  readonly #paths: Set<string>;
  /** By the last part of the path; null for one that several have. */
  readonly #byName = new Map<string, string | null>();

  constructor(paths: Iterable<string>) {
    this.#paths = new Set(paths);
    for (const path of this.#paths) {
      const name = lastPart(path);
      this.#byName.set(name, this.#byName.has(name) ? null : path);
    }
  }

  /** The file that a model means: the same path, else the only one of the same name; otherwise the path as given. */
  resolve(given: string): string {
    if (this.#paths.has(given)) return given;
    return this.#byName.get(lastPart(given)) ?? given;
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

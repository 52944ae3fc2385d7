import { pathInside, resolvePath } from "./paths";

/** Links kept of a run; more than a person makes are not kept apart. */
const MAX_LINKS = 200;

/** Files and folders that `ln` made known under a second path: what is written to one of them is written to both. */
export class LinkedPaths {
  readonly #links: [string, string][] = [];

  /** Takes note of a link between two resolved paths. */
  add(path: string, other: string): void {
    if (path !== other && this.#links.length < MAX_LINKS) this.#links.push([path, other]);
  }

  /** The other paths of the file at a path, resolved. */
  othersOf(path: string): string[] {
    const found = new Set<string>([path]);
    // A link to a link is one more path of the same file.
    for (const known of found) {
      if (found.size > MAX_LINKS) break;
      for (const [left, right] of this.#links) {
        for (const [from, to] of [
          [left, right],
          [right, left],
        ] as const) {
          const inside = pathInside(known, from);
          if (inside !== null) found.add(inside === "" ? to : resolvePath(inside, to).shown);
        }
      }
    }
    found.delete(path);
    return [...found];
  }
}

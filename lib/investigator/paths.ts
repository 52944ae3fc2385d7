import { pathInside } from "@/lib/artefact/paths";

/** The path as people read it: relative to the repository's folder where it is inside, else as the trace spells it. */
export function displayPath(path: string, root: string | null): string {
  if (root === null || root === "/") return path;
  return pathInside(path, root) || path;
}

/** The last part of a path. */
export function fileName(path: string): string {
  const trimmed = path.endsWith("/") ? path.slice(0, -1) : path;
  return trimmed.slice(trimmed.lastIndexOf("/") + 1);
}

/**
 * The files that a unified diff leaves behind, relative to the repository. Null when there is no diff to look into.
 * Headers as `git diff` writes them; a deleted file (`+++ /dev/null`) is named by its old side.
 */
export function patchedPaths(patch: string | null): Set<string> | null {
  if (patch === null || patch.trim() === "") return null;
  const paths = new Set<string>();
  let old: string | null = null;
  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ")) old = null;
    else if (line.startsWith("--- ")) old = side(line, "a/");
    else if (line.startsWith("+++ ")) {
      const path = side(line, "b/") ?? old;
      if (path !== null) paths.add(path);
    } else if (line.startsWith("rename to ")) paths.add(line.slice("rename to ".length).trimEnd());
  }
  return paths.size === 0 ? null : paths;
}

function side(line: string, prefix: string): string | null {
  const tab = line.indexOf("\t", 4);
  const path = line.slice(4, tab === -1 ? undefined : tab).trimEnd();
  if (path === "/dev/null") return null;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

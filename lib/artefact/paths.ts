/** A path as histories are keyed: `key` is the same for every spelling of one file, `shown` is for people. */
export interface ResolvedPath {
  key: string;
  shown: string;
}

/**
 * Resolves a path as a trace spells it against a working directory: relative, absolute, `file://`, Windows with either
 * slash, with `.` and `..`. A relative path stays relative without a known directory, and inside a relative one. Symbolic
 * links are not followed.
 */
export function resolvePath(spelling: string, directory: string | null): ResolvedPath {
  let path = spelling.trim();
  if (/^file:\/\//i.test(path)) path = fromFileAddress(path);
  if (/^[A-Za-z]:[\\/]/.test(path) || path.startsWith("\\\\")) {
    const shown = normalise(path.replaceAll("\\", "/"));
    // Windows does not tell case apart.
    return { key: shown.toLowerCase(), shown };
  }
  if (directory !== null && directory !== "" && !isAbsolute(path)) {
    const windows = /^[A-Za-z]:[\\/]/.test(directory);
    return resolvePath(`${directory}/${windows ? path.replaceAll("\\", "/") : path}`, null);
  }
  const shown = normalise(path);
  return { key: shown, shown };
}

/** Whether a path says itself where it starts: from the root, a drive or the home folder. */
export function isAbsolute(path: string): boolean {
  return /^(?:\/|~(?:\/|$)|[A-Za-z]:[\\/]|\\\\|file:\/\/)/i.test(path);
}

function fromFileAddress(address: string): string {
  const path = address.replace(/^file:\/\/(?:localhost)?/i, "");
  let decoded = path;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    // A stray percent sign: the address is used as it stands.
    decoded = path;
  }
  return /^\/[A-Za-z]:[\\/]/.test(decoded) ? decoded.slice(1) : decoded;
}

function normalise(path: string): string {
  const root = path.startsWith("/") ? "/" : (/^[A-Za-z]:\//.exec(path)?.[0] ?? "");
  const parts: string[] = [];
  for (const part of path.slice(root.length).split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.length > 0 && parts.at(-1) !== "..") parts.pop();
    else if (part !== ".." || root === "") parts.push(part);
  }
  return root + parts.join("/") || ".";
}

/** The path inside a folder, null when it is not there. `root` itself gives an empty path. */
export function pathInside(path: string, root: string): string | null {
  if (path === root) return "";
  const folder = root.endsWith("/") ? root : `${root}/`;
  return path.startsWith(folder) ? path.slice(folder.length) : null;
}

/** Whether `path` is `relative` or ends with it as whole parts. */
export function endsWithPath(path: string, relative: string): boolean {
  return path === relative || path.endsWith(`/${relative}`);
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

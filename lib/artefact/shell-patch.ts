import { shellWords } from "@/lib/trajectory/shell-words";
import { resolvePath } from "./paths";

/** A command line that does nothing but hand a patch to `apply_patch`. */
export interface PatchCommand {
  /** The patch; null when the shell fills something into it. */
  patch: string | null;
  /** What stands between the marks of the here-document, as it is written. */
  source: string;
  directory: string | null;
}

const HERE_DOCUMENT =
  /^\s*(?:cd[ \t]+("[^"$`\\\n]*"|'[^'\n]*'|[^\s"'$`\\&;|<>()]+)[ \t]*&&\s*)?(?:\S{0,200}\/)?apply_?patch[ \t]*<<(-?)[ \t]*(['"]?)(\w+)\3[ \t]*\r?\n/;

/**
 * Reads `apply_patch` with a here-document, behind a `cd` or not, or with the patch as its one argument; also inside
 * `bash -lc`. Null for any other line: the harness that looks for patches in command lines takes no others either.
 */
export function patchCommandIn(line: string, directory: string | null): PatchCommand | null {
  if (!line.includes("apply")) return null;
  const opened = HERE_DOCUMENT.exec(line);
  if (opened !== null) return hereDocument(line, opened, directory);
  if (!/^\s*(?:\S{0,200}\/)?(?:apply_?patch|(?:ba|z|da)?sh)\s/.test(line)) return null;
  const words = shellWords(line) ?? [];
  const [name = "", second = "", third] = words;
  if (/(?:^|\/)apply_?patch$/.test(name) && words.length === 2) return { patch: second, source: second, directory };
  const isScript = /sh$/.test(name) && /^-l?c$/.test(second) && words.length === 3 && third !== undefined;
  // A shell inside the shell is not asked again.
  return isScript && !/^\s*\S*sh\s/.test(third) ? patchCommandIn(third, directory) : null;
}

function hereDocument(line: string, opened: RegExpExecArray, directory: string | null): PatchCommand | null {
  const [all, folder, tabs, quote, mark = ""] = opened;
  const lines = line.slice(all.length).split("\n");
  const read = tabs === "-" ? lines.map((text) => text.replace(/^\t+/, "")) : lines;
  const end = read.findIndex((text) => (text.endsWith("\r") ? text.slice(0, -1) : text) === mark);
  if (end === -1 || read.slice(end + 1).some((text) => text.trim() !== "")) return null;
  const source = read.slice(0, end).join("\n");
  const isLiteral = quote !== "" || !/[$`\\]/.test(source);
  const place = folder === undefined ? directory : resolvePath(folder.replace(/^(["'])(.*)\1$/, "$2"), directory).shown;
  return { patch: isLiteral ? source : null, source, directory: place };
}

import { baseName } from "./paths";
import { allFiles } from "./shell-files";
import { opaqueWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import type { ShellWord } from "./shell-variables";

/** Commands that run a program's text. */
export const INTERPRETERS = /^(?:python[\d.]*|node|ruby|perl|bash|sh|zsh|deno|bun|php)$/;

/** What in a program's text says that it changes files. */
const WRITES_FILES =
  /\bopen\s*\([^)\n]*,\s*(?:mode\s*=\s*)?['"][rbt]*[wax+]|write_text|write_bytes|\.write\s*\(|\bwriteFile|appendFile|\bshutil\.|\bos\.(?:rename|remove|unlink|replace)|\.unlink\s*\(|\.rename\s*\(|fileinput|\.to_csv|\.dump\s*\(|\.save\w*\s*\(|truncate|File\.write|sed\s+-i|fs\.\w*(?:rm|unlink|rename|copy)/;
/** What says that it looks for files itself. */
const SEARCHES_FILES = /\b(?:r?glob|os\.walk|iterdir|listdir|scandir|readdir\w*|ls-files)\b/;
/** What says that it takes their names from its command line. */
const TAKES_NAMES = /\b(?:argv|ARGV|argparse|click)\b/;

/** Files that a program's text names, when the text looks as if it writes files. */
export function programWrites(
  name: string,
  words: readonly ShellWord[],
  input: string | null,
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const inline = words.findIndex((word) => /^-(?:c|e|p|lc|-eval)$/.test(word.text));
  const script = words.find((word) => !word.text.startsWith("-"));
  const text =
    inline !== -1
      ? (words[inline + 1]?.text ?? null)
      : script === undefined || script.text === "-"
        ? input
        : textOf(script, around, directory);
  if (text === null || !WRITES_FILES.test(text)) return [];
  const why = `a ${name} program that names the file may change it`;
  const found = new Set<string>();
  const known = allFiles(around);
  if (SEARCHES_FILES.test(text)) for (const path of known) found.add(path);
  for (const [, , literal = ""] of text.matchAll(/(['"`])((?:(?!\1)[^\\\n]){1,300})\1/g)) {
    const opened = new RegExp(
      `open\\s*\\(\\s*['"]${literal.replace(/[\\^$.|?*+(){}[\]]/g, "\\$&")}['"]\\s*,\\s*['"][rbt]*[wax+]`,
    );
    if (around.contentOf(literal, directory) !== null || opened.test(text)) found.add(literal);
    // A path that the program puts together ends with what it names.
    else for (const path of known) if (isPartOf(literal, path)) found.add(path);
  }
  if (TAKES_NAMES.test(text)) {
    for (const word of words)
      if (word !== script && around.contentOf(word.text, directory) !== null) found.add(word.text);
  }
  return [...found].map((path) => opaqueWrite(path, why));
}

function isPartOf(literal: string, path: string): boolean {
  const name = baseName(path);
  return name.includes(".") && (literal === name || literal.endsWith(`/${name}`));
}

function textOf(word: ShellWord, around: ShellSurroundings, directory: string | null): string | null {
  const content = around.contentOf(word.text, directory);
  if (content?.kind === "whole") return content.text;
  return content?.kind === "partial" ? content.ranges.flatMap((range) => range.lines).join("") : null;
}

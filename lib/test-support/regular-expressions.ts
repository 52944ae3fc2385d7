import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";

/** A regular expression that stands in a source file. */
export interface FoundExpression {
  /** Below the root, with its line: `lib/redact/secret-rules.ts:12`. */
  place: string;
  source: string;
  flags: string;
}

/** Every regular expression literal, and every `new RegExp` of literal texts, in the sources of some folders. */
export function expressionsIn(root: string, folders: readonly string[]): FoundExpression[] {
  return folders.flatMap((folder) => sourcesOf(join(root, folder)).flatMap((file) => expressionsOf(root, file)));
}

function sourcesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.|^test-/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/\/(?:test-support|generated|fixtures)\//.test(file))
    .sort();
}

function expressionsOf(root: string, file: string): FoundExpression[] {
  const text = readFileSync(file, "utf8");
  const parsed = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: FoundExpression[] = [];
  const add = (node: ts.Node, source: string, flags: string): void => {
    const line = parsed.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    found.push({ place: `${relative(root, file)}:${line}`, source, flags });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if (ts.isNewExpression(node) && node.expression.getText() === "RegExp") {
      const [source, flags] = node.arguments ?? [];
      if (source && ts.isStringLiteralLike(source)) {
        add(node, source.text, flags && ts.isStringLiteralLike(flags) ? flags.text : "");
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(parsed);
  return found;
}

/**
 * Whether a part that may repeat without end stands inside another one: `(a+)*` takes time that doubles with each
 * character. Sound for what it reads, and coarse: it does not ask whether the parts can match the same text.
 */
export function hasNestedQuantifier(source: string): boolean {
  const groups: boolean[] = [];
  let holdsEndless = false;
  let i = 0;
  while (i < source.length) {
    const char = source[i] ?? "";
    if (char === "\\") i += 2;
    else if (char === "[") i = afterClass(source, i);
    else if (char === "(") {
      groups.push(holdsEndless);
      holdsEndless = false;
      i += 1;
    } else if (char === ")") {
      const isEndless = isEndlessAt(source, i + 1);
      if (isEndless && holdsEndless) return true;
      holdsEndless = (groups.pop() ?? false) || holdsEndless || isEndless;
      i += 1;
      continue;
    } else i += 1;
    if (char !== "(" && isEndlessAt(source, i)) holdsEndless = true;
  }
  return false;
}

function afterClass(source: string, at: number): number {
  let i = at + 1;
  while (i < source.length && source[i] !== "]") i += source[i] === "\\" ? 2 : 1;
  return i + 1;
}

const isEndlessAt = (source: string, at: number): boolean => /^(?:[*+]|\{\d+,\})/.test(source.slice(at, at + 24));

/**
 * A simple command's words with their quoting resolved as a POSIX shell does it; null when a quote is not closed. It is
 * for command lines without expansions: `$` and backticks stay as they are.
 */
export function shellWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  while (at < line.length) {
    const character = line.charAt(at);
    if (character === "'") {
      const end = line.indexOf("'", at + 1);
      if (end === -1) return null;
      word = (word ?? "") + line.slice(at + 1, end);
      at = end + 1;
    } else if (character === '"') {
      const quoted = doubleQuoted(line, at + 1);
      if (quoted === null) return null;
      word = (word ?? "") + quoted.text;
      at = quoted.next;
    } else if (character === "\\") {
      // Before a line feed it joins the lines; at the very end it stands for itself.
      const next = at + 1 < line.length ? line.charAt(at + 1) : character;
      if (next !== "\n") word = (word ?? "") + next;
      at += 2;
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
    } else {
      const end = indexOfNext(SPECIAL, line, at);
      word = (word ?? "") + line.slice(at, end);
      at = end;
    }
  }
  if (word !== null) words.push(word);
  return words;
}

/** What does not stand for itself outside quotes, and inside double quotes. */
const SPECIAL = /['"\\\s]/g;
const QUOTED_SPECIAL = /["\\]/g;

/** Where a sign stands next, from `from` on; the end when there is none. What is between is taken in one piece. */
function indexOfNext(sign: RegExp, line: string, from: number): number {
  sign.lastIndex = from;
  return sign.exec(line)?.index ?? line.length;
}

/** The text of a double-quoted string from after its opening quote, and where it ends. */
function doubleQuoted(line: string, start: number): { text: string; next: number } | null {
  let text = "";
  let at = start;
  while (at < line.length) {
    const character = line.charAt(at);
    if (character === '"') return { text, next: at + 1 };
    if (character === "\\" && '$`"\\\n'.includes(line.charAt(at + 1)) && at + 1 < line.length) {
      if (line.charAt(at + 1) !== "\n") text += line.charAt(at + 1);
      at += 2;
    } else {
      // A backslash that escapes nothing stands for itself.
      const end = indexOfNext(QUOTED_SPECIAL, line, at + 1);
      text += line.slice(at, end);
      at = end;
    }
  }
  return null;
}

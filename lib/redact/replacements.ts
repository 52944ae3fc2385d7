/** Text that stands in place of the UTF-16 range `start`..`end` of another text. */
export interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** The text with the replacements in it; they are in order and none reaches into the next. */
export function replaceAt(text: string, replacements: readonly Replacement[]): string {
  if (replacements.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  for (const replacement of replacements) {
    pieces.push(text.slice(at, replacement.start), replacement.text);
    at = replacement.end;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}

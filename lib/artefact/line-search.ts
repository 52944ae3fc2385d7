/** Characters that count as blank at the ends of a line: Unicode's White_Space, as the tool's language has it. */
function isBlank(code: number): boolean {
  if (code <= 32) return code === 32 || (code >= 9 && code <= 13);
  if (code < 0x85) return false;
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** A line without the blanks at its end. Not by a pattern, which takes quadratic time on blanks in the middle. */
function trimmedEnd(line: string): string {
  let end = line.length;
  while (end > 0 && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

function trimmed(line: string): string {
  let start = 0;
  while (start < line.length && isBlank(line.charCodeAt(start))) start += 1;
  return trimmedEnd(line.slice(start));
}

const TYPOGRAPHY: readonly [RegExp, string][] = [
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2018-\u201b]/g, "'"],
  [/[\u201c-\u201f]/g, '"'],
  [/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " "],
];

function plainTypography(line: string): string {
  let text = trimmed(line);
  for (const [pattern, plain] of TYPOGRAPHY) text = text.replace(pattern, plain);
  return text;
}

/** What of a line must be the same, from strict to lenient, in the order in which `apply_patch` tries them. */
const VIEWS: readonly ((line: string) => string)[] = [(line) => line, trimmedEnd, trimmed, plainTypography];

/**
 * Lines in which runs of others are looked for as `apply_patch` does it: exactly, then without the blanks at the ends of
 * lines, then without those at their beginnings, then with plain quotes and dashes.
 */
export class LineSearch {
  private readonly views: (readonly string[] | undefined)[];

  /** @param lines without their endings */
  constructor(readonly lines: readonly string[]) {
    this.views = [lines];
  }

  /** Where a run of lines first stands at or after `from` (0-based), null when nowhere; with `atEnd`, only at the end. */
  find(run: readonly string[], from: number, atEnd = false): number | null {
    if (run.length === 0) return from;
    if (run.length > this.lines.length) return null;
    const start = atEnd ? this.lines.length - run.length : from;
    for (const [n, view] of VIEWS.entries()) {
      const place = firstRun(this.view(n), run.map(view), start);
      if (place !== null) return place;
    }
    return null;
  }

  private view(n: number): readonly string[] {
    const known = this.views[n];
    if (known !== undefined) return known;
    const made = this.lines.map(VIEWS[n] ?? ((line) => line));
    this.views[n] = made;
    return made;
  }
}

/** Where a run first stands in lines at or after `from`; in linear time (Knuth, Morris and Pratt). */
export function firstRun(lines: readonly string[], run: readonly string[], from: number): number | null {
  const back = [0];
  let matched = 0;
  for (let at = 1; at < run.length; at += 1) {
    while (matched > 0 && run[at] !== run[matched]) matched = back[matched - 1] ?? 0;
    if (run[at] === run[matched]) matched += 1;
    back.push(matched);
  }
  matched = 0;
  for (let at = Math.max(0, from); at < lines.length; at += 1) {
    while (matched > 0 && lines[at] !== run[matched]) matched = back[matched - 1] ?? 0;
    if (lines[at] === run[matched]) matched += 1;
    if (matched === run.length) return at - run.length + 1;
  }
  return null;
}

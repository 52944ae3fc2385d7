/** A run of this many characters of a secret is masked wherever a part of a text holds it. */
const RUN_CHARS = 12;
/** At the ends of a part, where a cut may have fallen inside a secret, fewer are enough. */
const EDGE_CHARS = 6;

interface Spelling {
  text: string;
  mask: string;
}

/** Masks parts of the secrets that it was made for. */
export type PartMask = (text: string) => string;

/**
 * Makes what masks what a text holds of known secrets: each whole, any run of 12 of its characters, and 6 or more at the text's own
 * ends (before an ellipsis too). For texts that were cut out of others, where a secret may have lost the part by which a
 * rule knows it. A text that ends in six harmless characters equal to a secret's beginning is masked as well.
 * @param secrets secret to mask.
 */
export function partMask(secrets: ReadonlyMap<string, string>): PartMask {
  const known = runsOf(spellingsOf(secrets));
  return (text) => maskParts(text, known);
}

function maskParts(text: string, known: Known): string {
  const spans = [...runs(text, known), ...edges(text, known.spellings)].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  );
  let masked = "";
  let at = 0;
  for (const { start, end, mask } of spans) {
    if (end <= at) continue;
    // A span that begins inside the one before it continues the same secret or another: its rest goes without a name.
    if (start >= at) masked += text.slice(at, start) + mask;
    at = end;
  }
  return masked + text.slice(at);
}

interface Span {
  start: number;
  end: number;
  mask: string;
}

/** A secret as it is, as JSON writes it, and each longer line of one that has several. */
function spellingsOf(secrets: ReadonlyMap<string, string>): Spelling[] {
  const spellings = new Map<string, string>();
  for (const [secret, mask] of secrets) {
    for (const text of [secret, JSON.stringify(secret).slice(1, -1)]) {
      spellings.set(text, mask);
      for (const line of text.split(/\r?\n|\\r|\\n/)) if (line.length >= RUN_CHARS) spellings.set(line, mask);
    }
  }
  return [...spellings].filter(([text]) => text.length >= EDGE_CHARS).map(([text, mask]) => ({ text, mask }));
}

interface Known {
  spellings: Spelling[];
  /** Where a run of 12 characters stands in a spelling: the first place wins. */
  byRun: Map<string, { spelling: Spelling; at: number }>;
}

function runsOf(spellings: Spelling[]): Known {
  const byRun: Known["byRun"] = new Map();
  for (const spelling of spellings) {
    for (let at = 0; at + RUN_CHARS <= spelling.text.length; at += 1) {
      const run = spelling.text.slice(at, at + RUN_CHARS);
      if (!byRun.has(run)) byRun.set(run, { spelling, at });
    }
  }
  return { spellings, byRun };
}

function runs(text: string, { spellings, byRun }: Known): Span[] {
  const spans: Span[] = [];
  for (const spelling of spellings) {
    if (spelling.text.length >= RUN_CHARS) continue;
    for (let at = text.indexOf(spelling.text); at >= 0; at = text.indexOf(spelling.text, at + 1)) {
      spans.push({ start: at, end: at + spelling.text.length, mask: spelling.mask });
    }
  }
  for (let at = 0; at + RUN_CHARS <= text.length; at += 1) {
    const found = byRun.get(text.slice(at, at + RUN_CHARS));
    if (found === undefined) continue;
    const length = commonLength(text, at, found.spelling.text, found.at);
    spans.push({ start: at, end: at + length, mask: found.spelling.mask });
    at += length - RUN_CHARS;
  }
  return spans;
}

function commonLength(text: string, textAt: number, secret: string, secretAt: number): number {
  let length = 0;
  while (
    textAt + length < text.length &&
    secretAt + length < secret.length &&
    text.charCodeAt(textAt + length) === secret.charCodeAt(secretAt + length)
  ) {
    length += 1;
  }
  return length;
}

function edges(text: string, spellings: Spelling[]): Span[] {
  const body = text.replace(/(?:…|\.\.\.)$/, "");
  const spans: Span[] = [];
  for (const { text: secret, mask } of spellings) {
    for (let length = Math.min(secret.length, text.length, 2 * RUN_CHARS); length >= EDGE_CHARS; length -= 1) {
      if (text.startsWith(secret.slice(secret.length - length))) {
        spans.push({ start: 0, end: length, mask });
        break;
      }
    }
    for (let length = Math.min(secret.length, body.length, 2 * RUN_CHARS); length >= EDGE_CHARS; length -= 1) {
      if (body.endsWith(secret.slice(0, length))) {
        spans.push({ start: body.length - length, end: body.length, mask });
        break;
      }
    }
  }
  return spans;
}

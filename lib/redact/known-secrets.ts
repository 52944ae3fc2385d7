import { type Replacement, replaceAt } from "./replacements";

/** Shorter values are words of every day too often: masking `postgres` everywhere hides the run and no secret. */
const MIN_CHARS = 8;
const MAX_CHARS = 512;
const MIN_DIFFERENT_CHARS = 5;
/** Secrets are looked up by their last characters: many begin alike. */
const TAIL_CHARS = 8;

/** Masks whole secrets wherever they stand. */
export type KnownMask = (text: string) => string;

/** True for a secret that is one wherever it stands: long enough, of letters and digits, in one line. */
export function isDistinctive(secret: string): boolean {
  return (
    secret.length >= MIN_CHARS &&
    secret.length <= MAX_CHARS &&
    /[A-Za-z]/.test(secret) &&
    /\d/.test(secret) &&
    !/[\r\n]/.test(secret) &&
    new Set(secret).size >= MIN_DIFFERENT_CHARS
  );
}

/** Of secrets with their masks those that are secrets wherever they stand; of a cookie, its values. */
export function distinctiveSecrets(met: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [secret, mask] of met) {
    const parts = mask.startsWith("[redacted:cookie#") ? secret.split(/[;=\s]+/) : [];
    for (const one of [secret, ...parts]) if (isDistinctive(one) && !found.has(one)) found.set(one, mask);
  }
  return found;
}

/**
 * Makes what finds secrets that were recognised elsewhere, by the words around them, where they stand without these words:
 * the places in order, none inside another. Linear in the length of a text, however many secrets there are, except where
 * many end alike.
 * @param secrets distinctive secret to mask.
 */
export function knownReplacements(secrets: ReadonlyMap<string, string>): (text: string) => Replacement[] {
  if (secrets.size === 0) return () => [];
  const byTail = new Map<string, string[]>();
  const mayEnd = new Uint8Array(65_536);
  for (const secret of secrets.keys()) {
    const tail = secret.slice(-TAIL_CHARS);
    byTail.set(tail, [...(byTail.get(tail) ?? []), secret]);
    mayEnd[endHash(secret, secret.length)] = 1;
  }
  return (text) => {
    const replacements: Replacement[] = [];
    for (let end = TAIL_CHARS; end <= text.length; end += 1) {
      if (mayEnd[endHash(text, end)] === 0) continue;
      const candidates = byTail.get(text.slice(end - TAIL_CHARS, end)) ?? [];
      const found = longest(candidates.filter((secret) => text.startsWith(secret, end - secret.length)));
      if (found === null) continue;
      const last = replacements.at(-1);
      const start = end - found.length;
      // One that begins inside the one before it takes its rest without a second name.
      if (last !== undefined && start < last.end) last.end = end;
      else replacements.push({ start, end, text: secrets.get(found) ?? "" });
    }
    return replacements;
  };
}

/** As knownReplacements, for the text with the masks in it. */
export function knownMask(secrets: ReadonlyMap<string, string>): KnownMask {
  const find = knownReplacements(secrets);
  return (text) => replaceAt(text, find(text));
}

function longest(found: string[]): string | null {
  return found.reduce<string | null>((best, one) => (best === null || one.length > best.length ? one : best), null);
}

function endHash(text: string, end: number): number {
  const [a, b, c] = [text.charCodeAt(end - 1), text.charCodeAt(end - 2), text.charCodeAt(end - 3)];
  return ((a * 31 + b) * 31 + c) & 0xffff;
}

import {
  type DecodedView,
  originRange,
  plainView,
  withoutAnsi,
  withoutJsonEscapes,
  withoutShellQuotes,
} from "./decoded-view";
import { encodedRuns } from "./encoded-runs";
import { isPlaceholder } from "./placeholder";
import { privateKeys } from "./private-keys";
import { type Replacement, replaceAt } from "./replacements";
import { SECRET_RULES, type SecretRule } from "./secret-rules";

export { SECRET_RULES_VERSION } from "./secret-rules";

/**
 * Gives a secret the name that its mask shows, such as `github-token#1`; equal secrets should get equal names. `written`
 * is what stands in the text: the secret itself, or the way in which it is escaped, encoded or broken there.
 */
export type NameSecret = (family: string, secret: string, written: string) => string;

export interface Redacted {
  text: string;
  /** Masks that were put in. */
  count: number;
  /** How many of each family. */
  families: Record<string, number>;
}

interface Found {
  start: number;
  end: number;
  family: string;
  secret: string;
  /** Smaller is more specific. */
  order: number;
}

/** Levels of JSON in JSON that are looked through: tool output that quotes a log of JSON lines is two. */
const ESCAPE_LEVELS = 3;

/**
 * Masks the secrets of a text with `[redacted:name]`. Looks at the text as it is, without terminal sequences, with up
 * to three levels of JSON escapes decoded, with the quotes of shell words as they are meant, and into base64. Line breaks
 * inside a secret stay, so that line numbers keep their meaning; a terminal sequence inside a secret goes with it.
 * Redacting twice changes nothing.
 * Linear in the length of the text.
 */
export function redact(text: string, name: NameSecret): Redacted {
  const found = secretReplacements(text, name);
  const families: Record<string, number> = {};
  for (const { family } of found) families[family] = (families[family] ?? 0) + 1;
  return { text: replaceAt(text, found), count: found.length, families };
}

/** A mask of `redact` and the place in the text that it takes. */
export interface SecretReplacement extends Replacement {
  family: string;
}

/** The masks that `redact` puts in, in order, for those who have to know where each of them stands. */
export function secretReplacements(text: string, name: NameSecret): SecretReplacement[] {
  return merge(findSecrets(text), text).map(({ start, end, family, secret }) => {
    const written = text.slice(start, end);
    return { start, end, family, text: maskOf(name(family, secret, written)) + lineBreaks(written) };
  });
}

/** A naming for one piece of work: `family#1`, `family#2` in the order in which different secrets come up. */
export function numberSecrets(): NameSecret {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  return (family, secret) => {
    const key = `${family}\u0000${secret}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const n = (counts.get(family) ?? 0) + 1;
    counts.set(family, n);
    const made = `${family}#${n}`;
    names.set(key, made);
    return made;
  };
}

/** Names are kept to characters that no rule takes for part of a secret. */
function maskOf(name: string): string {
  return `[redacted:${name.replace(/[^A-Za-z0-9#.-]/g, "-").slice(0, 60)}]`;
}

function lineBreaks(secret: string): string {
  return secret.includes("\n") ? secret.replace(/[^\r\n]+/g, "") : "";
}

function findSecrets(text: string): Found[] {
  const found: Found[] = [];
  for (const view of viewsOf(text)) {
    for (const secret of secretsIn(view.text))
      found.push({ ...secret, ...originRange(view, secret.start, secret.end) });
    for (const run of encodedRuns(view.text)) {
      const inside = secretsIn(run.decoded)[0];
      if (inside !== undefined) {
        found.push({ ...inside, ...originRange(view, run.start, run.end) });
      }
    }
  }
  return found;
}

function viewsOf(text: string): DecodedView[] {
  let current: DecodedView = plainView(text);
  const views = [current];
  for (let level = 0; level <= ESCAPE_LEVELS; level += 1) {
    const plain = withoutAnsi(current);
    if (plain !== null) {
      views.push(plain);
      current = plain;
    }
    const quoted = withoutShellQuotes(current);
    if (quoted !== null) views.push(quoted);
    const decoded = level < ESCAPE_LEVELS ? withoutJsonEscapes(current) : null;
    if (decoded === null) break;
    views.push(decoded);
    current = decoded;
  }
  return views;
}

function secretsIn(text: string): Found[] {
  const found: Found[] = privateKeys(text).map((range) => ({
    ...range,
    family: "private-key",
    secret: text.slice(range.start, range.end),
    order: -1,
  }));
  let lower: string | null = null;
  SECRET_RULES.forEach((rule, order) => {
    if (rule.ignoreCase) lower ??= text.toLowerCase();
    const searched = rule.ignoreCase ? (lower ?? text) : text;
    if (!rule.hints.some((hint) => searched.includes(hint))) return;
    for (const match of text.matchAll(rule.pattern)) {
      const secret = match[1] ?? match[0];
      const start = match.index + match[0].lastIndexOf(secret);
      if (isBelievable(rule, secret, text.charAt(start + secret.length))) {
        found.push({ start, end: start + secret.length, family: rule.family, secret, order });
      }
    }
  });
  return found;
}

/** Identifiers of sessions and records; under a name like `password` they are masked all the same. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function isBelievable(rule: SecretRule, secret: string, next: string): boolean {
  if (next !== "" && rule.notBefore.includes(next)) return false;
  if (isPlaceholder(secret)) return false;
  if (rule.strength === "mixed") return /\d/.test(secret) && /[A-Za-z]/.test(secret) && !UUID.test(secret);
  if (rule.strength === "cased") return /\d/.test(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret);
  return true;
}

/** Puts overlapping finds together; the most specific one gives family and name. */
function merge(found: Found[], text: string): Found[] {
  const sorted = found
    .filter((f) => f.end > f.start && f.end <= text.length)
    .sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: Found[] = [];
  for (const next of sorted) {
    const last = merged[merged.length - 1];
    if (last === undefined || next.start >= last.end) {
      merged.push({ ...next });
      continue;
    }
    if (next.order < last.order) Object.assign(last, { family: next.family, secret: next.secret, order: next.order });
    last.end = Math.max(last.end, next.end);
  }
  return merged;
}

import { readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { expressionsIn, type FoundExpression, hasNestedQuantifier } from "@/lib/test-support/regular-expressions";

const ROOT = join(import.meta.dirname, "..");
/** Everything that reads what a trace holds. */
const FOLDERS = ["lib", "components", "app", "workers"];
/**
 * Every text is tried at two lengths, and the slowest of an expression at a third. One that is linear needs a millisecond
 * for the longest; one that is not is found on a short text, before it takes minutes on a long one.
 */
const TRIED = [
  { chars: 1_000, limitMs: 50 },
  { chars: 20_000, limitMs: 80 },
];
const LONGEST = { chars: 100_000, limitMs: 250 };

/** Expressions that are not linear and read no more than so many characters, by what their callers cut off before. */
const CUT_BEFORE = new Map([
  // The first line of a command, of which the title of a turn is made.
  [" +2>&1(?= |$)", 2_000],
  // The reason of a failed import, cut where the worker puts it on the row.
  ["\\s*\\(([^()]*)\\)\\.?$", 2_000],
]);

/**
 * Expressions in which a part that repeats stands in another, and that are linear all the same: each round begins with a
 * character that the round before cannot end in.
 */
const UNAMBIGUOUS = new Set([
  "^(?:\\s|<\\/?[a-z_]+>)+",
  "^\\s*(?:cd\\s+\\S+\\s*&&\\s*)?git\\s+(?:--no-pager\\s+)?diff(?:\\s+HEAD)?(?:\\s+--)?(?:\\s+[\\w./-]+)*\\s*$",
  "^\\[(\\^?)(\\]?(?:\\[:[a-z]+:\\]|[^\\]])*)\\]",
  "\\bsed\\s+(?:-\\S+\\s+)*-\\S*i|\\bperl\\s+-\\S*i|\\brm\\b|-delete\\b|\\bmv\\b",
  "^(?:\\s*cd\\s+[^\\s;&|]+\\s*(?:&&|;))+",
  "^(?:\\s*cd\\s+[^\\s;&|]+\\s*&&)*\\s*(?:[A-Za-z_]\\w*=\\S*\\s+)*([^\\s;|&<>()]+)",
  "(?:^|&&|\\|\\||[;\\n])[ \\t]*(?:echo|printf)\\s+(?:-\\w+\\s+)*[\"']?(?:COMPLETE_TASK_AND_SUBMIT|MICRO_SWE_AGENT|MINI_SWE_AGENT)_FINAL_OUTPUT\\b",
]);

const PURE = ["artefact", "folding", "findings", "ingest", "investigator", "redact", "trajectory"];

/** Expressions that are put together when their module is loaded: seen by standing in for `RegExp` meanwhile. */
async function builtExpressions(): Promise<FoundExpression[]> {
  const found: FoundExpression[] = [];
  const plain = globalThis.RegExp;
  vi.resetModules();
  try {
    for (const file of PURE.flatMap(modulesOf)) {
      globalThis.RegExp = new Proxy(plain, {
        construct(target, [source, flags]) {
          found.push({ place: file, source: String(source), flags: String(flags ?? "") });
          return new target(source, flags);
        },
      });
      await import(/* @vite-ignore */ join(ROOT, file));
    }
  } finally {
    globalThis.RegExp = plain;
  }
  return found;
}

function modulesOf(folder: string): string[] {
  return readdirSync(join(ROOT, "lib", folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|test-support|fixtures/.test(name))
    .map((name) => join("lib", folder, name));
}

const BASE = [
  "a",
  "A",
  "0",
  "_",
  " ",
  "\n",
  "\t",
  "-",
  "/",
  "\\",
  '"',
  "'",
  "<",
  ">",
  "[",
  "]",
  "(",
  ")",
  "{",
  "}",
  "=",
  ".",
];
const MORE = [
  ":",
  ";",
  ",",
  "|",
  "&",
  "$",
  "#",
  "*",
  "+",
  "\u001b[",
  "\u00e9",
  "\ud83d\ude00",
  "a ",
  "\n ",
  "\\a",
  '\\"',
  "a=",
  "a/",
  "a.",
];

/** What a text that nearly matches is made of: a beginning that does, and a piece of it that is repeated behind it. */
interface NearMiss {
  before: string;
  piece: string;
}

function nearMisses({ source, flags }: FoundExpression): NearMiss[] {
  const found = [...BASE, ...MORE].map((piece) => ({ before: "", piece }));
  for (const sample of samplesOf(source, flags)) {
    const short = sample.slice(0, 60);
    for (let at = 0; at < short.length; at += Math.max(1, Math.floor(short.length / 5))) {
      for (const size of [1, 4]) found.push({ before: short.slice(0, at), piece: short.slice(at, at + size) });
    }
    found.push({ before: "", piece: short });
  }
  return found.filter(({ piece }) => piece !== "");
}

/** The slowest thing about an expression, null when it keeps every limit. */
function slowness(one: FoundExpression): string | null {
  const expression = new RegExp(one.source, one.flags.replace("g", ""));
  const most = CUT_BEFORE.get(one.source) ?? LONGEST.chars;
  const misses = nearMisses(one);
  const trial = (miss: NearMiss, chars: number, limitMs: number): { tookMs: number; words: string | null } => {
    const text = `${miss.before}${miss.piece.repeat(Math.ceil(Math.min(chars, most) / miss.piece.length))}\u0001`;
    expression.lastIndex = 0;
    const tookMs = processorMs(() => expression.test(text));
    const on = `${text.length} characters that begin with ${JSON.stringify(text.slice(0, 40))}`;
    const words = `${one.place} /${one.source}/${one.flags}: ${Math.round(tookMs)} ms on ${on}`;
    return { tookMs, words: tookMs > limitMs ? words : null };
  };
  let slowest = { miss: misses[0], tookMs: -1 };
  for (const { chars, limitMs } of TRIED) {
    for (const miss of misses) {
      const { tookMs, words } = trial(miss, chars, limitMs);
      if (words !== null) return words;
      if (tookMs > slowest.tookMs) slowest = { miss, tookMs };
    }
  }
  return slowest.miss ? trial(slowest.miss, LONGEST.chars, LONGEST.limitMs).words : null;
}

/** Texts that match, where the generator knows every construct of the expression; else none. */
function samplesOf(source: string, flags: string): string[] {
  try {
    const anchored = new RegExp(source, flags.replaceAll(/[giy]/g, ""));
    return fc.sample(fc.stringMatching(anchored), { numRuns: 2, seed: 20_260_101 });
  } catch {
    // Look-around and the like: the pieces above stand for it.
    return [];
  }
}

/** Without a part that repeats without end an expression takes no more time at a place than it is long itself. */
const isEndless = ({ source }: FoundExpression): boolean => /[*+]|\{\d+,\}/.test(source);

let all: FoundExpression[] = [];
beforeAll(async () => {
  const found = [...expressionsIn(ROOT, FOLDERS), ...(await builtExpressions())];
  all = [...new Map(found.map((one) => [`${one.flags}/${one.source}`, one])).values()].filter(isEndless);
}, 120_000);
afterAll(() => vi.resetModules());

describe("U7: regular expressions", { timeout: 600_000 }, () => {
  it("are found, those that are put together too", () => {
    expect(all.length).toBeGreaterThan(150);
    for (const file of ["lib/redact/secret-rules.ts", "lib/folding", "lib/ingest/formats", "lib/artefact"]) {
      expect(
        all.some((one) => one.place.startsWith(file)),
        file,
      ).toBe(true);
    }
  });

  it("repeat no part that repeats itself", () => {
    const nested = all.filter((one) => hasNestedQuantifier(one.source) && !UNAMBIGUOUS.has(one.source));
    expect(nested).toEqual([]);
  });

  it("take time that grows with the text, not with its square", () => {
    const slow = all.map(slowness).filter((found) => found !== null);
    expect(slow).toEqual([]);
  });
});

describe("the search for parts that repeat inside others", () => {
  it.each(["(a+)+", "(?:a*)*", "((a|b+)c)*", "(x(y+)z)+", "(?:a{2,})+", "([a-z]+\\s)*", "(?:(?:a+))*"])(
    "finds %s",
    (source) => {
      expect(hasNestedQuantifier(source)).toBe(true);
    },
  );

  it.each(["a+b*", "(a|b)*", "(?:ab)+c*", "[a+]*", "\\(a+\\)*", "(a+)?", "(a{2,5})+", "[(a+)]*", "(a*)b(c)*"])(
    "lets %s pass",
    (source) => {
      expect(hasNestedQuantifier(source)).toBe(false);
    },
  );
});

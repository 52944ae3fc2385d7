import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { IngestError } from "@/lib/errors";
import { turnsOf } from "@/lib/trajectory/schema";
import { ADAPTERS, ingest } from "./ingest";
import { fixtureName, fixturesOf, isTextFixture, readFixture } from "./test-support/fixtures";
import { isProse } from "./test-support/mutations";
import { type Planted, plantLines } from "./test-support/text-fixtures";
import { mapParts, readParts, withStrings, writeParts } from "./test-support/trace-parts";

/** What a reader of YAML with tags would build: a function that is called, a command that is run, an object, a bomb. */
const YAML = [
  "toString: !!js/function >\n  function () { globalThis.__pwned = 1 }\nother: !!js/regexp /(a+)+$/",
  'run: !!python/object/apply:os.system ["touch /tmp/pwned"]',
  "module: !!python/object/new:subprocess.Popen [[id]]\nname: !!python/name:builtins.eval",
  "a: &a [x, x, x, x]\nb: &b [*a, *a, *a, *a]\nc: &c [*b, *b, *b, *b]\nd: [*c, *c, *c, *c]\n<<: *a",
];
const ALL = `\n---\n${YAML.join("\n")}\n...\n`;

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

const countOf = (text: string, part: string): number => text.split(part).length - 1;

/** Words of a converter of ATIF where the agent said nothing: with more behind them they are the agent's. */
const CONVERTERS_WORDS = /^Executed \w+ \S+$/;

/** An answer in JSON, which Moatless quotes without the fence for its next state. */
const FENCED_JSON = /^(```json\n)(\{.*\})(\n```)$/s;

/** A trace with YAML behind every prose, in JSON inside strings too, and how often that is. */
function yamlBehindProse(name: string, original: Uint8Array): Planted {
  const parts = readParts(original);
  if (parts.values.every((part) => "line" in part)) {
    return plantLines(name, new TextDecoder().decode(original), ALL.trim().split("\n"));
  }
  let count = 0;
  const yamlBehind = (text: string): string => {
    const nested = /^\s*[[{]/.test(text) ? nestedIn(text) : undefined;
    if (nested !== undefined) return JSON.stringify(withStrings(nested, yamlBehind));
    const [, open = "", json, close = ""] = FENCED_JSON.exec(text) ?? [];
    if (json !== undefined) return open + yamlBehind(json) + close;
    if (!isProse(text) || CONVERTERS_WORDS.test(text)) return text;
    count += 1;
    return text + ALL;
  };
  const text = writeParts(mapParts(parts, (value) => withStrings(value, yamlBehind)));
  return { text, count };
}

function nestedIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(text: string): IngestError {
  try {
    ingest({ name: "run.yaml", bytes: bytesOf(text) });
  } catch (error) {
    if (error instanceof IngestError) return error;
    throw error;
  }
  throw new Error("it was read as a trace");
}

describe("X3: YAML", () => {
  it.each([...YAML, ALL, `trajectory:\n- action: ls\n  observation: |\n    ${YAML[1]}\n`])(
    "X3: as a whole file is refused in words, and nothing of it is built: %s",
    (text) => {
      expect(refusal(text)).toMatchObject({
        code: "not_a_trace",
        message: "nothing in this file looks like the trace of a coding agent",
      });
      expect(globalThis).not.toHaveProperty("__pwned");
    },
  );

  it("X3: of a known tool is refused by its name", () => {
    const error = refusal(
      `history:\n- role: user\n  content: !!js/function "function () { globalThis.__pwned = 1 }"\n`,
    );
    expect(error).toMatchObject({
      code: "unsupported_format",
      message: expect.stringContaining("a SWE-agent demonstration in YAML"),
    });
    expect(globalThis).not.toHaveProperty("__pwned");
  });

  const fixtures = ADAPTERS.flatMap(({ id }) =>
    fixturesOf(id)
      // An archive states the lengths of its files and a database those of its cells: behind a text there is no room.
      .filter(isTextFixture)
      .map((file) => ({ name: fixtureName(file), file })),
  );
  it.each(fixtures)("X3: behind every prose of a trace is text, to the letter: $name", ({ name, file }) => {
    const original = readFixture(file);
    const { text: spoilt, count } = yamlBehindProse(name, original);
    expect(count).toBeGreaterThan(0);
    const { trajectory } = ingest({ name: file, bytes: bytesOf(spoilt) });
    const before = ingest({ name: file, bytes: original }).trajectory;
    expect(turnsOf(trajectory)).toHaveLength(turnsOf(before).length);
    // Some of it stands in JSON inside JSON, with a backslash more.
    const held = JSON.stringify(trajectory).replaceAll(/\\+n/g, "\n").replaceAll(/\\+"/g, '"');
    const whole = countOf(held, ALL.trim());
    expect(whole).toBeGreaterThan(0);
    // No tag stands anywhere but in the whole of what was written: nothing was split, resolved or called.
    for (const tag of ["!!js/function", "!!python/object/apply", "&a [x", "d: [*c"])
      expect(countOf(held, tag)).toBe(whole);
    expect(globalThis).not.toHaveProperty("__pwned");
  });

  it("X3: in a call's arguments stays the string that it is", () => {
    const bytes = bytesOf(
      JSON.stringify({
        uuid: "u",
        parentUuid: null,
        isSidechain: false,
        sessionId: "s",
        type: "assistant",
        message: {
          id: "m",
          role: "assistant",
          content: [{ type: "tool_use", id: "t", name: "Bash", input: { command: ALL } }],
        },
      }),
    );
    const { trajectory } = ingest({ name: "session.jsonl", bytes });
    expect(turnsOf(trajectory)[0]?.items[0]).toMatchObject({ kind: "call", arguments: { command: ALL } });
  });

  it("X3: has no reader among the packages that run", () => {
    const reader = /(?:^|[-/])ya?ml(?:[-js]|$)/i;
    for (const name of ["yaml", "js-yaml", "yamljs", "@acme/yaml", "yaml-ast-parser"]) expect(name).toMatch(reader);
    const root = join(import.meta.dirname, "..", "..");
    const lock: { packages: Record<string, { dev?: boolean }> } = JSON.parse(
      readFileSync(join(root, "package-lock.json"), "utf8"),
    );
    const installed = Object.entries(lock.packages).filter(([place, { dev }]) => place !== "" && dev !== true);
    expect(installed.length).toBeGreaterThan(100);
    expect(
      installed.map(([place]) => place.split("node_modules/").at(-1) ?? "").filter((name) => reader.test(name)),
    ).toEqual([]);
  });
});

import { isShellTool } from "@/lib/artefact/shell-tools";
import type { CallItem, Item, ResultItem, Turn } from "@/lib/trajectory/schema";
import { commandLineOf } from "./command-line";

/** One run of a test command. `outcome` is `unread` when the result does not say; numbers are null when not given. */
export interface TestRun {
  call: string;
  result: string | null;
  runner: string;
  outcome: "passed" | "failed" | "unread";
  passed: number | null;
  failed: number | null;
  /** UTF-16 range of the line of the result that says so. */
  summary: { start: number; end: number } | null;
}

interface Runner {
  name: string;
  command: RegExp;
}

/** Commands that run tests. Anchored at a word of the command line so that `cat pytest.ini` is none. */
const RUNNERS: Runner[] = [
  { name: "pytest", command: /^(?:py\.?test|python[\d.]* -m (?:pytest|py\.test)|(?:tox|nox)\b)/ },
  { name: "django", command: /^(?:python[\d.]* )?(?:\.\/)?(?:\S*\/)?(?:runtests\.py|manage\.py test)\b/ },
  {
    name: "unittest",
    command: /^python[\d.]* (?:-\w )?-m unittest\b|^python[\d.]* setup\.py test\b|^(?:\.\/)?bin\/test\b|^trial\b/,
  },
  {
    name: "jest",
    command:
      /^(?:npx |yarn |pnpm (?:exec )?|bunx? )?(?:jest|vitest|mocha|ava)\b|^(?:npm|yarn|pnpm|bun)(?: run)? test\b/,
  },
  { name: "go", command: /^go test\b/ },
  { name: "cargo", command: /^cargo (?:test|nextest)\b/ },
  {
    name: "other",
    command:
      /^(?:mvn|gradle|\.\/gradlew|make|bundle exec|rake|dotnet|phpunit|ctest|rspec)\b.*\b(?:test|tests|check|rspec|spec)\b|^(?:phpunit|ctest|rspec)\b/,
  },
];
const WRAPPERS =
  /^(?:(?:env|time|timeout(?: -\S+)* \S+|sudo|xvfb-run|poetry run|uv run|pipenv run|coverage run|[A-Z_][A-Z0-9_]*=\S*) )/;
const COMMAND_MAX_CHARS = 40_000;

/** The test runner that a command line starts, or null. Looks at each command of a chain, not into here-documents. */
export function testRunner(commandLine: string): string | null {
  for (const part of withoutHereDocuments(commandLine.slice(0, COMMAND_MAX_CHARS)).split(/&&|\|\||[;|\n]/)) {
    let command = part.trim();
    for (let i = 0; i < 4; i += 1) {
      const wrapper = WRAPPERS.exec(command);
      if (wrapper === null) break;
      command = command.slice(wrapper[0].length).trimStart();
    }
    const runner = RUNNERS.find((candidate) => candidate.command.test(command));
    if (runner !== undefined) return runner.name;
  }
  return null;
}

function withoutHereDocuments(commandLine: string): string {
  if (!commandLine.includes("<<")) return commandLine;
  const kept: string[] = [];
  let terminator: string | null = null;
  for (const line of commandLine.split("\n")) {
    if (terminator !== null) {
      if (line.trim() === terminator) terminator = null;
      continue;
    }
    kept.push(line);
    terminator = /<<-?\s{0,8}\\?["']?(\w+)/.exec(line)?.[1] ?? null;
  }
  return kept.join("\n");
}

/** The test runs of a turn, in the order of their calls, each with the result that answers it if there is one. */
export function testRunsOf(turn: Turn): TestRun[] {
  const runs: TestRun[] = [];
  for (const item of turn.items) {
    if (item.kind !== "call") continue;
    // An editor's call holds file text, in which a line may read like a command; a shell's can write and test at once.
    const command = item.callKind === "write" && !isShellTool(item.tool) ? null : commandLineOf(item);
    const runner = command === null ? null : testRunner(command);
    if (runner === null) continue;
    runs.push({ call: item.id, runner, ...readResult(resultOf(item, turn.items)) });
  }
  return runs;
}

/** The last result among `items` that answers the call; null when none does. */
export function resultOf(call: CallItem, items: Item[]): ResultItem | null {
  let found: ResultItem | null = null;
  for (const item of items) if (item.kind === "result" && item.callItem === call.id) found = item;
  return found;
}

function readResult(result: ResultItem | null): Omit<TestRun, "call" | "runner"> {
  const unread = { result: result?.id ?? null, outcome: "unread" as const, passed: null, failed: null, summary: null };
  if (result === null) return unread;
  const summary = readSummary(result.text);
  return summary === null ? unread : { result: result.id, ...summary };
}

type Summary = Omit<TestRun, "call" | "runner" | "result"> & { summary: { start: number; end: number } };

/** Lines at the end of a result that are searched for a summary; runners print theirs last. */
const TAIL_LINES = 200;
const LINE_MAX_CHARS = 400;

/**
 * Reads the last summary line of pytest, unittest, Django, jest, vitest, mocha, go or cargo from a result.
 * Works through the lines from the end, each line once. Null when no line is a summary: never guessed.
 */
export function readSummary(text: string): Summary | null {
  let end = text.length;
  let goPassed: Summary | null = null;
  for (let n = 0; n < TAIL_LINES && end > 0; n += 1) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    if (end - start <= LINE_MAX_CHARS) {
      const line = withoutColour(text.slice(start, end)).trim();
      const counts = readLine(line);
      if (counts !== null) {
        const summary: Summary = { ...counts, summary: { start, end } };
        // `go test ./...` prints one line a package: a failed package outweighs the passed ones around it.
        if (!line.startsWith("ok ") && !line.startsWith("ok\t")) return summary;
        goPassed ??= summary;
      }
    }
    end = start - 1;
  }
  return goPassed;
}

type Counts = { outcome: "passed" | "failed"; passed: number | null; failed: number | null };

function readLine(line: string): Counts | null {
  if (line.length < 2) return null;
  const cargo = /^test result: (ok|FAILED)\. (\d+) passed; (\d+) failed;/.exec(line);
  if (cargo !== null) return counted(Number(cargo[2]), Number(cargo[3]), cargo[1] === "FAILED");
  if (/^(?:OK|Ran \d+ tests? in [\d.]+s OK)(?: \([\w =,]+\))?$/.test(line))
    return { outcome: "passed", passed: null, failed: 0 };
  const unittest = /^FAILED \(([\w =,]+)\)$/.exec(line);
  if (unittest?.[1] !== undefined) {
    const bad = sum(unittest[1], /(?:failures|errors|unexpected successes)=(\d+)/g);
    return { outcome: "failed", passed: null, failed: bad };
  }
  if (/^(?:ok)\s+\S+\s+(?:[\d.]+s|\(cached\))/.test(line)) return { outcome: "passed", passed: null, failed: 0 };
  if (/^FAIL(?:\s+\S+\s+[\d.]+s|$|\s+\S+ \[)/.test(line) || /^--- FAIL: /.test(line)) {
    return { outcome: "failed", passed: null, failed: null };
  }
  if (/^Tests?:?\s/.test(line) || /^Tests\s/.test(line)) return readCounts(line);
  const mocha = /^(\d+) (passing|failing)\b/.exec(line);
  if (mocha !== null) {
    const n = Number(mocha[1]);
    return mocha[2] === "failing" ? counted(null, n, true) : { outcome: "passed", passed: n, failed: null };
  }
  // pytest: `==== 2 failed, 3 passed in 0.31s ====`, or without the rule under -q.
  if (/ in [\d.]+ ?s(?:econds)?\b/.test(line) && /\d+ (?:passed|failed|errors?|skipped)\b/.test(line))
    return readCounts(line);
  return null;
}

function readCounts(line: string): Counts | null {
  const passed = sum(line, /(\d+) passed\b/g);
  const failed = sum(line, /(\d+) (?:failed|errors?)\b/g);
  if (passed === 0 && failed === 0) return null;
  return counted(passed, failed, false);
}

function counted(passed: number | null, failed: number, isFailed: boolean): Counts {
  return { outcome: isFailed || failed > 0 ? "failed" : "passed", passed, failed };
}

function sum(text: string, pattern: RegExp): number {
  let total = 0;
  for (const match of text.matchAll(pattern)) total += Number(match[1]);
  return total;
}

/** Drops colour codes (`ESC [ ... m`) so that a summary in colour reads like a plain one. */
function withoutColour(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
  return line.includes("\u001b") ? line.replace(/\u001b\[[\d;]{0,32}m/g, "") : line;
}

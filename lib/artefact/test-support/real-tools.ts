import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { buildHistory } from "../history";
import { splitLines } from "../lines";
import type { KnownContent } from "../model";
import { type TestCall, trajectoryOf, wholeRead } from "../testing-trajectory";

/** Files, and command lines that are run over them one after the other, each in a shell of its own. */
export interface Scenario {
  files: Record<string, string>;
  lines: string[];
  /** The files are committed to a git repository first. */
  isRepository: boolean;
}

/** How the files of a scenario came out: told rightly, or declared unknown. */
export interface Agreement {
  told: number;
  unknown: number;
}

const ENVIRONMENT: NodeJS.ProcessEnv = {
  NODE_ENV: "test",
  PATH: process.env.PATH ?? "/usr/bin:/bin",
  LC_ALL: "C.UTF-8",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.org",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.org",
};

function shell(folder: string, line: string): { text: string; exitCode: number } {
  const { stdout, stderr, status } = spawnSync("bash", ["-c", line], {
    cwd: folder,
    env: { ...ENVIRONMENT, HOME: join(folder, ".home") },
    encoding: "utf8",
    timeout: 20_000,
    input: "",
  });
  return { text: `${stdout}${stderr}`, exitCode: status ?? 1 };
}

/** Whether a tool is there, in the kind that traces come from: GNU's. */
export function hasTool(name: string): boolean {
  const found = spawnSync(name, ["--version"], { encoding: "utf8" });
  const isGnu = !["sed", "patch"].includes(name) || /GNU/.test(found.stdout ?? "");
  return found.error === undefined && found.status === 0 && isGnu;
}

/** A scratch folder for scenarios, and how to take it away again. */
export function scratchFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(join(tmpdir(), "misstep-replay-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Runs a scenario with the real tools in a scratch folder and holds the history of the same commands against the files
 * that come out.
 * @throws Error with the scenario when the history says of any file what is not so, or nothing of one that is new
 */
export function compare(scratch: string, scenario: Scenario): Agreement {
  const folder = mkdtempSync(join(scratch, "case-"));
  for (const [path, text] of Object.entries(scenario.files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  if (scenario.isRepository) shell(folder, "git init -q . && git add -A && git commit -q -m base");
  const answers = scenario.lines.map((line) => {
    const result = shell(folder, line);
    // A file that is shown is evidence of what it holds.
    const shown = /^cat ([\w.]+)$/.exec(line)?.[1];
    const reads = shown === undefined || result.exitCode !== 0 ? [] : [wholeRead(`/repo/${shown}`, result.text)];
    return { line, result: { ...result, reads } };
  });
  const reads: TestCall = {
    tool: "Read",
    result: { reads: Object.entries(scenario.files).map(([path, text]) => wholeRead(`/repo/${path}`, text)) },
  };
  const calls = answers.map(
    ({ line, result }): TestCall => ({
      tool: "bash",
      text: line,
      result: { ...result, isError: result.exitCode !== 0 },
      state: { freshShell: true },
    }),
  );
  const history = buildHistory(trajectoryOf([reads, ...calls]), null);
  const actual = filesIn(folder);
  const agreement = { told: 0, unknown: 0 };
  for (const path of new Set([...actual.keys(), ...Object.keys(scenario.files)])) {
    const content = history.files.get(`/repo/${path}`)?.versions.at(-1)?.content;
    const text = actual.get(path) ?? null;
    // Copies that `patch` keeps of what it did not like, and new files that the shell found a name for, are not named.
    const isNew = !Object.hasOwn(scenario.files, path);
    const isUnnamed = /\.(?:orig|rej)$/.test(path) || (isNew && scenario.lines.some((line) => /[$`~*?[]/.test(line)));
    if (content === undefined && isUnnamed) continue;
    const problem = content === undefined ? "nothing is told of it" : contradiction(content, text);
    if (problem !== null) {
      throw new Error(
        JSON.stringify({ path, problem, actual: text, told: content, answers, files: scenario.files }, null, 1),
      );
    }
    if (content?.kind === "unknown") agreement.unknown += 1;
    else agreement.told += 1;
  }
  rmSync(folder, { recursive: true, force: true });
  return agreement;
}

function contradiction(content: KnownContent, text: string | null): string | null {
  if (content.kind === "unknown") return null;
  if (content.kind === "absent") return text === null ? null : "it is there";
  if (text === null) return "it is not there";
  if (content.kind === "whole") return content.text === text ? null : "it holds another text";
  const lines = splitLines(text);
  const isSame = content.ranges.every((range) =>
    range.lines.every((line, n) => lines[range.startLine - 1 + n] === line),
  );
  return isSame ? null : "a line of it is another";
}

function filesIn(folder: string): Map<string, string> {
  const files = new Map<string, string>();
  const visit = (under: string): void => {
    for (const entry of readdirSync(join(folder, under), { withFileTypes: true })) {
      const path = under === "" ? entry.name : `${under}/${entry.name}`;
      if (path === ".git" || path === ".home") continue;
      if (entry.isDirectory()) visit(path);
      else if (existsSync(join(folder, path))) files.set(path, readFileSync(join(folder, path), "utf8"));
    }
  };
  visit("");
  return files;
}

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
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
  // Neither example hooks nor tidying up: they take longer than what is looked at.
  GIT_TEMPLATE_DIR: "",
  GIT_CONFIG_COUNT: "2",
  GIT_CONFIG_KEY_0: "gc.auto",
  GIT_CONFIG_VALUE_0: "0",
  GIT_CONFIG_KEY_1: "maintenance.auto",
  GIT_CONFIG_VALUE_1: "false",
};

interface Answer {
  text: string;
  exitCode: number;
}

/** Runs the lines that stand in the files of one folder after the other, each in a shell of its own. */
const DRIVER = `ulimit -t 60
for lines in "$@"; do
  cd "$lines/../files" && export HOME="$lines/../home"
  for line in "$lines"/*.sh; do
    IFS= read -r -d '' text < "$line"
    bash -c "$text" > "$line.out" 2> "$line.err" < /dev/null
    echo $? > "$line.code"
  done
done`;

/** What each line of each case printed. One process runs them all, as to start one from here takes longer than a case. */
function run(cases: readonly { folder: string; lines: readonly string[] }[]): Answer[][] {
  const nameOf = (n: number): string => `${String(n).padStart(3, "0")}.sh`;
  for (const { folder, lines } of cases) {
    mkdirSync(join(folder, "lines"));
    mkdirSync(join(folder, "home"));
    for (const [n, line] of lines.entries()) writeFileSync(join(folder, "lines", nameOf(n)), line);
  }
  const folders = cases.map(({ folder }) => join(folder, "lines"));
  // Nothing that the person who runs this has set up is read, as a shell with a socket for its input would.
  const driver = spawnSync("bash", ["--norc", "--noprofile", "-c", DRIVER, "cases", ...folders], {
    env: ENVIRONMENT,
    stdio: "ignore",
    timeout: 250_000,
  });
  if (driver.error !== undefined) throw driver.error;
  return cases.map(({ folder, lines }) =>
    lines.map((_, n) => {
      const told = (ending: string): string => readFileSync(join(folder, "lines", nameOf(n) + ending), "utf8");
      return { text: told(".out") + told(".err"), exitCode: Number(told(".code")) };
    }),
  );
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
 * Runs scenarios with the real tools, each in a scratch folder, and holds the history of the same commands against the
 * files that come out.
 * @throws Error with the scenario when the history says of any file what is not so, or nothing of one that is new
 */
export function compare(scratch: string, scenarios: readonly Scenario[]): Agreement {
  const cases = scenarios.map((scenario) => {
    const folder = mkdtempSync(join(scratch, "case-"));
    putFiles(join(folder, "files"), scenario.files);
    if (scenario.isRepository) {
      cpSync(repositoryOf(scratch, scenario.files), join(folder, "files", ".git"), { recursive: true });
    }
    return { folder, scenario, lines: scenario.lines };
  });
  const sum = { told: 0, unknown: 0 };
  const answers = run(cases);
  for (const [n, { folder, scenario }] of cases.entries()) {
    const { told, unknown } = compareOne(join(folder, "files"), scenario, answers[n] ?? []);
    sum.told += told;
    sum.unknown += unknown;
    rmSync(folder, { recursive: true, force: true });
  }
  return sum;
}

function putFiles(folder: string, files: Scenario["files"]): void {
  mkdirSync(folder);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The `.git` of a repository in which files are committed. It is made once, as git takes longer than a copy. */
function repositoryOf(scratch: string, files: Scenario["files"]): string {
  const name = createHash("sha256").update(JSON.stringify(files)).digest("hex");
  const folder = join(scratch, `repository-${name}`);
  if (!existsSync(folder)) {
    putFiles(folder, files);
    const line = "git init -q . && git add -A && git commit -q -m base";
    const { status } = spawnSync("bash", ["-c", line], { cwd: folder, env: { ...ENVIRONMENT, HOME: scratch } });
    if (status !== 0) throw new Error("git makes no repository");
  }
  return join(folder, ".git");
}

function compareOne(folder: string, scenario: Scenario, given: readonly Answer[]): Agreement {
  const answers = scenario.lines.map((line, n) => {
    const result = given[n] ?? { text: "", exitCode: 1 };
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
    // Of a line that it cannot read, a shell runs what stands before the error.
    const isUnread = isNew && answers.some(({ result }) => /syntax error/.test(result.text));
    const isUnnamed =
      isUnread || /\.(?:orig|rej)$/.test(path) || (isNew && scenario.lines.some((line) => /[$`~*?[]/.test(line)));
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
      if (path === ".git") continue;
      if (entry.isDirectory()) visit(path);
      // A link to a folder shows files that are there under their own names.
      else if (existsSync(join(folder, path)) && statSync(join(folder, path)).isFile())
        files.set(path, readFileSync(join(folder, path), "utf8"));
    }
  };
  visit("");
  return files;
}

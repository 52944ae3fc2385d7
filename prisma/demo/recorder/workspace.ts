import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** A real folder with a real repository in it, shown under another name (`/testbed`) in everything that is recorded. */
export class Workspace {
  private readonly real: string;

  constructor(
    readonly shown: string,
    files: Record<string, string>,
  ) {
    this.real = mkdtempSync(path.join(os.tmpdir(), "misstep-demo-"));
    for (const [name, text] of Object.entries(files)) this.put(`${shown}/${name}`, text);
    this.git("init", "-q", "-b", "main");
    this.git("add", "-A");
    this.git("commit", "-qm", "Start");
  }

  /** Runs a command line in the folder; both streams in the order in which they came, times made the same every run. */
  run(command: string, cwd: string = this.shown): { output: string; exitCode: number } {
    const result = spawnSync("bash", ["-c", `exec 2>&1\n${this.toReal(command)}`], {
      cwd: this.toReal(cwd),
      encoding: "utf8",
      env: {
        NODE_ENV: "production",
        PATH: process.env.PATH ?? "",
        HOME: this.real,
        LC_ALL: "C.UTF-8",
        PYTHONDONTWRITEBYTECODE: "1",
        PYTHONHASHSEED: "0",
        PYTEST_ADDOPTS: "-p no:cacheprovider",
        COLUMNS: "80",
        NO_COLOR: "1",
      },
    });
    return { output: this.toShown(result.stdout), exitCode: result.status ?? 1 };
  }

  read(name: string): string {
    return readFileSync(this.toReal(name), "utf8");
  }

  exists(name: string): boolean {
    try {
      this.read(name);
      return true;
    } catch {
      return false;
    }
  }

  put(name: string, text: string): void {
    const file = this.toReal(name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }

  /** Everything since the start as one diff, new files included. */
  diff(): string {
    // An index of its own: what the run itself sees of git stays as the run made it.
    copyFileSync(path.join(this.real, ".git/index"), path.join(this.real, ".git/demo-index"));
    this.git("add", "-A");
    return this.toShown(this.git("diff", "--cached", "HEAD"));
  }

  close(): void {
    rmSync(this.real, { recursive: true, force: true });
  }

  private git(...args: string[]): string {
    const index = existsSync(path.join(this.real, ".git/demo-index")) ? { GIT_INDEX_FILE: ".git/demo-index" } : {};
    return execFileSync("git", ["-c", "user.name=Demo", "-c", "user.email=demo@example.org", "-c", "core.abbrev=9", ...args], {
      cwd: this.real,
      encoding: "utf8",
      env: { NODE_ENV: "production", PATH: process.env.PATH ?? "", HOME: this.real, GIT_CONFIG_NOSYSTEM: "1", ...index, GIT_COMMITTER_DATE: "2026-01-05T09:00:00Z", GIT_AUTHOR_DATE: "2026-01-05T09:00:00Z" },
    });
  }

  private toReal(text: string): string {
    return text.replaceAll(this.shown, this.real);
  }

  private toShown(text: string): string {
    return text
      .replaceAll(this.real, this.shown)
      .replace(/ in \d+\.\d\ds/g, " in 0.08s")
      .replace(/in \d+\.\d{3}s/g, "in 0.008s");
  }
}

/** Lines as `cat -n` prints them: number in six columns, tab, text. */
export function numbered(lines: string[], startLine: number, separator = "\t"): string {
  return lines.map((line, i) => `${String(startLine + i).padStart(6)}${separator}${line}`).join("\n");
}

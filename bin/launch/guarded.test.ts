import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readLines, runGuarded, startGuarded } from "./guarded.mjs";

const node = (script: string): [string, string[]] => [process.execPath, ["-e", script]];

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that has ended and waits to be collected has no command line any more.
    return process.platform !== "linux" || readFileSync(`/proc/${pid}/cmdline`, "utf8") !== "";
  } catch {
    return false;
  }
}

/** The first line that a process says: the number of a process that it wants watched. */
function firstNumber(guarded: { stdout: import("node:stream").Readable | null }): Promise<number> {
  return new Promise((resolve) => void readLines(guarded.stdout, (line) => resolve(Number(line))));
}

describe("startGuarded", () => {
  it("gives the exit code and both outputs, and a signal as 128 and its number", async () => {
    const ran = await runGuarded(...node("console.log('out'); console.error('err'); process.exitCode = 3"));
    expect(ran.code).toBe(3);
    expect(ran.lines.sort()).toEqual(["err", "out"]);
    expect((await runGuarded(...node("process.kill(process.pid, 'SIGKILL')"))).code).toBe(137);
    expect((await runGuarded("/no/such/program", [])).code).toBe(127);
  });

  it("asks first, and kills after the grace time", async () => {
    const polite = startGuarded(
      ...node("process.on('SIGTERM', () => process.exit(7)); console.log(process.pid); setInterval(() => 0, 1e3)"),
    );
    await firstNumber(polite);
    expect(await polite.stop()).toBe(7);
    const deaf = startGuarded(
      ...node("process.on('SIGTERM', () => 0); console.log(process.pid); setInterval(() => 0, 1e3)"),
      {
        graceMs: 200,
      },
    );
    const pid = await firstNumber(deaf);
    await deaf.stop();
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it("ends what the command left behind in its group", async () => {
    const script = `
      const child = require("child_process").spawn(process.execPath, ["-e", "process.on('SIGTERM', () => 0); setInterval(() => 0, 1e3)"]);
      child.unref(); console.log(child.pid); setTimeout(() => process.exit(0), 300)`;
    const guarded = startGuarded(...node(script));
    const left = await firstNumber(guarded);
    expect(await guarded.exited).toBe(0);
    await expect.poll(() => isAlive(left)).toBe(false);
  });

  it("ends the command when whoever started it is killed with -9", async () => {
    const script = `
      const { startGuarded } = await import(${JSON.stringify(new URL("./guarded.mjs", import.meta.url).href)});
      startGuarded(process.execPath, ["-e", "console.log(process.pid); setInterval(() => 0, 1e3)"], { output: "inherit" });`;
    const owner = startGuarded(process.execPath, ["--input-type=module", "-e", script]);
    const pid = await firstNumber(owner);
    expect(isAlive(pid)).toBe(true);
    // The owner is the child of its own guard: kill it alone, and nothing that could clean up after it.
    owner.kill();
    await expect.poll(() => isAlive(pid), { timeout: 5_000 }).toBe(false);
  });
});

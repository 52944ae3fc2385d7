import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { Progress, plain } from "./progress.mjs";

function screen(isTTY: boolean) {
  let text = "";
  const out = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        text += String(chunk);
        done();
      },
    }),
    { isTTY, columns: 40 },
  );
  // Only `write`, `writable`, `isTTY` and `columns` of a terminal are used.
  return { progress: new Progress(2, out as unknown as NodeJS.WriteStream), text: () => text };
}

describe("Progress", () => {
  it("writes whole lines where nothing can be rewritten", async () => {
    const { progress, text } = screen(false);
    progress.skip("The packages are installed");
    await progress.run("Building", () => progress.line("a word in between"));
    expect(text()).toBe("[1/2] The packages are installed\n[2/2] Building\na word in between\n");
  });

  it("keeps one line on a terminal, with what it is at, and lines above it whole", async () => {
    const { progress, text } = screen(true);
    await progress.run("Building", (tell) => {
      tell("\u001b[32mpage 3 of 8\u001b[0m");
      progress.line("worker ended");
    });
    expect(text()).toContain("\r\u001b[2Kworker ended\n");
    expect(text()).toContain("page 3 of 8");
    expect(text()).not.toContain("\u001b[32m");
    expect(text()).toMatch(/\[1\/2\] Building \.\.\. done, 0\.\d s\n$/);
  });

  it("tells a failure from a stop that was asked for", async () => {
    const { progress, text } = screen(false);
    const fail = () => Promise.reject(new Error("x"));
    await expect(progress.run("Building", fail)).rejects.toThrow("x");
    progress.isStopping = true;
    await expect(progress.run("Waiting", fail)).rejects.toThrow("x");
    expect(text()).toMatch(/Building \.\.\. failed, .+\n.*\n?.*Waiting \.\.\. stopped, /);
  });
});

describe("plain", () => {
  it("takes out colours, titles and everything else that moves a cursor", () => {
    expect(plain("\u001b[1;31mred\u001b[0m \u001b]0;title\u0007x\r\ny\u0000")).toBe("red x  y");
  });
});

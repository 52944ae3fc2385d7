import { describe, expect, it, vi } from "vitest";
import { supervise } from "./supervise.mjs";

/** A process that ends when it is told to. */
function stub() {
  let end: (code: number) => void = () => undefined;
  const exited = new Promise<number>((resolve) => {
    end = resolve;
  });
  return { exited, end, stop: async () => end(0) };
}

describe("supervise", () => {
  it("starts again with longer and longer waits, and forgets them after a steady minute", async () => {
    vi.useFakeTimers();
    const started: ReturnType<typeof stub>[] = [];
    const said: string[] = [];
    const one = await supervise(
      "worker",
      () => {
        started.push(stub());
        return started.at(-1) ?? stub();
      },
      (line) => said.push(line),
    );
    for (const wait of ["0.5", "1", "2"]) {
      started.at(-1)?.end(137);
      await vi.advanceTimersByTimeAsync(Number(wait) * 1_000);
      expect(said.at(-1)).toBe(`worker ended (signal 9); it is started again in ${wait} s`);
    }
    expect(started).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(61_000);
    started.at(-1)?.end(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(said.at(-1)).toBe("worker ended (exit code 1); it is started again in 0.5 s");
    expect(one.ends).toBe(4);
    await one.stop();
    vi.useRealTimers();
    expect(started).toHaveLength(5);
  });

  it("does not start again what it was asked to stop while it waits", async () => {
    let starts = 0;
    const only = stub();
    const start = () => {
      starts += 1;
      return only;
    };
    const one = await supervise("web", start, () => undefined);
    only.end(1);
    await vi.waitFor(() => expect(one.ends).toBe(1));
    await one.stop();
    expect(starts).toBe(1);
  });

  it("tells at once when the first start fails, and tries on when a later one does", async () => {
    const fail = () => Promise.reject(new Error("no room"));
    await expect(supervise("web", fail, () => undefined)).rejects.toThrow("no room");

    vi.useFakeTimers();
    const first = stub();
    const third = stub();
    const starts = [() => first, fail, () => third];
    const said: string[] = [];
    const one = await supervise(
      "web",
      async () => (starts.shift() ?? fail)(),
      (line) => said.push(line),
    );
    first.end(1);
    await vi.advanceTimersByTimeAsync(500);
    expect(said).toContain("web could not be started: no room");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(starts).toEqual([]);
    await one.stop();
    vi.useRealTimers();
  });
});

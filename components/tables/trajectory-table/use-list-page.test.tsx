import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ListPage, TrajectoryRow } from "@/lib/views/trajectory-list";
import { useListPage } from "./use-list-page";

const importing: TrajectoryRow = {
  id: "i",
  name: "going.jsonl",
  status: "importing",
  progress: { phase: "reading", done: 1, total: 2, turns: 3 },
  failure: null,
  parts: null,
  file: null,
  isDemo: false,
  format: null,
  framework: null,
  frameworkVersion: null,
  model: null,
  task: null,
  outcome: null,
  exitStatus: null,
  turnCount: null,
  writeCount: null,
  notUnderstood: 0,
  runStrip: null,
  verdict: null,
  sizeBytes: 1,
  uploadedAt: "2026-11-30T12:00:00.000Z",
};

function page(total: number, pinned: TrajectoryRow[] = []): ListPage {
  return {
    rows: [],
    pinned,
    pinnedTotal: pinned.length,
    pinnedFailed: 0,
    matching: 0,
    total,
    insideFiles: 0,
    file: null,
    counts: { undetermined: 0, failedImports: 0 },
    frameworks: [],
  };
}

const fetched = vi.fn<(url: string) => Promise<Response>>();
const answer = (body: unknown, status = 200) => Promise.resolve(new Response(JSON.stringify(body), { status }));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers();
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const show = (initial: ListPage, keepAsking = false) =>
  renderHook(({ address }) => useListPage(address, { address: "", page: initial }, keepAsking), {
    initialProps: { address: "" },
  });

describe("useListPage", () => {
  it("asks rarely while nothing moves, and not in a window that nobody sees", async () => {
    fetched.mockImplementation(() => answer(page(6)));
    const seen = vi.spyOn(document, "visibilityState", "get");
    const { result } = show(page(5));
    await pass(19_000);
    expect(fetched).not.toHaveBeenCalled();
    await pass(2_000);
    expect(fetched).toHaveBeenCalledTimes(1);
    expect(result.current.page.total).toBe(6);
    seen.mockReturnValue("hidden");
    await pass(120_000);
    expect(fetched).toHaveBeenCalledTimes(1);
    seen.mockReturnValue("visible");
    document.dispatchEvent(new Event("visibilitychange"));
    await pass(0);
    expect(fetched).toHaveBeenCalledTimes(2);
    seen.mockRestore();
  });

  it("asks again while an import runs, and stops when it has ended", async () => {
    fetched.mockImplementationOnce(() => answer(page(1, [importing])));
    fetched.mockImplementation(() => answer(page(2)));
    const { result } = show(page(1, [importing]));
    await pass(3_000);
    expect(result.current.page.total).toBe(2);
    const asked = fetched.mock.calls.length;
    await pass(19_000);
    expect(fetched.mock.calls.length).toBeLessThanOrEqual(asked + 1);
    expect(fetched.mock.calls[0]?.[0]).toBe("/api/v1/trajectories");
  });

  it("shows the old page as old until the new address has answered", async () => {
    let finish = (_: Response): void => undefined;
    fetched.mockImplementation(
      () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    );
    const { result, rerender } = show(page(5));
    rerender({ address: "q=a" });
    await pass(0);
    expect(fetched.mock.calls[0]?.[0]).toBe("/api/v1/trajectories?q=a");
    expect(result.current).toMatchObject({ isBehind: true, page: { total: 5 } });
    await act(async () => finish(new Response(JSON.stringify(page(1)))));
    expect(result.current).toMatchObject({ isBehind: false, page: { total: 1 } });
  });

  it("drops the answer to an address that was left", async () => {
    const answers: ((response: Response) => void)[] = [];
    fetched.mockImplementation(
      () =>
        new Promise((resolve) => {
          answers.push(resolve);
        }),
    );
    const { result, rerender } = show(page(5));
    rerender({ address: "q=a" });
    rerender({ address: "q=ab" });
    await act(async () => answers[1]?.(new Response(JSON.stringify(page(2)))));
    await act(async () => answers[0]?.(new Response(JSON.stringify(page(1)))));
    expect(result.current.page.total).toBe(2);
  });

  it("says that the server is silent, keeps the rows and tries again", async () => {
    fetched.mockImplementationOnce(() => Promise.reject(new TypeError("no network")));
    fetched.mockImplementation(() => answer(page(7)));
    const { result } = show(page(5));
    act(() => result.current.refresh());
    await pass(0);
    expect(result.current.problem).toBe("The server could not be reached. Check that Misstep is running.");
    expect(result.current.page.total).toBe(5);
    await pass(5_000);
    expect(result.current).toMatchObject({ problem: null, page: { total: 7 } });
  });

  it("believes only an answer of the right shape", async () => {
    fetched.mockImplementation(() => answer({ rows: "none" }));
    const { result } = show(page(5));
    act(() => result.current.refresh());
    await pass(0);
    expect(result.current.problem).toContain("Reload the page");
    expect(result.current.page.total).toBe(5);
  });
});

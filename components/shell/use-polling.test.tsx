import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { usePolling } from "./use-polling";

const ask = vi.fn<(signal: AbortSignal) => Promise<void>>();
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const seen = vi.spyOn(document, "visibilityState", "get");

beforeEach(() => {
  vi.useFakeTimers();
  ask.mockReset();
  ask.mockResolvedValue(undefined);
  seen.mockReturnValue("visible");
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function look(state: DocumentVisibilityState): Promise<void> {
  seen.mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
  await pass(0);
}

const show = (everyMs: number | null = 1_000, isFresh = true) =>
  renderHook(({ every }) => usePolling(ask, every, isFresh), { initialProps: { every: everyMs } });

describe("usePolling", () => {
  it("asks in its rhythm, at once only when what is shown is old", async () => {
    show();
    await pass(900);
    expect(ask).toHaveBeenCalledTimes(0);
    await pass(2_200);
    expect(ask).toHaveBeenCalledTimes(3);
    cleanup();
    ask.mockClear();
    show(1_000, false);
    await pass(0);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("rests while nobody looks, and asks at once when somebody does again", async () => {
    show();
    await look("hidden");
    await pass(60_000);
    expect(ask).toHaveBeenCalledTimes(0);
    await look("visible");
    expect(ask).toHaveBeenCalledTimes(1);
    await pass(1_000);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it("says why it does not update, and goes on as soon as the network is back", async () => {
    ask.mockRejectedValue(new Error("The server does not answer."));
    const { result } = show();
    await pass(1_000);
    expect(result.current.problem).toBe("The server does not answer.");
    ask.mockResolvedValue(undefined);
    act(() => void window.dispatchEvent(new Event("online")));
    await pass(0);
    expect(result.current.problem).toBeNull();
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it("tries again after a failure by itself", async () => {
    ask.mockRejectedValueOnce(new Error("no"));
    const { result } = show();
    await pass(1_000);
    await pass(3_900);
    expect(result.current.problem).toBe("no");
    await pass(200);
    expect(result.current.problem).toBeNull();
  });

  it("asks one question at a time", async () => {
    let answer = (): void => undefined;
    ask.mockImplementation(
      () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    );
    show();
    await pass(1_000);
    await look("visible");
    act(() => void window.dispatchEvent(new Event("online")));
    expect(ask).toHaveBeenCalledTimes(1);
    await act(async () => answer());
    await pass(1_000);
    expect(ask).toHaveBeenCalledTimes(2);
  });

  it("asks at once when there is suddenly something to wait for", async () => {
    const { rerender } = show(null);
    await pass(5_000);
    rerender({ every: 1_000 });
    await pass(0);
    expect(ask).toHaveBeenCalledTimes(1);
  });

  it("stops when there is nothing to wait for, and when its page is gone", async () => {
    const { rerender, unmount } = show();
    rerender({ every: null });
    await pass(10_000);
    await look("visible");
    expect(ask).toHaveBeenCalledTimes(0);
    rerender({ every: 1_000 });
    await pass(0);
    expect(ask).toHaveBeenCalledTimes(1);
    unmount();
    await pass(10_000);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(ask.mock.calls[0]?.[0].aborted).toBe(true);
  });
});

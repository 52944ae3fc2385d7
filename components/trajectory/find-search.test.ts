import { afterEach, describe, expect, it, vi } from "vitest";
import type { FindAnswer } from "@/lib/views/find";
import { FindSearch } from "./find-search";

/** A server that answers when the test says so. */
function heldServer() {
  const asked: { url: string; signal: AbortSignal | undefined; answer: (body: unknown, status?: number) => void }[] =
    [];
  const arrivals: (() => void)[] = [];
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    const signal = init?.signal ?? undefined;
    return new Promise<Response>((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      const answer = (body: unknown, status = 200): void => resolve(new Response(JSON.stringify(body), { status }));
      asked.push({ url, signal, answer });
      arrivals.shift()?.();
    });
  });
  return {
    asked,
    /** The request number `n`, when it is here. */
    async request(n: number) {
      while (asked[n] === undefined) await new Promise<void>((resolve) => arrivals.push(resolve));
      const found = asked[n];
      if (found === undefined) throw new Error("no request");
      return found;
    },
  };
}

afterEach(() => vi.unstubAllGlobals());

const step = (searchedTurns: number, next: string | null): FindAnswer => ({
  places: [],
  searchedTurns,
  totalTurns: 9,
  next,
});

/** Resolves when the search says so. */
function until(search: FindSearch, isThere: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (!isThere()) return;
      stop();
      resolve();
    };
    const stop = search.subscribe(look);
    look();
  });
}

const statusOf = (search: FindSearch): string => search.peek().status;

describe("a search", () => {
  it("asks on where each answer stopped, until everything is searched", async () => {
    const server = heldServer();
    const search = new FindSearch("/api", { words: "a b&c", matchCase: true }, 4);
    search.start();
    const first = await server.request(0);
    expect(first.url).toBe("/api/find?q=a%20b%26c&case=match&turn=4");
    first.answer(step(3, "3.i2.0.0.7"));
    const second = await server.request(1);
    expect(second.url).toBe("/api/find?q=a%20b%26c&case=match&at=3.i2.0.0.7&turn=4");
    expect(search.peek()).toMatchObject({ status: "searching", found: { searchedTurns: 3, totalTurns: 9 } });
    second.answer(step(9, null));
    await until(search, () => statusOf(search) === "done");
    search.start();
    expect(server.asked).toHaveLength(2);
  });

  it("stops with its request, keeps what was found, and goes on from there", async () => {
    const server = heldServer();
    const search = new FindSearch("/api", { words: "a", matchCase: false }, 0);
    search.start();
    (await server.request(0)).answer(step(2, "2"));
    const running = await server.request(1);
    search.stop();
    expect(running.signal?.aborted).toBe(true);
    expect(search.peek()).toMatchObject({ status: "stopped", message: null, found: { searchedTurns: 2 } });
    search.start();
    const again = await server.request(2);
    expect(again.url).toContain("at=2");
    again.answer(step(9, null));
    await until(search, () => statusOf(search) === "done");
  });

  it("says why it failed, and tries the same step again", async () => {
    const server = heldServer();
    const search = new FindSearch("/api", { words: "a", matchCase: false }, 0);
    search.start();
    (await server.request(0)).answer(step(2, "2"));
    (await server.request(1)).answer({ error: { code: "unavailable", message: "The database is away." } }, 503);
    await until(search, () => statusOf(search) === "failed");
    expect(search.peek()).toMatchObject({ message: "The database is away.", found: { searchedTurns: 2 } });
    search.start();
    expect((await server.request(2)).url).toContain("at=2");
    search.stop();
  });
});

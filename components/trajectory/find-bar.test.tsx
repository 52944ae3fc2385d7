import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type ReactNode, useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { FindAnswer, FoundPlace, PlaceMatches } from "@/lib/views/find";
import type { RunView } from "@/lib/views/run";
import { type Address, EMPTY_ADDRESS } from "./address";
import { Answers } from "./answers";
import { FindBar } from "./find-bar";
import { FindProvider } from "./find-context";
import { type Forensics, ForensicsProvider } from "./forensics-context";
import { runWith } from "./forensics-fixture";
import { useFindState } from "./use-find-state";

const RUN: RunView = runWith();

/** A page of nothing but the field, at an address that it changes itself. */
function Page({ start, onGo }: { start: Partial<Address>; onGo: (address: Address, how: string) => void }): ReactNode {
  const [address, setAddress] = useState<Address>({ ...EMPTY_ADDRESS, turn: 0, ...start });
  const [answers] = useState(() => new Answers("/api", []));
  const turn = address.turn ?? 0;
  const go: Forensics["go"] = (next, how = "push") => {
    onGo(next, how);
    setAddress(next);
  };
  const find = useFindState({ api: "/api", answers, run: RUN, address, turn, go });
  const value: Forensics = {
    run: RUN,
    api: "/api",
    answers,
    address,
    turn,
    flags: new Map(),
    quotations: [],
    go,
    goTurn: () => undefined,
    href: () => "/t/run",
    copyLink: () => undefined,
    pane: "turn",
    showPane: () => undefined,
  };
  return (
    <ForensicsProvider value={value}>
      <FindProvider value={find}>
        <button type="button">elsewhere</button>
        <FindBar />
      </FindProvider>
    </ForensicsProvider>
  );
}

const at = (turn: number, offset: number) => ({ item: `t${turn}.0`, field: "text" as const, offset, length: 4 });
const place = (turn: number, offsets: number[]): FoundPlace => ({
  turn,
  context: null,
  count: offsets.length,
  first: offsets.map((offset) => ({ ...at(turn, offset), before: "the ", words: "word", after: " there" })),
  last: at(turn, offsets.at(-1) ?? 0),
});
const answer = (places: FoundPlace[], next: string | null = null, searchedTurns = 4): FindAnswer => ({
  places,
  searchedTurns,
  totalTurns: 4,
  next,
});
const matches = (turn: number, offsets: number[]): PlaceMatches => ({
  matches: offsets.map((offset) => at(turn, offset)),
  next: null,
});

/** A server whose answers are given by path; the value may be a status with a body. */
function serve(answerTo: (url: string) => unknown): string[] {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    const body = answerTo(url);
    return body instanceof Response ? body : Response.json(body);
  });
  return asked;
}

const WORDS: Record<string, unknown> = {
  "/api/find?q=word&turn=0": answer([place(0, [3]), place(2, [5, 9])]),
  "/api/turns/0/find?q=word": matches(0, [3]),
  "/api/turns/2/find?q=word": matches(2, [5, 9]),
};
const empty = (url: string): unknown => (url.includes("/turns/") ? matches(0, []) : answer([]));

const field = (): HTMLElement => screen.getByRole("searchbox", { name: "Find in all turns" });
const press = (key: string, more: object = {}): boolean => fireEvent.keyDown(field(), { key, ...more });
const typeWords = (value: string): boolean => fireEvent.change(field(), { target: { value } });
const show = (start: Partial<Address> = {}) => {
  const gone: [string, string][] = [];
  const onGo = (next: Address, how: string): void => {
    gone.push([`${next.turn} ${next.find} ${next.match?.offset ?? "-"}`, how]);
  };
  render(<Page start={start} onGo={onGo} />);
  return gone;
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

describe("the field of finding", () => {
  it("looks for the words at once with Enter, and opens the first match; typing replaces, a match is a step", async () => {
    serve((url) => WORDS[url] ?? empty(url));
    const gone = show();
    typeWords("word");
    press("Enter");
    expect(await screen.findByText("1 of 3 in 2 turns")).toBeDefined();
    press("Enter");
    expect(await screen.findByText("2 of 3 in 2 turns")).toBeDefined();
    press("Enter", { shiftKey: true });
    expect(await screen.findByText("1 of 3 in 2 turns")).toBeDefined();
    press("Enter", { repeat: true });
    expect(gone).toEqual([
      ["0 word -", "push"],
      ["0 word 3", "push"],
      ["2 word 5", "push"],
      ["0 word 3", "push"],
      ["2 word 5", "replace"],
    ]);
    expect(screen.getByRole("status").textContent).toBe("Match 2 of 3, turn 3");
    typeWords("other");
    press("Enter");
    expect(await screen.findAllByText("Not found in 4 turns")).toHaveLength(2);
    expect(gone.at(-1)).toEqual(["2 other -", "replace"]);
  });

  it("says how far it is, waits with a step until there is a next match, and stops and goes on when asked to", async () => {
    const answers = new Map<string, (body: unknown) => void>();
    vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
      if (url.includes("/turns/")) return Promise.resolve(Response.json(matches(0, [])));
      return new Promise<Response>((resolve, reject) => {
        answers.set(url, (body) => resolve(Response.json(body)));
        init?.signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
      });
    });
    const gone = show({ find: "word" });
    await waitFor(() => expect(answers.has("/api/find?q=word&turn=0")).toBe(true));
    press("Enter");
    answers.get("/api/find?q=word&turn=0")?.(answer([], "2", 2));
    expect(await screen.findByText("searched 2 of 4 turns")).toBeDefined();
    expect(gone).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Stop searching" }));
    expect(await screen.findByText("Nothing yet")).toBeDefined();
    fireEvent.click(screen.getByRole("button", { name: "Go on" }));
    await waitFor(() => expect(answers.has("/api/find?q=word&at=2&turn=0")).toBe(true));
    press("Enter");
    answers.get("/api/find?q=word&at=2&turn=0")?.(answer([place(3, [7])]));
    await waitFor(() => expect(gone).toEqual([["3 word 7", "push"]]));
  });

  it("says why it failed and tries again from where it was", async () => {
    let isAway = true;
    const away = (): Response => Response.json({ error: { message: "The database is away." } }, { status: 503 });
    const asked = serve((url) => {
      if (url === "/api/find?q=word&turn=0") return answer([place(2, [5])], "1", 1);
      if (url.startsWith("/api/find") && isAway) return away();
      return empty(url);
    });
    show({ find: "word" });
    expect((await screen.findByRole("alert")).textContent).toBe("The database is away.");
    expect(screen.getByText("1 in 1 turn")).toBeDefined();
    isAway = false;
    fireEvent.click(screen.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(screen.queryByRole("alert")).toBeNull());
    expect(asked.filter((url) => url === "/api/find?q=word&at=1&turn=0")).toHaveLength(2);
  });

  it("is empty again after Escape, with the focus where it was", async () => {
    serve((url) => WORDS[url] ?? empty(url));
    const gone = show({ find: "word", match: at(0, 3) });
    expect(await screen.findByText("1 of 3 in 2 turns")).toBeDefined();
    const elsewhere = screen.getByRole("button", { name: "elsewhere" });
    elsewhere.focus();
    field().focus();
    press("Escape");
    expect(gone.at(-1)).toEqual(["0 null -", "push"]);
    expect(document.activeElement).toBe(elsewhere);
    expect(field()).toHaveProperty("value", "");
    expect(screen.queryByText(/ in 2 turns/)).toBeNull();
  });

  it("asks for the same case when it is told to", async () => {
    const asked = serve(empty);
    show({ find: "Word" });
    fireEvent.click(await screen.findByRole("button", { name: "Match case" }));
    await waitFor(() => expect(asked).toContain("/api/find?q=Word&case=match&turn=0"));
    expect(screen.getByRole("button", { name: "Match case" }).getAttribute("aria-pressed")).toBe("true");
  });
});

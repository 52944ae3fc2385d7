import { describe, expect, it } from "vitest";
import { GET } from "@/app/api/v1/trajectories/[id]/find/route";
import { keyLike } from "@/lib/redact/test-support";
import { type FindAnswer, findAnswerSchema, type MatchPosition, placeMatchesSchema } from "@/lib/views/find";
import { ANSWER_MAX_BYTES, jsonBytes } from "./answer-size";
import { findInPlace, findInRun } from "./find";
import type { ReadScope } from "./scope";
import { createShare, openShare } from "./shares";
import { makeProject, withTestDatabase } from "./test-database";
import { ask, keyHeaders } from "./test-requests";
import { call, context, result, storeRun, thought, turn } from "./test-runs";
import { numberedPlants, plantedRun } from "./test-secrets";
import { getTextPiece } from "./texts";

withTestDatabase();

interface Reader {
  scope: ReadScope;
  id: string;
}

/** All answers of a search, one after the other. */
async function answersOf({ scope, id }: Reader, words: string, from = 0, matchCase = false): Promise<FindAnswer[]> {
  const answers: FindAnswer[] = [];
  for (let at: string | null = null; ; ) {
    const answer = findAnswerSchema.parse(await findInRun(scope, id, { words, matchCase }, { turn: from, at }));
    expect(jsonBytes(answer)).toBeLessThan(ANSWER_MAX_BYTES);
    answers.push(answer);
    if (answer.next === null) return answers;
    expect(answer.next).not.toBe(at);
    at = answer.next;
  }
}

/** What a search found, by place in the order in which it came: `#turn`, or `c<n>` for a context item. */
async function found(reader: Reader, words: string, from = 0, matchCase = false): Promise<[string, number][]> {
  const counts = new Map<string, number>();
  for (const { places } of await answersOf(reader, words, from, matchCase)) {
    for (const { turn: index, context: n, count } of places) {
      const name = n === null ? `#${index}` : `c${n}`;
      counts.set(name, (counts.get(name) ?? 0) + count);
    }
  }
  return [...counts];
}

/** All positions in a turn. */
async function positionsIn({ scope, id }: Reader, words: string, n: number): Promise<MatchPosition[]> {
  const positions: MatchPosition[] = [];
  for (let at: string | null = null; ; ) {
    const place = { kind: "turn" as const, n, at };
    const answer = placeMatchesSchema.parse(await findInPlace(scope, id, { words, matchCase: false }, place));
    expect(answer.matches.length).toBeLessThanOrEqual(1_000);
    positions.push(...answer.matches);
    if (answer.next === null) return positions;
    at = answer.next;
  }
}

async function shareOf({ scope, id }: Awaited<ReturnType<typeof owned>>): Promise<Reader> {
  const opened = await openShare((await createShare(scope, id)).path.slice(3));
  if (opened === null) throw new Error("the link does not open");
  return { scope: opened.scope, id: opened.trajectoryId };
}

async function owned(parts: Parameters<typeof storeRun>[1]) {
  const scope = await makeProject("Find");
  return { scope, id: (await storeRun(scope, parts)).id };
}

describe("findInRun", () => {
  it("finds in every text that the page shows, with its place, its line and its position", async () => {
    const reader = await owned({
      entries: [
        context("c0", "system\nthe Needle of the prompt"),
        turn(0, [
          thought("t0.0", "a needle, and a NEEDLE", 0),
          call("t0.1", "bash", { text: "grep needle a.py", arrival: 1 }),
          result("t0.2", "t0.1", "1: needle\n", { arrival: 2 }),
        ]),
        turn(1, [thought("t1.0", "nothing here", 10)]),
        context("c1", "needle said by a person", { contextKind: "person" }),
        turn(2, [call("t2.0", "Bash", { arguments: { command: "echo needle", deep: ["x", { needle: 1 }] } })]),
        context("c2", "the end: needle", { contextKind: "metadata" }),
      ],
    });
    const [answer, ...rest] = await answersOf(reader, "needle");
    expect(rest).toEqual([]);
    expect(answer).toMatchObject({ searchedTurns: 3, totalTurns: 3, next: null });
    expect(answer?.places.map(({ turn: at, context: n, count }) => [at, n, count])).toEqual([
      [0, 0, 1],
      [0, null, 4],
      [2, 1, 1],
      [3, 2, 1],
      [2, null, 2],
    ]);
    expect(answer?.places[0]?.first[0]).toEqual({
      item: "c0",
      field: "text",
      offset: 11,
      length: 6,
      before: "the ",
      words: "Needle",
      after: " of the prompt",
    });
    const given = JSON.stringify({ command: "echo needle", deep: ["x", { needle: 1 }] }, null, 2);
    expect(answer?.places.at(-1)).toMatchObject({
      first: [{ item: "t2.0", field: "arguments", offset: given.indexOf("needle") }, { field: "arguments" }],
      last: { item: "t2.0", field: "arguments", offset: given.lastIndexOf("needle"), length: 6 },
    });
    expect(await found(reader, "NEEDLE", 0, true)).toEqual([["#0", 1]]);
    expect(await found(reader, "needles")).toEqual([]);
    expect(await found(reader, ".*")).toEqual([]);
  });

  it("counts once what a call says twice, and twice what stands in its text and in one of several arguments", async () => {
    const reader = await owned({
      entries: [
        turn(0, [call("t0.0", "bash", { text: "grep needle", arguments: { command: "grep needle" } })]),
        turn(1, [call("t1.0", "bash", { text: "grep needle", arguments: { command: "grep needle", timeout: 1 } })]),
        turn(2, [call("t2.0", "bash", { text: "", arguments: { command: "" } })]),
      ],
    });
    expect(await found(reader, "needle")).toEqual([
      ["#0", 1],
      ["#1", 2],
    ]);
    expect(await positionsIn(reader, "needle", 0)).toEqual([{ item: "t0.0", field: "text", offset: 5, length: 6 }]);
    expect(await found(reader, "timeout")).toEqual([["#1", 1]]);
  });

  it("goes outward from the open turn", async () => {
    const entries = Array.from({ length: 9 }, (_, i) => turn(i, [thought(`t${i}.0`, "word", i)]));
    const reader = await owned({ entries });
    const way = async (from: number): Promise<string> =>
      (await found(reader, "word", from)).map(([name]) => name).join(" ");
    expect(await way(4)).toBe("#4 #5 #3 #6 #2 #7 #1 #8 #0");
    expect(await way(1)).toBe("#1 #2 #0 #3 #4 #5 #6 #7 #8");
    expect(await way(1_000)).toBe("#8 #7 #6 #5 #4 #3 #2 #1 #0");
  });

  it("finds across the borders of stored pieces, in texts of many pieces", async () => {
    const border = `${"x".repeat(65_533)}needle${"y".repeat(65_536 - 3)}`;
    const long = `${border}${"z".repeat(600_000)}Needle${"z".repeat(70_000)}needle`;
    const reader = await owned({
      entries: [
        turn(0, [
          thought("t0.0", long, 0),
          call("t0.1", "Write", { arguments: { text: long }, arrival: 1 }),
          thought("t0.2", border, 2),
        ]),
      ],
    });
    const expected = [...long.matchAll(/needle/gi)].map((match) => match.index);
    const json = JSON.stringify({ text: long }, null, 2);
    expect(await positionsIn(reader, "needle", 0)).toEqual([
      ...expected.map((offset) => ({ item: "t0.0", field: "text", offset, length: 6 })),
      ...[...json.matchAll(/needle/gi)].map(({ index: offset }) => ({
        item: "t0.1",
        field: "arguments",
        offset,
        length: 6,
      })),
      { item: "t0.2", field: "text", offset: 65_533, length: 6 },
    ]);
    expect(await found(reader, "needle")).toEqual([["#0", 7]]);
  });

  it("answers in bounded steps that together find everything once", async () => {
    const body = (i: number) => `${"filler words of a log\n".repeat(20_000)}needle ${i}\n`;
    const reader = await owned({
      entries: Array.from({ length: 24 }, (_, i) =>
        turn(i, [thought(`t${i}.0`, `needle ${i}`, 2 * i), thought(`t${i}.1`, body(i), 2 * i + 1)]),
      ),
    });
    const answers = await answersOf(reader, "needle", 12);
    expect(answers.length).toBeGreaterThan(2);
    expect(answers.length).toBeLessThan(8);
    const searched = answers.map((answer) => answer.searchedTurns);
    expect(searched).toEqual([...searched].sort((a, b) => a - b));
    expect(searched.at(-1)).toBe(24);
    expect(searched[0]).toBeLessThan(12);
    const counts = await found(reader, "needle", 12);
    expect(counts.length).toBe(24);
    expect(counts.every(([, count]) => count === 2)).toBe(true);
    expect(counts.slice(0, 3).map(([name]) => name)).toEqual(["#12", "#13", "#11"]);
  }, 60_000);

  it("bounds an answer in bytes, whatever the matches are surrounded by", async () => {
    const nasty = `${"\u0001".repeat(70)}e${"\u0002".repeat(130)}`;
    const reader = await owned({
      entries: Array.from({ length: 600 }, (_, i) => turn(i, [thought(`t${i}.0`, nasty.repeat(5), i)])),
    });
    const answers = await answersOf(reader, "e");
    expect(answers.length).toBeGreaterThan(1);
    const counts = await found(reader, "e");
    expect(counts.length).toBe(600);
    expect(counts.every(([, count]) => count === 5)).toBe(true);
  });

  it("gives of very many matches the count, the first five and the last, and all positions of a turn in stretches", async () => {
    const text = "ab ".repeat(2_500);
    const reader = await owned({ entries: [turn(0, [thought("t0.0", text, 0)])] });
    const [answer] = await answersOf(reader, "b");
    expect(answer?.places).toMatchObject([{ count: 2_500, last: { offset: 7_498 } }]);
    expect(answer?.places[0]?.first.map(({ offset }) => offset)).toEqual([1, 4, 7, 10, 13]);
    const positions = await positionsIn(reader, "b", 0);
    expect(positions.map(({ offset }) => offset)).toEqual(Array.from({ length: 2_500 }, (_, i) => 3 * i + 1));
  });

  it("ends a step when the client has gone, and says where it stopped", async () => {
    const reader = await owned({
      entries: Array.from({ length: 5 }, (_, i) => turn(i, [thought(`t${i}.0`, "word", i)])),
    });
    const words = { words: "word", matchCase: false };
    const gone = AbortSignal.abort();
    const stopped = await findInRun(reader.scope, reader.id, words, { turn: 0, at: null }, gone);
    expect(stopped).toMatchObject({ places: [], searchedTurns: 0, totalTurns: 5 });
    const rest = await findInRun(reader.scope, reader.id, words, { turn: 0, at: stopped?.next ?? "none" });
    expect(rest?.places.length).toBe(5);
    // In the middle of a long text too.
    const long = await owned({ entries: [turn(0, [thought("t0.0", "word ".repeat(400_000), 0)])] });
    const leaving = new AbortController();
    const half = findInRun(long.scope, long.id, words, { turn: 0, at: null }, leaving.signal);
    setImmediate(() => leaving.abort());
    expect((await half)?.places[0]?.count ?? 0).toBeLessThan(400_000);
  });

  it("finds in a run without turns", async () => {
    const reader = await owned({
      entries: Array.from({ length: 250 }, (_, i) => context(`c${i}`, `note ${i}`, { arrival: i })),
    });
    const counts = await found(reader, "note");
    expect(counts.map(([name]) => name)).toEqual(Array.from({ length: 250 }, (_, i) => `c${i}`));
  });

  it("finds nothing of another project, and says so as for nothing at all", async () => {
    const reader = await owned({ entries: [turn(0, [thought("t0.0", "word", 0)])] });
    const other = await makeProject("Other");
    const words = { words: "word", matchCase: false };
    expect(await findInRun(other, reader.id, words, { turn: 0, at: null })).toBeNull();
    expect(await findInPlace(other, reader.id, words, { kind: "turn", n: 0, at: null })).toBeNull();
    expect(await findInPlace(reader.scope, reader.id, words, { kind: "turn", n: 1, at: null })).toBeNull();
    expect(await findInPlace(reader.scope, reader.id, words, { kind: "context", n: 0, at: null })).toBeNull();
  });
});

describe("the routes of finding", () => {
  it("stop when their client leaves", async () => {
    const reader = await owned({
      entries: Array.from({ length: 3 }, (_, i) => turn(i, [thought(`t${i}.0`, "word", i)])),
    });
    const headers = { host: "127.0.0.1:3210", ...(await keyHeaders(reader.scope)) };
    const searched = async (signal?: AbortSignal): Promise<unknown> => {
      const init = { headers, ...(signal === undefined ? {} : { signal }) };
      const request = new Request("http://127.0.0.1:3210/api/v1/trajectories/x/find?q=word", init);
      const answer = await GET(request, { params: Promise.resolve({ id: reader.id }) });
      return answer.json();
    };
    expect(await searched()).toMatchObject({ searchedTurns: 3, next: null });
    expect(await searched(AbortSignal.abort())).toMatchObject({ searchedTurns: 0, next: expect.any(String) });
  });

  it("refuse what cannot be looked for, with a sentence", async () => {
    const reader = await owned({ entries: [turn(0, [thought("t0.0", "word", 0)])] });
    const headers = await keyHeaders(reader.scope);
    const asked = async (query: string): Promise<[number, string]> => {
      const answer = await ask("trajectories/[id]/find", { params: { id: reader.id }, query, headers });
      return [answer.status, JSON.stringify(await answer.json())];
    };
    expect((await asked("?q=word"))[0]).toBe(200);
    expect(await asked("?q=")).toEqual([400, expect.stringContaining("1 to 200 characters")]);
    expect((await asked("?turn=0"))[0]).toBe(400);
    expect((await asked(`?q=${"x".repeat(201)}`))[0]).toBe(400);
    expect(await asked("?q=a&case=maybe")).toEqual([400, expect.stringContaining("case cannot be read")]);
    expect((await asked("?q=a&turn=-1"))[0]).toBe(400);
    expect((await asked("?q=a&at=x"))[0]).toBe(400);
    // Every character that means something in an address or a pattern.
    expect((await asked(`?q=${encodeURIComponent(".*+?^$()|[]{}\\/&=#%")}`))[0]).toBe(200);
  });
});

describe("A10: finding in a shared trajectory", () => {
  it("finds, counts and places nothing of a masked secret, whole or in part; the mask's words are found; the owner finds it", async () => {
    const secret = ["gh", "p_", keyLike(36, 96)].join("");
    const password = keyLike(12, 97);
    const own = await owned({
      entries: [
        context("c0", `the task says ${password}`),
        turn(0, [
          thought("t0.0", `a ${secret} b needle`, 0),
          call("t0.1", "Bash", { arguments: { command: `run ${secret}`, [password]: 1 }, arrival: 1 }),
          result("t0.2", "t0.1", `DB_PASSWORD=${password}\n`, { arrival: 2 }),
          thought("t0.3", `${"x".repeat(65_520)} ${secret} needle ${"y ".repeat(9_000)}${password}`, 3),
        ]),
      ],
    });
    const shared = await shareOf(own);
    for (const hidden of [secret, password, secret.toUpperCase(), password.toLowerCase()]) {
      expect(await found(shared, hidden), "whole").toEqual([]);
      expect(await positionsIn(shared, hidden, 0)).toEqual([]);
      for (let at = 0; at + 6 <= hidden.length; at += 1) {
        expect(await found(shared, hidden.slice(at, at + 6)), `from ${at}`).toEqual([]);
      }
    }
    expect(await found(own, secret)).toEqual([["#0", 3]]);
    expect(await found(own, password)).toEqual([
      ["c0", 1],
      ["#0", 3],
    ]);
    expect(await found(shared, "[redacted:github-token#")).toEqual([["#0", 3]]);
    // What stands behind a mask is placed where the masked text has it.
    for (const { item, field, offset, length } of await positionsIn(shared, "needle", 0)) {
      const piece = await getTextPiece(shared.scope, shared.id, { item, field, offset });
      expect(piece?.text.slice(0, length)).toBe("needle");
    }
    expect((await positionsIn(shared, "needle", 0)).length).toBe(2);
  });

  it("finds no planted secret of any family", async () => {
    const own = await owned(plantedRun());
    const shared = await shareOf(own);
    for (const { name, secret } of numberedPlants()) {
      const words = (secret.split("\n")[1] ?? secret).slice(0, 200);
      // A part of it: where that is not found, the whole is not either.
      expect(await found(shared, words.slice(3, 15)), name).toEqual([]);
      expect((await found(own, words)).length, `the owner's ${name}`).toBeGreaterThan(0);
    }
  }, 300_000);

  it("gives no words around a match that the page would not show", async () => {
    const secret = ["np", "m_", keyLike(36, 98)].join("");
    const own = await owned({ entries: [turn(0, [thought("t0.0", `before ${secret} needle ${secret} after`, 0)])] });
    const answers = await answersOf(await shareOf(own), "needle");
    const text = JSON.stringify(answers);
    for (let at = 0; at + 6 <= secret.length; at += 1) expect(text.includes(secret.slice(at, at + 6))).toBe(false);
    expect(text).toContain("[redacted:npm-token#");
  });
});

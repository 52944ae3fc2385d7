import { describe, expect, it } from "vitest";
import { TEXT_PIECE_CHARS } from "@/lib/catalogue/limits";
import { foldParts } from "@/lib/folding/fold";
import { keyLike } from "@/lib/redact/test-support";
import { runViewSchema } from "@/lib/views/run";
import { type ItemView, turnViewSchema } from "@/lib/views/turn";
import { ANSWER_MAX_BYTES, jsonBytes } from "./answer-size";
import { database } from "./client";
import { getRun } from "./runs";
import type { ProjectScope, ReadScope } from "./scope";
import { createShare, openShare } from "./shares";
import { makeProject, withTestDatabase } from "./test-database";
import { call, result, storeRun, thought, turn } from "./test-runs";
import { getTextPiece } from "./texts";
import { getTurn } from "./turns";

withTestDatabase();

const quiet = (lines: number, unit = "a quiet line of a log"): string => `${unit}\n`.repeat(lines);

async function stored(texts: readonly string[]): Promise<{ scope: ProjectScope; id: string; importId: string }> {
  const scope = await makeProject("Folding");
  const items = texts.flatMap((text, n) => [
    call(`t0.${2 * n}`, "bash", { text: "make", arrival: 2 * n }),
    result(`t0.${2 * n + 1}`, `t0.${2 * n}`, text, { arrival: 2 * n + 1 }),
  ]);
  return { scope, ...(await storeRun(scope, { entries: [turn(0, [thought("t0.t", "I run it"), ...items])] })) };
}

async function resultsOf(scope: ReadScope, id: string): Promise<ItemView[]> {
  const view = turnViewSchema.parse(await getTurn(scope, id, 0));
  return view.items.filter((item) => item.kind === "result");
}

async function sharedScope(scope: ProjectScope, id: string): Promise<ReadScope> {
  const opened = await openShare((await createShare(scope, id)).path.slice("/s/".length));
  if (opened === null) throw new Error("the link does not open");
  return opened.scope;
}

async function wholeText(scope: ReadScope, id: string, item: string): Promise<string> {
  let whole = "";
  for (let offset: number | null = 0; offset !== null; ) {
    const piece: { text: string; nextOffset: number | null } | null = await getTextPiece(scope, id, {
      ...{ item, field: "text", offset },
    });
    whole += piece?.text ?? "";
    offset = piece?.nextOffset ?? null;
  }
  return whole;
}

describe("folds of a stored turn", () => {
  it("are there for a text that comes as a whole, without its words a second time", async () => {
    const text = `${quiet(60)}error: broken\n${quiet(60)}`;
    const { scope, id } = await stored([text, "5 passed in 0.1s\n"]);
    const [log, tests] = await resultsOf(scope, id);
    expect(log?.text?.omittedChars).toBe(0);
    expect(log?.fold?.paper).toEqual({ isFolded: false, why: "word", word: "error" });
    const { kept, leftOut } = foldParts(text);
    expect(log?.fold?.parts).toEqual({ kept: kept.map((range) => ({ ...range, text: null })), leftOut });
    expect(log?.fold?.parts?.kept).toHaveLength(3);
    // Too short for parts, and without a failure word for the paper.
    expect(tests?.fold).toEqual({ parts: null, paper: { isFolded: true, why: "no_word", word: null } });
  });

  it("hold the parts of a text in pieces, word for word, across pieces and pairs, from the pieces that they touch", async () => {
    // The first piece ends in the middle of a pair and is one unit shorter.
    const first = `${"x".repeat(99)}\n`.repeat(700).slice(0, TEXT_PIECE_CHARS - 1);
    const text = `${first}\u{1f600}${quiet(4_000)}Traceback (most recent call last):\n${quiet(16_000)}FAILED here\n${quiet(50)}`;
    const { scope, id, importId } = await stored([text]);
    const kept = foldParts(text).kept;
    const touched = new Set(
      kept.flatMap(({ start, end }) => [start, end - 1].map((at) => Math.floor(at / TEXT_PIECE_CHARS))),
    );
    const pieces = await database().itemText.count({ where: { importId } });
    await database().itemText.deleteMany({ where: { importId, piece: { notIn: [...touched, 1, pieces - 2] } } });
    const [log] = await resultsOf(scope, id);
    expect(log?.fold?.parts?.kept.map((part) => part.text)).toEqual(
      kept.map(({ start, end }) => text.slice(start, end)),
    );
    expect(kept.map(({ why }) => why[0])).toContainEqual({ kind: "signal", word: "traceback" });
    expect(touched.size).toBeLessThan(pieces - 2);
  });

  it("stay inside the bounds of an answer, and say which parts had no room", async () => {
    const noisy = `${"error: the same again, with some words\n".repeat(900)}`;
    const { scope, id } = await stored(Array.from({ length: 120 }, () => noisy));
    const view = turnViewSchema.parse(await getTurn(scope, id, 0));
    expect(jsonBytes(view)).toBeLessThan(ANSWER_MAX_BYTES);
    const parts = view.items.flatMap((item) => item.fold?.parts?.kept ?? []);
    expect(parts.some((part) => part.text === null)).toBe(true);
    expect(view.items.find((item) => item.kind === "result")?.fold?.parts?.leftOut).toBeGreaterThan(700);
  });

  it("of 12 MB hold a few thousand characters", async () => {
    const { scope, id } = await stored([quiet(540_000)]);
    const [log] = await resultsOf(scope, id);
    expect(log?.text?.totalChars).toBeGreaterThan(11_000_000);
    expect(log?.fold?.paper).toMatchObject({ isFolded: true, why: "long" });
    expect(log?.fold?.parts?.kept.map((part) => [part.line, part.lineAfter])).toEqual([
      [1, 9],
      [539_993, 540_001],
    ]);
  });
});

describe("the savings of a run", () => {
  it("are in its head, by rule, with what the rules look for", async () => {
    const text = quiet(300);
    const { scope, id } = await stored([text, "short"]);
    const { folding } = runViewSchema.parse(await getRun(scope, id));
    const kept = foldParts(text).kept.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(folding?.savings).toMatchObject({
      observations: 2,
      observationChars: text.length + 5,
      wholeChars: text.length + 5 + "I run it".length + 2 * "make".length,
      parts: { rule: "parts@1", observations: 1, foldedChars: text.length - kept },
      paper: { rule: "paper@1", observations: 2, foldedChars: text.length + 5 },
    });
    expect(folding?.words).toContain("traceback");
    expect(folding?.tauChars).toBe(4_000);
  });

  it("are not measured for an import from before folding, which opens as it did", async () => {
    const { scope, id, importId } = await stored([quiet(2_000)]);
    await database().$executeRaw`UPDATE "Import" SET "head" = ("head"::jsonb - 'folding') WHERE "id" = ${importId}`;
    await database().$executeRaw`
      UPDATE "Turn" SET "items" = (SELECT json_agg(item::jsonb - 'fold') FROM json_array_elements("items") item)
      WHERE "importId" = ${importId}`;
    expect(runViewSchema.parse(await getRun(scope, id)).folding).toBeNull();
    const [log] = await resultsOf(scope, id);
    expect(log?.fold).toBeNull();
    expect(log?.text?.omittedChars).toBeGreaterThan(0);
    const shared = await sharedScope(scope, id);
    expect((await resultsOf(shared, id))[0]?.fold).toBeNull();
  });
});

describe("folds of a shared turn (A10)", () => {
  it("are made of the masked text: a secret across the border of a part is masked on both sides", async () => {
    const secret = keyLike(40, 77);
    const token = ["gh", "p_", keyLike(36, 78)].join("");
    const key = (line: string) => [`-----BEGIN RSA ${"PRIVATE KEY"}-----`, ...Array.from({ length: 14 }, () => line)];
    const pem = [...key(`${keyLike(60, 79)}AB`), `-----END RSA ${"PRIVATE KEY"}-----`].join("\n");
    const tokenLine = `${"y".repeat(990)} ${token} ${"z ".repeat(600)}`;
    const texts = [
      // The first lines end inside the key, which goes on in what is folded.
      `one\ntwo\nthree\n${pem}\n${quiet(80)}`,
      // A row of a long line ends inside the token.
      `${tokenLine}\n${quiet(80)}${tokenLine}error: bad\n${quiet(600)}`,
      // Masks move what comes after them.
      `PASSWORD=${secret}\n${quiet(700)}error: no entry for ${secret}\n${quiet(700)}`,
    ];
    const { scope, id } = await stored(texts);
    const shared = await sharedScope(scope, id);
    const results = await resultsOf(shared, id);
    const answer = JSON.stringify(results);
    for (const hidden of [secret, token, keyLike(60, 79)]) {
      for (let at = 0; at + 12 <= hidden.length; at += 1)
        expect(answer.includes(hidden.slice(at, at + 12))).toBe(false);
    }
    for (const item of results) {
      const whole = await wholeText(shared, id, item.id);
      const { kept } = foldParts(whole);
      expect(kept.length).toBeGreaterThan(1);
      const shown = item.fold?.parts?.kept.map(({ text, ...range }) => ({ range, text }));
      const isWhole = item.text?.omittedChars === 0;
      expect(shown).toEqual(
        kept.map((range) => ({ range, text: isWhole ? null : whole.slice(range.start, range.end) })),
      );
    }
    expect(answer).toContain("[redacted:");
    expect((await resultsOf(scope, id))[2]?.fold?.parts?.kept[0]?.text).toContain(secret);
  });
});

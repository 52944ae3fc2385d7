import { z } from "zod";
import { sourceStepSchema, type Usage } from "@/lib/trajectory/schema";
import type { FoldView } from "@/lib/views/fold";
import type { ContextView, ItemView, TextView, TurnView } from "@/lib/views/turn";
import { fitStrings, jsonBytes, takeWithin } from "./answer-size";
import { summariseCall } from "./call-summary";
import { database } from "./client";
import { foldsOfItems } from "./folded-texts";
import type { Turn } from "./generated/client";
import { endsOfTexts, textKey } from "./item-texts";
import { meetPathSecrets } from "./path-secrets";
import { checkNumber, openReading, type Reading } from "./reading";
import type { ReadScope } from "./scope";
import { storedHeadSchema } from "./stored-import";
import { type StoredItem, storedContextSchema, storedItemsSchema, storedStateSchema } from "./stored-item";
import { CUT_LIMITS, type CutLimits, cutText, type TextEnds } from "./text-cut";
import { readsOfItems, writesOfTurn } from "./turn-files";

/** Bytes of JSON for the items of one turn; the rest of an answer is for its writes and reads. */
const ITEMS_MAX_BYTES = 700_000;
const LIST_MAX_BYTES = 100_000;

/**
 * One turn: its items with long texts cut to head and tail, its writes, and the files that its results showed. Null when
 * there is no such turn for the scope. At most 1 MB as JSON: texts are cut shorter in a turn of very many items.
 */
export async function getTurn(scope: ReadScope, id: string, index: number): Promise<TurnView | null> {
  const at = checkNumber(index);
  const reading = await openReading(scope, id);
  if (reading === null) return null;
  const { importId, projection } = reading;
  const turn = await database().turn.findUnique({
    where: { importId_index: { importId, index: at } },
    include: { import: { select: { head: true, turnCount: true } } },
  });
  if (turn === null) return null;
  const items = storedItemsSchema.parse(turn.items);
  const head = storedHeadSchema.parse(turn.import.head);
  const state = turn.state === null ? null : storedStateSchema.parse(turn.state);
  const ends = await endsOfTexts(reading, items);
  const folds = await foldsOfItems(reading, items);
  await meetPathSecrets(reading);
  const nextArrival = await firstArrivalAfter(reading, at);
  const cut = fitItems(items, { ends, folds }, nextArrival);
  const writes = takeWithin(await writesOfTurn(importId, at), LIST_MAX_BYTES);
  const reads = takeWithin(await readsOfItems(importId, items), LIST_MAX_BYTES);
  return fitStrings(
    projection.view({
      index: turn.index,
      total: turn.import.turnCount,
      title: projection.part(turn.title),
      activity: turn.activity,
      agent: turn.agent,
      agentName: head.agents.find((agent) => agent.id === turn.agent)?.name ?? turn.agent,
      parentTurn: turn.parentTurn,
      branch: turn.branch,
      model: turn.model,
      usage: usageOf(turn),
      startedAt: turn.startedAt,
      durationMs: turn.durationMs === null ? null : Number(turn.durationMs),
      sourceSteps: z.array(sourceStepSchema).parse(turn.sourceSteps),
      workingDirectory: state?.workingDirectory ?? null,
      items: cut.kept,
      writes: writes.kept.map((write) => ({
        ...write,
        path: projection.part(write.path),
        display: projection.part(write.display),
        reason: write.reason === null ? null : projection.part(write.reason),
      })),
      reads: reads.kept.map((file) => ({
        ...file,
        path: projection.part(file.path),
        display: projection.part(file.display),
      })),
      omitted: { items: cut.omitted, writes: writes.omitted, reads: reads.omitted },
    }),
  );
}

/** A context item with its text cut to head and tail. Null when there is none of this number for the scope. */
export async function getContext(scope: ReadScope, id: string, n: number): Promise<ContextView | null> {
  const number = checkNumber(n);
  const reading = await openReading(scope, id);
  if (reading === null) return null;
  const { importId, projection } = reading;
  const context = await database().context.findUnique({ where: { importId_n: { importId, n: number } } });
  if (context === null) return null;
  const data = storedContextSchema.parse(context.data);
  const ends = (await endsOfTexts(reading, [data])).get(textKey(data.id, "text"));
  return fitStrings(
    projection.view({
      n: context.n,
      beforeTurn: context.beforeTurn,
      contextKind: context.contextKind,
      item: data.id,
      author: data.author,
      text: cutText(ends ?? EMPTY, CUT_LIMITS),
    }),
  );
}

const EMPTY: TextEnds = { first: "", last: "", totalChars: 0, totalLines: 1 };

function usageOf(turn: Turn): Usage | null {
  const { inputTokens, cachedTokens, outputTokens, costUsd } = turn;
  if (inputTokens === null && cachedTokens === null && outputTokens === null && costUsd === null) return null;
  return { inputTokens, cachedTokens, outputTokens, costUsd };
}

/** When the next turn began, in the order in which things became known; infinite for the last turn. */
async function firstArrivalAfter(reading: Reading, index: number): Promise<number> {
  const next = await database().turn.findFirst({
    where: { importId: reading.importId, index: { gt: index } },
    orderBy: { index: "asc" },
    select: { items: true },
  });
  if (next === null) return Number.POSITIVE_INFINITY;
  return Math.min(...storedItemsSchema.parse(next.items).map((item) => item.arrival), Number.POSITIVE_INFINITY);
}

/** What is at hand of the texts of a turn, by text key and by item. */
interface TurnTexts {
  ends: Map<string, TextEnds>;
  folds: Map<string, FoldView>;
}

/** The items of a turn with texts cut so that they fit: as usual, or shorter when the turn holds very many. */
function fitItems(items: StoredItem[], texts: TurnTexts, nextArrival: number): { kept: ItemView[]; omitted: number } {
  let limits: CutLimits = CUT_LIMITS;
  // Characters are a lower bound of bytes that costs nothing to know.
  while (shownChars(texts, limits) > ITEMS_MAX_BYTES && limits.headChars > HEAD_MIN_CHARS) limits = halved(limits);
  for (;;) {
    const cut = limits;
    const views = items.map((item) => fitStrings(itemView(item, texts, nextArrival, cut), ITEMS_MAX_BYTES));
    if (limits.headChars <= HEAD_MIN_CHARS || jsonBytes(views) <= ITEMS_MAX_BYTES) {
      return takeWithin(views, ITEMS_MAX_BYTES);
    }
    limits = halved(limits);
  }
}

/** Where cutting texts shorter ends, and items are left out instead. */
const HEAD_MIN_CHARS = 100;

function halved(limits: CutLimits): CutLimits {
  return { headChars: Math.floor(limits.headChars / 2), tailChars: Math.floor(limits.tailChars / 2) };
}

function shownChars({ ends, folds }: TurnTexts, limits: CutLimits): number {
  let chars = 0;
  for (const { totalChars } of ends.values()) chars += Math.min(totalChars, limits.headChars + limits.tailChars);
  for (const { parts } of folds.values()) {
    const kept = parts?.kept.reduce((sum, { start, end }) => sum + end - start, 0) ?? 0;
    chars += Math.min(kept, keptLimit(limits));
  }
  return chars;
}

/** What stays of a folded text is a little more than both ends of one that is cut; it takes its place on the page. */
function keptLimit(limits: CutLimits): number {
  return 2 * limits.headChars;
}

/** A fold with the texts of its parts as far as there is room; none when the page gets the text as a whole. */
function foldView(fold: FoldView | undefined, text: TextView | null, limits: CutLimits): FoldView | null {
  if (fold === undefined || fold.parts === null) return fold ?? null;
  let room = text === null || text.omittedChars === 0 ? 0 : keptLimit(limits);
  const kept = fold.parts.kept.map((part) => {
    room -= part.end - part.start;
    return room < 0 ? { ...part, text: null } : part;
  });
  return { ...fold, parts: { ...fold.parts, kept } };
}

function itemView(item: StoredItem, texts: TurnTexts, nextArrival: number, limits: CutLimits): ItemView {
  const { ends, folds } = texts;
  const text = ends.get(textKey(item.id, "text"));
  const given = ends.get(textKey(item.id, "arguments"));
  const view: ItemView = {
    id: item.id,
    kind: item.kind,
    author: item.author,
    text: cutOrNull(text, limits),
    tool: null,
    callKind: null,
    arguments: cutOrNull(given, limits),
    summary: null,
    answers: null,
    isError: null,
    exitCode: null,
    isCut: false,
    fold: null,
    durationMs: null,
    reason: null,
    arrivedLate: item.arrival > nextArrival,
  };
  switch (item.kind) {
    case "call": {
      const summary = summariseCall(item.tool, text?.first ?? null, given?.first ?? null);
      const isCut = item.isCut === true;
      return { ...view, tool: item.tool, callKind: item.callKind, summary, isCut, arrivedLate: false };
    }
    case "result": {
      const { isError, exitCode, isCut, durationMs } = item;
      const fold = foldView(folds.get(item.id), view.text, limits);
      return { ...view, answers: item.callItem, isError, exitCode, isCut, durationMs, fold };
    }
    case "opaque":
      return { ...view, reason: item.reason };
    default:
      return view;
  }
}

function cutOrNull(text: TextEnds | undefined, limits: CutLimits): TextView | null {
  return text === undefined ? null : cutText(text, limits);
}

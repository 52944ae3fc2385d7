import { setImmediate } from "node:timers/promises";
import {
  FIND_FIRST_MATCHES,
  type FindAnswer,
  type FindWords,
  type FoundPlace,
  type MatchPosition,
  type Place,
  type PlaceMatches,
} from "@/lib/views/find";
import { fitStrings, jsonBytes } from "./answer-size";
import { database } from "./client";
import { atStep, type FindCursor, formatCursor, parseCursor } from "./find-cursor";
import { finderOf } from "./find-finder";
import { type PlaceText, textsOfContext, textsOfTurn, textsOutward } from "./find-places";
import { readAhead, stretchesOf } from "./find-stretches";
import { type TextMatch, TextSearch } from "./find-text";
import { checkNumber, openReading, type Reading } from "./reading";
import type { ReadScope } from "./scope";

/** What one answer searches, in characters: some tens of milliseconds. Masking a share's texts takes longer. */
const OWNER_CHARS = 4_000_000;
const SHARE_CHARS = 1_000_000;
/** Bytes of matches with their surroundings in one answer. */
const MATCHES_MAX_BYTES = 400_000;
/** Positions of one place in one answer. */
const POSITIONS_MAX = 1_000;
/** Others are served at least this often. */
const PAUSE_CHARS = 250_000;

/** Where a search begins, and where it goes on. */
export interface FindStart {
  /** The turn that the search goes outward from; beyond the run: its last one. */
  turn: number;
  /** `next` of the answer before, null for the first. */
  at: string | null;
}

/**
 * One step of a search over all texts of a run, outward from a turn: matches by place, each with its count, its first
 * positions and its last one. A step is bounded in characters and in bytes of its answer; `next` is where it goes on.
 * When `signal` aborts, the step ends early. Null when the scope has no such trajectory.
 * @throws AppError `bad_request` for words or a cursor that cannot be.
 */
export async function findInRun(
  scope: ReadScope,
  id: string,
  words: FindWords,
  start: FindStart,
  signal?: AbortSignal,
): Promise<FindAnswer | null> {
  const finder = finderOf(words);
  const turn = checkNumber(start.turn);
  const cursor = start.at === null ? atStep(0) : parseCursor(start.at);
  const reading = await openReading(scope, id);
  if (reading === null) return null;
  const found = await database().import.findUnique({
    where: { id: reading.importId },
    select: { turnCount: true },
  });
  if (found === null) return null;
  const { turnCount } = found;
  const places = new FoundPlaces();
  const texts = textsOutward(reading, { start: turn, turnCount, cursor });
  const work = new BoundedWork(reading, { finder, wordChars: words.words.length }, signal);
  const next = await work.search(texts, cursor, (text, match) => places.add(text, match));
  return fitStrings(
    reading.projection.view({
      places: places.list(),
      searchedTurns: next === null ? turnCount : Math.min(next.step, turnCount),
      totalTurns: turnCount,
      next: next === null ? null : formatCursor(next),
    }),
  );
}

/**
 * The positions of the matches of one place in its order, at most 1,000 of them: `next` is where they go on. Null when the
 * scope has no such place.
 * @throws AppError `bad_request` for words or a cursor that cannot be.
 */
export async function findInPlace(
  scope: ReadScope,
  id: string,
  words: FindWords,
  place: { kind: "turn" | "context"; n: number; at: string | null },
  signal?: AbortSignal,
): Promise<PlaceMatches | null> {
  const finder = finderOf(words);
  const n = checkNumber(place.n);
  const cursor = place.at === null ? atStep(0) : parseCursor(place.at);
  const reading = await openReading(scope, id);
  if (reading === null) return null;
  const texts = place.kind === "turn" ? await textsOfTurn(reading, n, cursor) : await textsOfContext(reading, n);
  if (texts === null) return null;
  const matches: MatchPosition[] = [];
  const work = new BoundedWork(reading, { finder, wordChars: words.words.length }, signal);
  const next = await work.search(texts, cursor, ({ owner, field }, { offset, length }) => {
    matches.push({ item: owner.id, field, offset, length });
    return matches.length < POSITIONS_MAX;
  });
  return fitStrings(reading.projection.view({ matches, next: next === null ? null : formatCursor(next) }));
}

/** Says false when this answer takes no more matches. */
type OnMatch = (text: PlaceText, match: TextMatch) => boolean;

/** The work of one answer: searches texts until what one answer may search is used up, or the client has gone. */
class BoundedWork {
  private left: number;
  private sincePause = 0;

  constructor(
    readonly reading: Reading,
    private readonly words: { finder: RegExp; wordChars: number },
    private readonly signal: AbortSignal | undefined,
  ) {
    this.left = reading.projection.isShared ? SHARE_CHARS : OWNER_CHARS;
  }

  get isDone(): boolean {
    return this.left <= 0 || this.signal?.aborted === true;
  }

  /** Searches texts from the cursor on. Gives where to go on, null when all of them are searched. */
  async search(
    texts: AsyncIterable<PlaceText> | Iterable<PlaceText>,
    from: FindCursor,
    found: OnMatch,
  ): Promise<FindCursor | null> {
    const { finder, wordChars } = this.words;
    for await (const read of readAhead(this.reading, texts)) {
      const { step, at } = read.text;
      const isResumed = step === from.step && at.of === from.text?.of && at.n === from.text.n;
      const begin: FindCursor = { ...(isResumed ? from : atStep(step)), text: at };
      if (this.isDone) return begin;
      const search = new TextSearch(finder, wordChars, begin.from);
      const here = (): FindCursor => {
        const { n, start, from: position } = search.position;
        return { step, text: at, piece: n, pieceStart: start, from: position };
      };
      for await (const stretch of stretchesOf(this.reading, read, begin)) {
        if (!search.add(stretch, (match) => found(read.text, match))) return here();
        await this.spend(stretch.text.length);
        if (this.isDone && !stretch.isLast) return here();
      }
    }
    return null;
  }

  private async spend(chars: number): Promise<void> {
    this.left -= chars;
    this.sincePause += chars;
    if (this.sincePause < PAUSE_CHARS) return;
    this.sincePause = 0;
    await setImmediate();
  }
}

/** The matches of an answer by place, in the order in which the search came to them. */
class FoundPlaces {
  private readonly found: FoundPlace[] = [];
  private bytes = 0;

  add({ place, owner, field }: PlaceText, { offset, length, around }: TextMatch): boolean {
    const position: MatchPosition = { item: owner.id, field, offset, length };
    let here = this.found.at(-1);
    if (here === undefined || !isSame(here, place)) {
      here = { ...place, count: 0, first: [], last: position };
      this.found.push(here);
      this.bytes += jsonBytes(here);
    }
    here.count += 1;
    here.last = position;
    if (here.first.length < FIND_FIRST_MATCHES) {
      const match = { ...position, ...around() };
      here.first.push(match);
      this.bytes += jsonBytes(match);
    }
    return this.bytes < MATCHES_MAX_BYTES;
  }

  list(): FoundPlace[] {
    return this.found;
  }
}

function isSame(a: Place, b: Place): boolean {
  return a.turn === b.turn && a.context === b.context;
}

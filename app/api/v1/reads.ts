import { AppError } from "@/lib/errors";
import { errorAnswer, json, route } from "@/lib/http";
import { getCode } from "@/lib/store/code";
import { getFailure, getFailurePiece } from "@/lib/store/failure";
import { getNeighbours } from "@/lib/store/file-reads";
import { getRun, getTurnWindow, WINDOW_DEFAULT } from "@/lib/store/runs";
import type { ReadScope } from "@/lib/store/scope";
import { projectOf } from "@/lib/store/session";
import { openShare } from "@/lib/store/shares";
import { getTextPiece } from "@/lib/store/texts";
import { getFile, getRow, isWorkerAway } from "@/lib/store/trajectories";
import { getContext, getTurn } from "@/lib/store/turns";
import { KNOWN_TEXTS } from "@/lib/trajectory/given-failure";

/**
 * The reads of a trajectory, each written once and mounted twice: under `/api/v1/trajectories/{id}` for the project and
 * under `/api/v1/shared/{token}` for whoever holds a link.
 */
interface Opened {
  scope: ReadScope;
  id: string;
}

type Params = Record<string, string>;
type Handler = (request: Request, context: { params: Promise<Params> }) => Promise<Response>;

/** Where reads are mounted: how a request gets its scope, and what its answers look like. */
type Mount = (read: (opened: Opened, request: Request, params: Params) => Promise<unknown>) => Handler;

/** Mounts a read for the signed-in project. */
export const forProject: Mount = (read) =>
  route(async (request: Request, params: Params) => {
    const scope = await projectOf(request);
    return json(found(await read({ scope, id: params.id ?? "" }, request, params)));
  });

const SHARED_HEADERS = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" } as const;

/** Every link that opens nothing, and everything that a link does not hold, gets this answer, byte for byte. */
const NOT_SHARED = { error: { code: "not_found", message: "This link does not open anything.", requestId: "" } };

/** Mounts a read for a share link. */
export const forShare: Mount = (read) => async (request, context) => {
  try {
    const params = await context.params;
    const opened = await openShare(params.token);
    if (opened === null) return json(NOT_SHARED, 404, SHARED_HEADERS);
    return json(
      found(await read({ scope: opened.scope, id: opened.trajectoryId }, request, params)),
      200,
      SHARED_HEADERS,
    );
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return json(NOT_SHARED, 404, SHARED_HEADERS);
    const answer = errorAnswer(error);
    for (const [name, value] of Object.entries(SHARED_HEADERS)) answer.headers.set(name, value);
    return answer;
  }
};

function found<T>(value: T | null): T {
  if (value === null) throw new AppError("not_found", "There is no such thing here.");
  return value;
}

/**
 * The row, and the head of the page when there is one. For the project also what stands before and behind it in its file,
 * and of a file with several trajectories what none of them holds.
 */
export const readRun = (mount: Mount): Handler =>
  mount(async ({ scope, id }) => {
    const run = await getRun(scope, id);
    if (scope.kind === "share") return run === null ? null : { row: run.row, run };
    const neighbours = await getNeighbours(scope, id);
    if (run !== null) return { row: run.row, run, neighbours };
    // What is not imported has a row only, and so has a file of several trajectories, with what none of them holds.
    const row = await getRow(scope, id);
    if (row === null) return null;
    const file = row.parts === null ? null : await getFile(scope, id);
    return { row, run: null, neighbours, notes: file?.notes ?? [], isWorkerAway: await isWorkerAway(row.status) };
  });

/** A window of the outline: `?from=&limit=`. */
export const readTurns = (mount: Mount): Handler =>
  mount(async ({ scope, id }, request) => {
    const query = new URL(request.url).searchParams;
    return getTurnWindow(scope, id, numberIn(query, "from", 0), numberIn(query, "limit", WINDOW_DEFAULT));
  });

/** One turn. */
export const readTurn = (mount: Mount): Handler =>
  mount(async ({ scope, id }, _request, params) => getTurn(scope, id, pathNumber(params.index)));

/** One context item. */
export const readContext = (mount: Mount): Handler =>
  mount(async ({ scope, id }, _request, params) => getContext(scope, id, pathNumber(params.n)));

/** What is known of how the run ended. */
export const readFailure = (mount: Mount): Handler => mount(async ({ scope, id }) => getFailure(scope, id));

/** A piece of a long text about it: `?what=&offset=`. */
export const readFailureText = (mount: Mount): Handler =>
  mount(async ({ scope, id }, request) => {
    const query = new URL(request.url).searchParams;
    const what = KNOWN_TEXTS.find((known) => known === query.get("what"));
    if (what === undefined) throw new AppError("bad_request", `what is one of ${KNOWN_TEXTS.join(", ")}.`);
    return getFailurePiece(scope, id, { what, offset: numberIn(query, "offset", 0) });
  });

/** A piece of a long text: `?item=&field=&offset=`. */
export const readText = (mount: Mount): Handler =>
  mount(async ({ scope, id }, request) => {
    const query = new URL(request.url).searchParams;
    const field = query.get("field") ?? "text";
    if (field !== "text" && field !== "arguments") throw new AppError("bad_request", "field is text or arguments.");
    return getTextPiece(scope, id, { item: query.get("item") ?? "", field, offset: numberIn(query, "offset", 0) });
  });

/** A file at a turn: `?file=&turn=&from=&to=`. */
export const readCode = (mount: Mount): Handler =>
  mount(async ({ scope, id }, request) => {
    const query = new URL(request.url).searchParams;
    const from = query.get("from") ?? "before";
    const to = query.get("to") ?? "after";
    if (from !== "before" && from !== "baseline") throw new AppError("bad_request", "from is before or baseline.");
    if (to !== "after" && to !== "final") throw new AppError("bad_request", "to is after or final.");
    return getCode(scope, id, { file: numberIn(query, "file"), turn: numberIn(query, "turn"), from, to });
  });

const NUMBER = /^\d{1,10}$/;

/** A number of the query; `fallback` when it is missing. */
function numberIn(query: URLSearchParams, name: string, fallback?: number): number {
  const text = query.get(name);
  if (text === null && fallback !== undefined) return fallback;
  if (text === null || !NUMBER.test(text)) throw new AppError("bad_request", `${name} is a whole number from 0.`);
  return Number(text);
}

/** A number in the path; anything else is an address of nothing. */
export function pathNumber(text: string | undefined): number {
  if (text === undefined || !NUMBER.test(text)) throw new AppError("not_found", "There is no such thing here.");
  return Number(text);
}

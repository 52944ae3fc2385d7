import { z } from "zod";
import { AppError } from "@/lib/errors";
import { findInPlace, findInRun } from "@/lib/store/find";
import type { FindWords } from "@/lib/views/find";
import { type forProject, pathNumber } from "./reads";

/** Finding in a trajectory, written once and mounted twice like every read. */
type Mount = typeof forProject;
type Handler = ReturnType<Mount>;

const querySchema = z.object({
  q: z.string().default(""),
  case: z.enum(["match", "ignore"]).default("ignore"),
  turn: z
    .string()
    .regex(/^\d{1,9}$/)
    .default("0"),
  at: z.string().max(100).nullable().default(null),
});

function queryOf(request: Request): { words: FindWords; turn: number; at: string | null } {
  const read = querySchema.safeParse(Object.fromEntries(new URL(request.url).searchParams));
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new AppError("bad_request", `${issue?.path.join(".")} cannot be read.`);
  }
  const { q, case: wanted, turn, at } = read.data;
  return { words: { words: q, matchCase: wanted === "match" }, turn: Number(turn), at };
}

/** One step of a search over all turns, outward from one: `?q=&case=match|ignore&turn=&at=`. */
export const readFind = (mount: Mount): Handler =>
  mount(async ({ scope, id }, request) => {
    const { words, turn, at } = queryOf(request);
    return findInRun(scope, id, words, { turn, at }, request.signal);
  });

/** All matches of a turn: `?q=&case=match|ignore&at=`. */
export const readFindInTurn = (mount: Mount): Handler =>
  mount(async ({ scope, id }, request, params) => {
    const { words, at } = queryOf(request);
    return findInPlace(scope, id, words, { kind: "turn", n: pathNumber(params.index), at }, request.signal);
  });

/** All matches of a context item: `?q=&case=match|ignore&at=`. */
export const readFindInContext = (mount: Mount): Handler =>
  mount(async ({ scope, id }, request, params) => {
    const { words, at } = queryOf(request);
    return findInPlace(scope, id, words, { kind: "context", n: pathNumber(params.n), at }, request.signal);
  });

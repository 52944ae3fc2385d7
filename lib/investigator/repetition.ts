import type { Write } from "@/lib/artefact/model";
import { isShellTool } from "@/lib/artefact/shell-tools";
import type { Turn } from "@/lib/trajectory/schema";
import { commandLineOf } from "./command-line";

/** The tail of a run in which the same few actions come again and again. `turns` are indices, in order. */
export interface Loop {
  turns: number[];
  distinct: number;
}

/** A loop goes round at least this often, and is at least this many turns long. */
const LOOP_ROUNDS_MIN = 3;
const LOOP_DISTINCT_MAX = 6;

/**
 * The repeated-action loop that a run ends in: the longest tail with at most six different actions in which they come
 * three times each on average. Null when the run does not end that way. A last `submit` does not break it, and turns
 * without an action stand outside it. `signatureOf` says which actions count as the same: word for word unless given.
 */
export function endLoop(path: Turn[], signatureOf: (turn: Turn) => string | null = actionSignature): Loop | null {
  const acting = actingTurns(path, signatureOf);
  const seen = new Set<string>();
  let start = acting.length;
  let found: Loop | null = null;
  for (let distinct = 1; distinct <= LOOP_DISTINCT_MAX && start > 0; distinct += 1) {
    for (; start > 0; start -= 1) {
      const signature = acting[start - 1]?.signature ?? "";
      if (!seen.has(signature) && seen.size === distinct) break;
      seen.add(signature);
    }
    const tail = withoutLeadIn(acting.slice(start));
    const kinds = distinctIn(tail);
    if (kinds > 0 && tail.length >= LOOP_ROUNDS_MIN * kinds && tail.length > (found?.turns.length ?? 0)) {
      found = { turns: tail.map(({ turn }) => turn), distinct: kinds };
    }
  }
  return found;
}

/** Longest round of a closing cycle, in actions. */
const CYCLE_ROUND_MAX = 8;

/**
 * The longest tail of a run in which the same actions come in the same order at least twice: a round of one to eight.
 * Null when the run does not end that way. A last `submit` does not break it. `signatureOf` as in `endLoop`.
 */
export function closingCycle(path: Turn[], signatureOf: (turn: Turn) => string | null = actionSignature): Loop | null {
  const acting = actingTurns(path, signatureOf);
  let found: { start: number; round: number } | null = null;
  for (let round = 1; round <= CYCLE_ROUND_MAX; round += 1) {
    let start = acting.length;
    while (start > round && acting[start - 1]?.signature === acting[start - 1 - round]?.signature) start -= 1;
    start -= round;
    if (acting.length - start >= 2 * round && start < (found?.start ?? acting.length)) found = { start, round };
  }
  return found === null
    ? null
    : { turns: acting.slice(found.start).map(({ turn }) => turn), distinct: distinctIn(acting.slice(found.start)) };
}

function distinctIn(acting: { signature: string }[]): number {
  return new Set(acting.map(({ signature }) => signature)).size;
}

/** The turns that do something, without a `submit` at the end. */
function actingTurns(path: Turn[], signatureOf: (turn: Turn) => string | null): { turn: number; signature: string }[] {
  const acting: { turn: Turn; signature: string }[] = [];
  for (const turn of path) {
    const signature = signatureOf(turn);
    if (signature !== null) acting.push({ turn, signature });
  }
  const last = acting[acting.length - 1];
  if (last?.turn.items.some((item) => item.kind === "call" && item.callKind === "submit")) acting.pop();
  return acting.map(({ turn, signature }) => ({ turn: turn.index, signature }));
}

/** The loop begins with an action that comes back often enough; what leads into it is no part of it. */
function withoutLeadIn<T extends { signature: string }>(tail: T[]): T[] {
  const counts = new Map<string, number>();
  for (const { signature } of tail) counts.set(signature, (counts.get(signature) ?? 0) + 1);
  const first = tail.findIndex(({ signature }) => (counts.get(signature) ?? 0) >= LOOP_ROUNDS_MIN);
  return first === -1 ? [] : tail.slice(first);
}

/** What a turn does, word for word: its calls with their arguments. Null for a turn without a call. */
export function actionSignature(turn: Turn): string | null {
  const calls: string[] = [];
  for (const item of turn.items) {
    if (item.kind !== "call") continue;
    calls.push(
      `${item.tool}\u0000${item.text ?? ""}\u0000${item.arguments === null ? "" : JSON.stringify(item.arguments)}`,
    );
  }
  return calls.length === 0 ? null : calls.join("\u0001");
}

/** Arguments in which tools take the file or folder that they act on. */
const PATH_KEYS = ["path", "file_path", "filePath", "filename", "notebook_path"];

/**
 * What a turn acts on, without how: the files that it writes, the first line of a command, a tool with its path. Two
 * edits of one file are the same here. Null for a turn without a call.
 */
export function looseSignature(turn: Turn, writes: Write[]): string | null {
  if (writes.length > 0) {
    const first = writes.map((write) => `${write.operation === "create" ? "create" : "change"} ${write.path}`);
    return [...new Set(first)].join("\u0001");
  }
  const calls: string[] = [];
  for (const item of turn.items) {
    if (item.kind !== "call") continue;
    const command = commandLineOf(item);
    const given = item.arguments ?? {};
    const path = PATH_KEYS.map((key) => (Object.hasOwn(given, key) ? given[key] : undefined)).find(
      (value) => typeof value === "string",
    );
    const verb = Object.hasOwn(given, "command") && typeof given.command === "string" ? given.command : "";
    if (path !== undefined && !isShellTool(item.tool)) calls.push(`${item.tool}\u0000${verb}\u0000${path}`);
    else if (command !== null) calls.push(`${item.tool}\u0000${command.trimStart().split("\n", 1)[0]}`);
    else calls.push(`${item.tool}\u0000${JSON.stringify(item.arguments)}`);
  }
  return calls.length === 0 ? null : calls.join("\u0001");
}

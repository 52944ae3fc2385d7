import { type CallItem, type ResultItem, type Trajectory, type Turn, turnsOf } from "@/lib/trajectory/schema";
import { commandLineOf } from "../command-line";
import type { HarnessFault } from "../diagnosis";
import { quoteOpening, quoteRange } from "../quotation";
import type { Quotation } from "../verdict";

/** Fewer calls than this show no pattern. */
const CALLS_MIN = 3;
/** So many of the calls that never ran make it the harness's fault and not the agent's. */
const SHARE_NEVER_RAN = 0.5;
/** So many of the commands that fail on the environment, the first ones among them, make it broken from the start. */
const SHARE_BROKEN = 0.8;
const QUOTATIONS_MAX = 3;
const TURNS_MAX = 50;
/** A cause stands near the beginning or the end of an output; looking no further bounds the work. */
const LOOKED_AT_CHARS = 2_000;

/** Answers of a harness that knows no such tool. */
const NO_SUCH_TOOL =
  /\b(?:unknown (?:tool|function)|no such tool|(?:tool|function) ["'`]?[\w.-]{1,80}["'`]? (?:is )?(?:not (?:found|available|registered|supported)|does not exist)|["'`][\w.-]{1,80}["'`] is not a(?:n available| valid| known)? tool)\b/i;

/** What no command of an agent brings about by itself: its machine is gone, full, or cannot be written. */
const BROKEN_ENVIRONMENT =
  /no space left on device|cannot connect to the docker daemon|(?:container|sandbox|runtime) [\w.-]{0,80} ?(?:is not running|has (?:stopped|crashed|exited)|is not ready|not found)|read-only file system|\b(?:ls|cat|cd|echo|pwd|bash|sh): (?:command )?not found|exec format error|cannot allocate memory|transport endpoint is not connected/i;

/**
 * Looks for a fault that is none of the agent's: calls of tools that never ran (the command was made a no-op, or the
 * harness knew no such tool), or an environment in which every command failed from the first one on. Told by rule, before
 * a model is asked. Null when there is none.
 * Source: localization-anchors.md 6.6 (a corpus in which 642 of 1,240 commands were no-ops of the form `: command`).
 */
export function harnessFault(trajectory: Trajectory): HarnessFault | null {
  const answered = turnsOf(trajectory).flatMap(answeredCalls);
  return callsNeverRan(answered) ?? environmentBroken(answered);
}

interface Answered {
  turn: number;
  call: CallItem;
  result: ResultItem;
}

function answeredCalls(turn: Turn): Answered[] {
  const results = new Map<string, ResultItem>();
  for (const item of turn.items) if (item.kind === "result" && item.callItem !== null) results.set(item.callItem, item);
  return turn.items.flatMap((item) => {
    const result = item.kind === "call" ? results.get(item.id) : undefined;
    return item.kind === "call" && result !== undefined ? [{ turn: turn.index, call: item, result }] : [];
  });
}

function callsNeverRan(answered: Answered[]): HarnessFault | null {
  const never = answered.filter((each) => isNoOperation(each) || causeIn(each.result, NO_SUCH_TOOL) !== null);
  if (never.length < CALLS_MIN || never.length < answered.length * SHARE_NEVER_RAN) return null;
  return {
    kind: "calls_never_ran",
    reason: `${never.length} of ${answered.length} tool calls never ran: the harness made them no-ops or knew no such tool.`,
    ...shown(never, ({ call, result, turn }) => quoteCause(result, turn, NO_SUCH_TOOL) ?? quoteOpening(call, turn)),
  };
}

/** `: command` is the shell's way to do nothing, and it answers nothing. */
function isNoOperation({ call, result }: Answered): boolean {
  return /^\s*:(?:\s|$)/.test(commandLineOf(call) ?? "") && result.text.trim() === "";
}

function environmentBroken(answered: Answered[]): HarnessFault | null {
  const commands = answered.filter(({ call }) => call.callKind === "execute" || commandLineOf(call) !== null);
  const broken = commands.filter(({ result }) => causeIn(result, BROKEN_ENVIRONMENT) !== null);
  const isFromTheStart = commands.slice(0, CALLS_MIN).every((each) => broken.includes(each));
  if (broken.length < CALLS_MIN || !isFromTheStart || broken.length < commands.length * SHARE_BROKEN) return null;
  return {
    kind: "environment_broken",
    reason: `${broken.length} of ${commands.length} commands failed on the environment, the first ones among them.`,
    ...shown(broken, ({ result, turn }) => quoteCause(result, turn, BROKEN_ENVIRONMENT)),
  };
}

function shown(
  faults: Answered[],
  quote: (fault: Answered) => Quotation | null,
): Pick<HarnessFault, "turns" | "quotations"> {
  const turns = [...new Set(faults.map(({ turn }) => turn))].slice(0, TURNS_MAX);
  const quotations = faults.flatMap((fault) => quote(fault) ?? []).slice(0, QUOTATIONS_MAX);
  return { turns, quotations };
}

/** The range of the cause in what a result says first or last. */
function causeIn({ text }: ResultItem, cause: RegExp): { start: number; end: number } | null {
  const last = Math.max(0, text.length - LOOKED_AT_CHARS);
  for (const from of last > 0 ? [0, last] : [0]) {
    const found = cause.exec(text.slice(from, from + LOOKED_AT_CHARS));
    if (found !== null) return { start: from + found.index, end: from + found.index + found[0].length };
  }
  return null;
}

function quoteCause(result: ResultItem, turn: number, cause: RegExp): Quotation | null {
  const found = causeIn(result, cause);
  return found === null ? null : quoteRange(result, turn, "text", found.start, found.end);
}

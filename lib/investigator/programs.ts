import type { CallItem, ResultItem, Turn } from "@/lib/trajectory/schema";
import { commandLineOf } from "./command-line";

/** The programs that the commands of a turn start: the first word behind changes of directory and settings. */
export function programsOf(turn: Turn): Set<string> {
  return new Set(commandsOf(turn).map(({ program }) => program));
}

/** True when one of the programs is run in the turn and says by its exit code that it went well. */
export function runsWell(turn: Turn, programs: ReadonlySet<string>): boolean {
  const results = turn.items.filter((item): item is ResultItem => item.kind === "result" && item.exitCode === 0);
  const well = new Set(results.map((result) => result.callItem));
  return commandsOf(turn).some(({ id, program }) => well.has(id) && programs.has(program));
}

const PROGRAM = /^(?:\s*cd\s+[^\s;&|]+\s*&&)*\s*(?:[A-Za-z_]\w*=\S*\s+)*([^\s;|&<>()]+)/;
/** Enough for any first command. */
const LOOKED_AT_CHARS = 2_000;

function commandsOf(turn: Turn): { id: string; program: string }[] {
  const calls = turn.items.filter((item): item is CallItem => item.kind === "call" && item.callKind === "execute");
  return calls.flatMap((call) => {
    const program = PROGRAM.exec(commandLineOf(call)?.slice(0, LOOKED_AT_CHARS) ?? "")?.[1];
    return program === undefined ? [] : [{ id: call.id, program }];
  });
}

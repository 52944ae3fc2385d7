import { cookies } from "next/headers";
import { chooseFile } from "@/components/code/file-choice";
import {
  INVESTIGATIONS_PATH,
  investigationPath,
  shownInvestigation,
  withShownVerdict,
} from "@/components/diagnosis/shown-verdict";
import { type Address, parseAddress } from "@/components/trajectory/address";
import { openingTurn } from "@/components/trajectory/flags";
import { codePath, contextPath, rawPath, turnPath, WINDOW_TURNS, windowPath } from "@/components/trajectory/paths";
import { getCode } from "@/lib/store/code";
import { getInvestigation, getInvestigations } from "@/lib/store/investigation-reads";
import { getRaw } from "@/lib/store/raw";
import { getRun, getTurnWindow } from "@/lib/store/runs";
import type { ReadScope } from "@/lib/store/scope";
import { getContext, getTurn } from "@/lib/store/turns";
import type { Investigation } from "@/lib/views/investigation";
import type { RunView } from "@/lib/views/run";

export type Search = Record<string, string | string[] | undefined>;

/** A page's query as the address reads it; of a repeated name the first counts. */
export function addressOf(search: Search): Address {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) query.set(name, first);
  }
  return parseAddress(query);
}

/** Whether the person closed the strip the last time. */
export async function isStripClosed(): Promise<boolean> {
  return (await cookies()).get("misstep-strip")?.value === "closed";
}

export interface LoadedForensics {
  run: RunView;
  /** What the page shows at this address, by path under the prefix of its JSON routes. */
  initial: [string, unknown][];
}

/**
 * Everything that a trajectory page shows at an address, so that the server draws it whole: the head, the window of the
 * outline, the turn (or context item), the code or the raw records. Null when the scope has no such trajectory or it is
 * not imported yet.
 */
export async function loadForensics(scope: ReadScope, id: string, address: Address): Promise<LoadedForensics | null> {
  const rule = await getRun(scope, id);
  if (rule === null) return null;
  const investigations = await loadInvestigations(scope, id, address);
  const run = withShownVerdict(rule, investigations.shown, address);
  const turns = run.strip.turns;
  const index = Math.max(0, Math.min(turns - 1, address.turn ?? openingTurn(run.verdict, turns)));
  const from = Math.floor(index / WINDOW_TURNS) * WINDOW_TURNS;
  const [window, turn] = await Promise.all([
    getTurnWindow(scope, id, from, WINDOW_TURNS),
    turns === 0 ? null : getTurn(scope, id, index),
  ]);
  const initial: [string, unknown][] = [...investigations.initial];
  if (window !== null) initial.push([windowPath(index), window]);
  if (turn !== null) initial.push([turnPath(index), turn]);
  if (address.context !== null) {
    const context = await getContext(scope, id, address.context);
    if (context !== null) initial.push([contextPath(address.context), context]);
  }
  if (address.view === "raw" && run.permissions.raw && scope.kind === "project") {
    const raw = await getRaw(scope, id, index);
    if (raw !== null) initial.push([rawPath(index), raw]);
  } else {
    const file = chooseFile(run, turn, address.file, address.item);
    if (file !== null && turns > 0) {
      const code = await getCode(scope, id, { file, turn: index, from: address.from, to: address.to });
      if (code !== null) initial.push([codePath(file, index, address.from, address.to), code]);
    }
  }
  return { run: rule, initial };
}

/** What the page needs of the investigations; nothing for a share. */
async function loadInvestigations(
  scope: ReadScope,
  id: string,
  address: Address,
): Promise<{ shown: Investigation | null; initial: [string, unknown][] }> {
  if (scope.kind !== "project") return { shown: null, initial: [] };
  const all = await getInvestigations(scope, id);
  const initial: [string, unknown][] = [[INVESTIGATIONS_PATH, all]];
  const shownId = shownInvestigation(all, address);
  const named = all.rows.find((row) => row.id === address.investigation)?.id ?? null;
  let shown = shownId === all.latest?.id ? all.latest : null;
  for (const wanted of new Set([shownId, named])) {
    if (wanted === null || wanted === all.latest?.id) continue;
    const found = await getInvestigation(scope, id, wanted);
    if (found === null) continue;
    initial.push([investigationPath(wanted), found]);
    if (wanted === shownId) shown = found;
  }
  return { shown, initial };
}

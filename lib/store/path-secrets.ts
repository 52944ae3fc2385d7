import { database } from "./client";
import { inlineText, longText } from "./item-texts";
import type { Reading } from "./reading";
import { storedItemsSchema } from "./stored-item";

/** The grammar of shell commands: the one that cuts paths out of texts. */
const SHELL_WRITES = "W7";
/** Shares whose secrets are kept; each is a few kB. */
const SHARES_KEPT = 200;

const met = new Map<string, ReadonlyMap<string, string>>();

/**
 * Lets the projection meet the secrets of the shell commands that wrote files. A path that was read out of a command
 * (`token => "..."` redirects to what looks like a path) can be a secret that no rule knows without the words around it.
 * For a share only; the answer is kept, because an import never changes.
 */
export async function meetPathSecrets(reading: Reading): Promise<void> {
  const { scope, importId, projection } = reading;
  if (scope.kind !== "share") return;
  const key = `${scope.shareId} ${importId}`;
  const known = met.get(key) ?? (await secretsOfShellWrites(reading));
  projection.remember(known);
  met.delete(key);
  met.set(key, known);
  for (const oldest of met.keys()) {
    if (met.size <= SHARES_KEPT) break;
    met.delete(oldest);
  }
}

async function secretsOfShellWrites(reading: Reading): Promise<ReadonlyMap<string, string>> {
  const { importId } = reading;
  const writes = await database().write.findMany({
    where: { importId, grammar: SHELL_WRITES },
    select: { turn: true, itemId: true },
  });
  const items = new Set(writes.map((write) => write.itemId));
  const turns = await database().turn.findMany({
    where: { importId, index: { in: [...new Set(writes.map((write) => write.turn))] } },
    select: { items: true },
  });
  const fork: Reading = { ...reading, projection: reading.projection.fork() };
  for (const turn of turns) {
    for (const item of storedItemsSchema.parse(turn.items)) {
      if (!items.has(item.id)) continue;
      for (const field of ["text", "arguments"] as const) {
        if (inlineText(fork, item, field) === null && item.long?.[field]) await longText(fork, item.id, field);
      }
    }
  }
  return fork.projection.met();
}

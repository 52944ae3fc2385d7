import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { distinctiveSecrets } from "@/lib/redact/known-secrets";
import { SECRET_RULES_VERSION } from "@/lib/redact/redact";
import { database } from "./client";
import { getGivenFailure } from "./given-failure";
import { parseJson } from "./own-json";
import type { ShareScope } from "./scope";
import { type Projection, projectionOf } from "./share-projection";
import { storedContextSchema, storedItemsSchema } from "./stored-item";

/** Shares whose secrets are kept; each is a few kB. */
const SHARES_KEPT = 200;
/** Turns read at once. */
const BATCH = 100;

type Secrets = ReadonlyMap<string, string>;

const kept = new Map<string, Promise<Secrets>>();

/**
 * The secrets that the texts of a shared import hold, with their masks: those that are secrets wherever they stand. A
 * password is known for one by the words around it (`DB_PASSWORD=...`), and a run repeats it without them: in a command,
 * in code, in a thought. Every text is read once for a share, when it is made; an import never changes, so the answer is
 * kept in the share's row, and a link to a long run opens as fast as one to a short run. Other rules read the texts anew.
 */
export function secretsOfImport(scope: ShareScope): Promise<Secrets> {
  const known = kept.get(scope.shareId) ?? storedOrCollected(scope);
  kept.delete(scope.shareId);
  kept.set(scope.shareId, known);
  for (const oldest of kept.keys()) {
    if (kept.size <= SHARES_KEPT) break;
    kept.delete(oldest);
  }
  known.catch(() => kept.delete(scope.shareId));
  return known;
}

const storedSchema = z.object({ rules: z.string(), masks: z.array(z.tuple([z.string(), z.string()])) });

async function storedOrCollected(scope: ShareScope): Promise<Secrets> {
  const where = { id: scope.shareId };
  const share = await database().share.findUnique({ where, select: { secrets: true } });
  const stored = storedSchema.safeParse(parseJson(share?.secrets ?? ""));
  if (stored.success && stored.data.rules === SECRET_RULES_VERSION) return new Map(stored.data.masks);
  const found = await collect(scope);
  const secrets = JSON.stringify({ rules: SECRET_RULES_VERSION, masks: [...found] });
  await database().share.updateMany({ where, data: { secrets } });
  return found;
}

async function collect(scope: ShareScope): Promise<Secrets> {
  const { importId } = scope;
  const projection = projectionOf(scope);
  for (let from = 0; ; from += BATCH) {
    const turns = await database().turn.findMany({
      where: { importId, index: { gte: from, lt: from + BATCH } },
      orderBy: { index: "asc" },
      select: { items: true },
    });
    for (const turn of turns) {
      for (const item of storedItemsSchema.parse(turn.items)) {
        if (item.text !== null) projection.whole(item.text);
        if (item.kind === "call" && item.arguments !== null) projection.argumentsText(JSON.stringify(item.arguments));
      }
      await setImmediate(); // others are served between two turns
    }
    if (turns.length < BATCH) break;
  }
  const contexts = await database().context.findMany({ where: { importId }, select: { data: true } });
  for (const { data } of contexts) projection.whole(storedContextSchema.parse(data).text ?? "");
  await readLongTexts(importId, projection);
  const found = await database().import.findUnique({
    where: { id: importId },
    select: { head: true, failureContext: true },
  });
  if (found !== null) projection.view([found.head, found.failureContext]);
  projection.view(await getGivenFailure(scope, scope.trajectoryId));
  return distinctiveSecrets(projection.met());
}

async function readLongTexts(importId: string, projection: Projection): Promise<void> {
  const texts = await database().itemText.groupBy({ by: ["itemId", "field"], where: { importId } });
  for (const { itemId, field } of texts) {
    const pieces = await database().itemText.findMany({
      where: { importId, itemId, field },
      orderBy: { piece: "asc" },
      select: { text: true },
    });
    const whole = pieces.map((piece) => piece.text).join("");
    if (field === "arguments") projection.argumentsText(whole);
    else projection.whole(whole);
    await setImmediate();
  }
}

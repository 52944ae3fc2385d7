import type { Quotation, Verdict } from "@/lib/investigator/verdict";
import { database } from "./client";
import { inlineText, longText, meetSecrets } from "./item-texts";
import type { Reading } from "./reading";
import { type StoredItem, storedContextSchema, storedItemsSchema } from "./stored-item";

/**
 * A verdict as a share may see it. Quotations are masked with what the whole texts hold, because a quotation may begin
 * or end inside a secret; their positions then point into the masked text. Reasons may repeat words of the turns that
 * they are about, so the secrets of those turns are masked in them too. Unchanged for an owner.
 */
export async function maskVerdict(reading: Reading, verdict: Verdict): Promise<Verdict> {
  if (!reading.projection.isShared) return verdict;
  const turns = [
    ...new Set(verdict.candidates.flatMap((one) => [one.turn, ...one.quotations.map((q) => q.turn ?? one.turn)])),
  ];
  const rows = await database().turn.findMany({
    where: { importId: reading.importId, index: { in: turns } },
    select: { items: true },
  });
  const items = new Map<string, StoredItem>();
  for (const row of rows) for (const item of storedItemsSchema.parse(row.items)) items.set(item.id, item);
  await meetSecrets(reading, [...items.values()]);
  const candidates: Verdict["candidates"] = [];
  for (const candidate of verdict.candidates) {
    const quotations: Quotation[] = [];
    for (const quotation of candidate.quotations) quotations.push(await maskQuotation(reading, quotation, items));
    candidates.push({ ...candidate, quotations });
  }
  const { projection } = reading;
  const part = (text: string | null): string | null => (text === null ? null : projection.part(text));
  return {
    ...verdict,
    undeterminedReason: part(verdict.undeterminedReason),
    reliability: { ...verdict.reliability, reason: projection.part(verdict.reliability.reason) },
    candidates: candidates.map((candidate) => ({
      ...candidate,
      reason: projection.part(candidate.reason),
      file: part(candidate.file),
      ...(candidate.contributions && {
        contributions: candidate.contributions.map((one) => ({ ...one, words: projection.part(one.words) })),
      }),
    })),
  };
}

async function maskQuotation(
  reading: Reading,
  quotation: Quotation,
  items: ReadonlyMap<string, StoredItem>,
): Promise<Quotation> {
  const owner = items.get(quotation.item) ?? (await contextOf(reading, quotation.item));
  const whole =
    (owner === null ? null : inlineText(reading, owner, quotation.field)) ??
    (await longText(reading, quotation.item, quotation.field));
  const text = reading.projection.part(quotation.text);
  const at = whole === null ? -1 : nearest(whole, text, quotation.start);
  // A quotation that cannot be found in the masked text keeps its words and points nowhere.
  return { ...quotation, text, start: Math.max(0, at), end: at < 0 ? 0 : at + text.length };
}

async function contextOf(
  reading: Reading,
  itemId: string,
): Promise<ReturnType<typeof storedContextSchema.parse> | null> {
  const context = await database().context.findFirst({
    where: { importId: reading.importId, data: { path: ["id"], equals: itemId } },
    select: { data: true },
  });
  return context === null ? null : storedContextSchema.parse(context.data);
}

/** The position of `text` in `whole` that is nearest to `near`; -1 when it is not there. */
function nearest(whole: string, text: string, near: number): number {
  const before = whole.lastIndexOf(text, near);
  const after = whole.indexOf(text, near);
  if (before < 0 || after < 0) return Math.max(before, after);
  return near - before <= after - near ? before : after;
}

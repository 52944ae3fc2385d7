import { IngestError } from "@/lib/errors";
import { trajectorySchema } from "@/lib/trajectory/schema";
import { openUpload } from "../ingest";
import { prepareSource } from "../prepare-source";
import type { Source } from "../source";
import { brokenIdentities } from "./identities";

/** How long one damaged input may take, in milliseconds of the processor. */
const LIMIT_MS = 2_000;

/**
 * Copies of an input with one damage each: `cases` cut at a place and as many with one bit turned. The same seed gives
 * the same ones (Park and Miller's generator).
 */
export function* damaged(
  bytes: Uint8Array,
  cases: number,
  seed: number,
): Generator<{ how: string; bytes: Uint8Array }> {
  let state = (seed % 2_147_483_646) + 1;
  const next = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % Math.max(1, bytes.length);
  };
  for (let n = 0; n < cases; n += 1) {
    const cut = next();
    yield { how: `cut-${cut}`, bytes: bytes.subarray(0, cut) };
    const place = next();
    const turned = bytes.slice();
    turned[place] = (turned[place] ?? 0) ^ (1 << (n % 8));
    yield { how: `bit-${place}-${n % 8}`, bytes: turned };
  }
}

/** What is wrong with how an input is read: null when it gives a valid trajectory or is refused by an IngestError. */
export async function brokenBy(given: Source): Promise<string | null> {
  const started = process.cpuUsage();
  try {
    const opened = openUpload(await prepareSource(given));
    if (opened.kind === "one") {
      const { trajectory } = opened.read(() => undefined);
      trajectorySchema.parse(trajectory);
      const broken = brokenIdentities(trajectory);
      if (broken.length > 0) return broken.join("; ");
    }
  } catch (error) {
    if (!(error instanceof IngestError)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { user, system } = process.cpuUsage(started);
  const tookMs = (user + system) / 1_000;
  return tookMs > LIMIT_MS ? `it took ${Math.round(tookMs)} ms` : null;
}

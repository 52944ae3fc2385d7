import { IngestError } from "@/lib/errors";
import { failureContextSchema, type RawSpan, trajectorySchema } from "@/lib/trajectory/schema";
import { type Opened, openUpload } from "../ingest";
import type { Part } from "../parts";
import { prepareSource } from "../prepare-source";
import type { Source } from "../source";
import { brokenIdentities, thingsOf } from "./identities";
import { tarOf } from "./packed";

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
    // A Buffer's own `slice` shares its memory.
    const turned = new Uint8Array(bytes);
    turned[place] = (turned[place] ?? 0) ^ (1 << (n % 8));
    yield { how: `bit-${place}-${n % 8}`, bytes: turned };
  }
}

/**
 * Damaged copies of an input: of its bytes, as `damaged` makes them, and as many of the files in it when it is an archive,
 * which a damage of the whole makes unreadable or hardly touches.
 */
export async function* damagedInputs(
  bytes: Uint8Array,
  cases: number,
  seed: number,
): AsyncGenerator<{ how: string; bytes: Uint8Array }> {
  yield* damaged(bytes, cases, seed);
  const { inside } = await prepareSource({ name: "x", bytes });
  if (inside?.kind !== "files") return;
  const share = Math.ceil(cases / inside.files.length);
  for (const [n, { path, bytes: held }] of inside.files.entries()) {
    for (const { how, bytes: broken } of damaged(held, share, seed + n)) {
      const files = inside.files.map((file) => [file.path, file.path === path ? broken : file.bytes]);
      yield { how: `file-${n}-${how}`, bytes: await tarOf(Object.fromEntries(files)) };
    }
  }
}

/** What is wrong with how an input is read: null when it gives a valid trajectory or is refused by an IngestError. */
export async function brokenBy(given: Source): Promise<string | null> {
  const started = process.cpuUsage();
  const problems: string[] = [];
  try {
    const opened = openUpload(await prepareSource(given));
    if (opened.kind === "one") problems.push(...brokenIn(opened, given));
    else for (const part of opened.parts) problems.push(...(await brokenInPart(given, part)));
  } catch (error) {
    if (!(error instanceof IngestError)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const { user, system } = process.cpuUsage(started);
  const tookMs = (user + system) / 1_000;
  if (tookMs > LIMIT_MS) problems.push(`it took ${Math.round(tookMs)} ms`);
  return problems.length === 0 ? null : problems.join("; ");
}

/** The part is read as a job does it: from its own bytes where it has a range in the upload, else out of the whole. */
async function brokenInPart(whole: Source, part: Part): Promise<string[]> {
  const { name, bytes } = whole;
  const own = part.range && part.file === undefined ? bytes.subarray(part.range.start, part.range.end) : bytes;
  try {
    const opened = openUpload(await prepareSource({ name, bytes: own, part }));
    return opened.kind === "one" ? brokenIn(opened, whole) : [`${part.key} holds several trajectories`];
  } catch (error) {
    if (error instanceof IngestError) return [];
    throw error;
  }
}

function brokenIn(opened: Extract<Opened, { kind: "one" }>, { bytes }: Source): string[] {
  const { trajectory, failure } = opened.read(() => undefined);
  trajectorySchema.parse(trajectory);
  failureContextSchema.parse(failure);
  const isOutside = ({ start, end, file }: RawSpan): boolean =>
    file === undefined && ((start ?? 0) > (end ?? bytes.length) || (end ?? 0) > bytes.length);
  const notes = trajectory.notes.flatMap(({ positions }) => positions);
  const outside = [...thingsOf(trajectory).flatMap(({ raw }) => raw), ...notes].find(isOutside);
  const places = outside === undefined ? [] : [`a place is not in the upload: ${JSON.stringify(outside)}`];
  return [...brokenIdentities(trajectory), ...places];
}

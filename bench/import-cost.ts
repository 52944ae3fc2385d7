import { ingest, openUpload } from "@/lib/ingest/ingest";
import { interleave, timed } from "./measure";
import { type Figure, type Measured, medianFigure, ratioFigure, singleFigure } from "./question";

const MB = 1_000_000;
const AT_MOST = 3;
const GROWTH_AT_MOST = 1.3;
const SIZES_MB = [10, 100];
const ROUNDS: Record<number, number> = { 10: 9, 100: 5 };

/** The bound of every import in words. */
export const IMPORT_BOUND = `at most ${AT_MOST} times for JSON, from 10 MB on; at 100 MB at most ${GROWTH_AT_MOST} times the ratio at 10 MB`;

/** One kind of file, and what is the least that reading it can cost. */
export interface ImportInput {
  name: string;
  make: (sizeBytes: number) => Buffer;
  least: (bytes: Buffer) => unknown;
  /** True for text, which has nothing to parse: the bound is one over parsing JSON, so its ratio is only reported. */
  isText?: true;
}

/**
 * Measures the import of each input at 10 and at 100 MB against the least that reading it can cost, in turns. A file that
 * holds several trajectories is opened, then each is read from its own bytes, as the worker's jobs do.
 */
export async function measureImports(inputs: readonly ImportInput[]): Promise<Measured> {
  const figures: Figure[] = [];
  for (const input of inputs) {
    const ratios: number[] = [];
    for (const size of SIZES_MB) {
      const bytes = input.make(size * MB);
      const taken = await interleave(
        [
          { name: "parse", sample: () => timed(() => input.least(bytes)) },
          { name: "import", sample: () => timed(() => importAll(bytes)) },
        ],
        { rounds: ROUNDS[size] ?? 5 },
      );
      const of = (name: string, clock: "wallMs" | "cpuMs"): number[] =>
        (taken[name] ?? []).map((sample) => sample[clock]);
      const label = `${input.name}, ${size} MB`;
      const least = input.isText ? "decode and split" : "parse";
      const ratio = ratioFigure(
        `${label}: import / ${least}`,
        of("import", "wallMs"),
        of("parse", "wallMs"),
        input.isText ? null : AT_MOST,
      );
      const milliseconds = medianFigure(`${label}: import`, "ms", of("import", "wallMs"));
      ratios.push(ratio.value);
      figures.push(
        ratio,
        ratioFigure(`${label}: the same in processor time`, of("import", "cpuMs"), of("parse", "cpuMs")),
        milliseconds,
        medianFigure(`${label}: ${least}`, "ms", of("parse", "wallMs")),
      );
      if (input.isText) {
        const perSecond = bytes.length / MB / (milliseconds.value / 1_000);
        figures.push(singleFigure(`${label}: import`, "MB/s", perSecond));
      }
    }
    const [small, large] = ratios;
    const growth = (large ?? Number.NaN) / (small ?? Number.NaN);
    figures.push(singleFigure(`${input.name}: ratio at 100 MB / ratio at 10 MB`, "times", growth, GROWTH_AT_MOST));
  }
  return { figures };
}

/** The last trajectory is returned; those before it are dropped, because each has a job of its own. */
function importAll(bytes: Buffer): unknown {
  const opened = openUpload({ name: "bench", bytes });
  if (opened.kind === "one") return opened.read(() => undefined);
  let last: unknown = null;
  for (const part of opened.parts) {
    if (part.range === null) throw new Error("the parts of an input have to stand in places of their own");
    last = ingest({ name: "bench", bytes: bytes.subarray(part.range.start, part.range.end), part });
  }
  return last;
}

const decoder = new TextDecoder();

/** The least for a document: to decode it and `JSON.parse`. */
export function parseDocument(bytes: Buffer): unknown {
  return JSON.parse(decoder.decode(bytes));
}

/** The least for JSON Lines that are one trajectory. Every value is kept until the end, as an import keeps them. */
export function parseLines(bytes: Buffer): unknown[] {
  return [...lineValues(bytes)];
}

/** The least for JSON Lines that are a trajectory each: a value is dropped when the next one is read. */
export function parseRows(bytes: Buffer): unknown {
  let last: unknown = null;
  for (const value of lineValues(bytes)) last = value;
  return last;
}

/** The least for a text: to decode it, and to go through it once for its lines. There is nothing to parse. */
export function splitText(bytes: Buffer): string[] {
  return decoder.decode(bytes).split("\n");
}

function* lineValues(bytes: Buffer): Generator<unknown> {
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    if (end > start) yield JSON.parse(decoder.decode(bytes.subarray(start, end)));
    start = end + 1;
  }
}

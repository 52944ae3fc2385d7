import { ingest } from "@/lib/ingest/ingest";
import { makeChatMessages } from "../inputs/chat-messages";
import { makeClaudeCode } from "../inputs/claude-code";
import { makeShortClaudeCode } from "../inputs/claude-code-short";
import { makeCodexRollout } from "../inputs/codex";
import { makeMiniSweAgent } from "../inputs/mini-swe-agent";
import { makeOpenHandsEvents, makeOpenHandsV0 } from "../inputs/openhands";
import { makeSweAgent } from "../inputs/swe-agent";
import { interleave, timed } from "../measure";
import { type Figure, medianFigure, type Question, ratioFigure, singleFigure } from "../question";

const MB = 1_000_000;
const AT_MOST = 3;
const GROWTH_AT_MOST = 1.3;
const SIZES_MB = [10, 100];
const ROUNDS: Record<number, number> = { 10: 9, 100: 5 };

/** The inputs, and what is the least that reading them can cost: decoding them and `JSON.parse`, whole or by line. */
const INPUTS = [
  {
    name: "SWE-agent with query",
    make: (sizeBytes: number) => makeSweAgent({ sizeBytes, seed: 11, withQuery: true }),
    parse: parseDocument,
  },
  {
    name: "SWE-agent without query",
    make: (sizeBytes: number) => makeSweAgent({ sizeBytes, seed: 12, withQuery: false }),
    parse: parseDocument,
  },
  { name: "Claude Code", make: (sizeBytes: number) => makeClaudeCode({ sizeBytes, seed: 13 }), parse: parseLines },
  {
    name: "Claude Code in short lines",
    make: (sizeBytes: number) => makeShortClaudeCode({ sizeBytes, seed: 14 }),
    parse: parseLines,
  },
  {
    name: "Codex rollout",
    make: (sizeBytes: number) => makeCodexRollout({ sizeBytes, seed: 23 }),
    parse: parseLines,
  },
  {
    name: "mini-SWE-agent",
    make: (sizeBytes: number) => makeMiniSweAgent({ sizeBytes, seed: 15 }),
    parse: parseDocument,
  },
  {
    name: "chat messages",
    make: (sizeBytes: number) => makeChatMessages({ sizeBytes, seed: 16 }),
    parse: parseDocument,
  },
  {
    name: "OpenHands SDK events",
    make: (sizeBytes: number) => makeOpenHandsEvents({ sizeBytes, seed: 21 }),
    parse: parseLines,
  },
  {
    name: "OpenHands V0 events",
    make: (sizeBytes: number) => makeOpenHandsV0({ sizeBytes, seed: 22 }),
    parse: parseDocument,
  },
];

export const question: Question = {
  id: "import-parse",
  title: "Import from bytes to canonical turns, against decoding and JSON.parse of the same bytes",
  bound: `at most ${AT_MOST} times, from 10 MB on; at 100 MB at most ${GROWTH_AT_MOST} times the ratio at 10 MB`,
  run: async () => {
    const figures: Figure[] = [];
    for (const input of INPUTS) {
      const ratios: number[] = [];
      for (const size of SIZES_MB) {
        const bytes = input.make(size * MB);
        const taken = await interleave(
          [
            { name: "parse", sample: () => timed(() => input.parse(bytes)) },
            { name: "import", sample: () => timed(() => ingest({ name: "bench", bytes })) },
          ],
          { rounds: ROUNDS[size] ?? 5 },
        );
        const of = (name: string, clock: "wallMs" | "cpuMs"): number[] =>
          (taken[name] ?? []).map((sample) => sample[clock]);
        const label = `${input.name}, ${size} MB`;
        const ratio = ratioFigure(`${label}: import / parse`, of("import", "wallMs"), of("parse", "wallMs"), AT_MOST);
        ratios.push(ratio.value);
        figures.push(
          ratio,
          ratioFigure(`${label}: the same in processor time`, of("import", "cpuMs"), of("parse", "cpuMs")),
          medianFigure(`${label}: import`, "ms", of("import", "wallMs")),
          medianFigure(`${label}: parse`, "ms", of("parse", "wallMs")),
        );
      }
      const [small, large] = ratios;
      const growth = (large ?? Number.NaN) / (small ?? Number.NaN);
      figures.push(singleFigure(`${input.name}: ratio at 100 MB / ratio at 10 MB`, "times", growth, GROWTH_AT_MOST));
    }
    return { figures };
  },
};

const decoder = new TextDecoder();

function parseDocument(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes));
}

/** Every value is kept until the end, as an import keeps them. */
function parseLines(bytes: Buffer): unknown[] {
  const values: unknown[] = [];
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found;
    if (end > start) values.push(JSON.parse(decoder.decode(bytes.subarray(start, end))));
    start = end + 1;
  }
  return values;
}

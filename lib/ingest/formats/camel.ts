import { TRAJECTORY_VERSION, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress } from "../adapter";
import type { Content } from "../content";
import { unknownFailure } from "../entries";
import { addEnvelope } from "../envelope";
import { NoteBook } from "../notes";
import { stringMember } from "../safe-json";
import { aboutCamel } from "./camel/about";
import { CamelWriter } from "./camel/camel-writer";
import { readConversation, readRounds } from "./camel/conversation";
import { type Shape, shapeOf, sniffCamel } from "./camel/detection";
import { readMemory } from "./camel/memory";
import { openRows, splitCamel } from "./camel/rows";

/** Memories of CAMEL and role plays of OWL (docs/formats.md). */
export const camel: Adapter = {
  id: "camel",
  about: aboutCamel,
  sniff: sniffCamel,
  split: splitCamel,
  parse: parseCamel,
};

const REPORT_EVERY = 200;
const READERS = { memory: readMemory, conversation: readConversation, rounds: readRounds };
const VARIANTS: Record<Shape, string> = { memory: "memory", conversation: "role play", rounds: "rounds" };

function parseCamel(content: Content, report: ReportProgress): Parsed {
  const notes = new NoteBook();
  const { rows, around } = openRows(content, notes);
  const shape = shapeOf(content)?.shape ?? "conversation";
  const camelWriter = new CamelWriter(notes);
  const { writer, agents } = camelWriter;
  for (const [n, piece] of READERS[shape](rows, notes).entries()) {
    camelWriter.add(piece);
    if (n % REPORT_EVERY === REPORT_EVERY - 1) report(piece.origin.raw.end ?? 0, writer.turnCount);
  }
  if (around !== null) addEnvelope(writer, around.value, around.layout, new Set(["messages"]));
  report(content.source.bytes.length, writer.turnCount);
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: "camel", variant: VARIANTS[shape] },
    framework: { name: shape === "memory" ? "CAMEL" : "OWL", version: null },
    models: [],
    title: null,
    task: {
      statement: camelWriter.statement,
      instance: around === null ? null : stringMember(around.value, "conversation_id"),
      repository: null,
      baseCommit: null,
    },
    agents: agents.length > 0 ? agents : [{ id: "main", name: "assistant", startedByTurn: null }],
    entries: writer.finish(),
    deliveredPatch: null,
    exitStatus: camelWriter.exitStatus,
    totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
    notes: notes.list(),
  };
  const times = turnsOf(trajectory).flatMap(({ startedAt, endedAt }) => [startedAt, endedAt].flatMap((at) => at ?? []));
  const [first, last] = [times[0], times.at(-1)];
  const took = first === undefined || last === undefined ? 0 : Date.parse(last) - Date.parse(first);
  trajectory.totals.durationMs = took > 0 ? Math.round(took) : null;
  return { trajectory, failure: unknownFailure() };
}

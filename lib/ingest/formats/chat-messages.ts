import { IngestError } from "@/lib/errors";
import { TRAJECTORY_VERSION, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress } from "../adapter";
import { type Content, isJsonContent, type JsonContent, sampleValues } from "../content";
import { unknownFailure } from "../entries";
import { NoteBook } from "../notes";
import { sumUsage } from "../usage-sum";
import { aboutChatMessages } from "./chat-messages/about";
import { sniffChat } from "./chat-messages/detection";
import { ChatReader } from "./chat-messages/reader";
import { unitKind } from "./chat-messages/records";
import { splitChat, stretchesOf } from "./chat-messages/splitting";
import { type BrokenUnit, type Unit, unitsOf } from "./chat-messages/units";
import { readUsage } from "./chat-messages/usage";
import { variantOf } from "./chat-messages/variant";

/** Messages as the APIs of models take and give them: OpenAI's, Anthropic's and the Responses API (docs/formats.md). */
export const chatMessages: Adapter = {
  id: "chat-messages",
  about: aboutChatMessages,
  isGeneral: true,
  sniff: sniffChat,
  split: splitChat,
  parse: parseChat,
};

const REPORT_EVERY = 200;

function parseChat(content: Content, report: ReportProgress, key: string | null): Parsed {
  if (!isJsonContent(content)) throw new IngestError("malformed", "chat messages are JSON or JSON Lines");
  const { bytes } = content.source;
  const notes = new NoteBook();
  const reader = new ChatReader(bytes, notes, holdsRequests(content));
  let count = 0;
  for (const unit of key === null ? unitsOf(content, notes) : unitsOfPart(content, notes, key)) {
    reader.add(unit);
    if (++count % REPORT_EVERY === 0 && "bytesDone" in unit) report(unit.bytesDone, reader.chat.writer.turnCount);
  }
  reader.finish();
  const { chat } = reader;
  const entries = chat.finish();
  report(bytes.length, chat.writer.turnCount);
  const models = [...new Set([...(reader.model === null ? [] : [reader.model]), ...chat.models])];
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: "chat-messages", variant: variantOf(reader.seen, content.kind === "lines") },
    framework: { name: "Chat messages", version: null },
    models,
    title: null,
    task: { statement: chat.taskStatement, instance: null, repository: null, baseCommit: null },
    agents: [{ id: "main", name: "Agent", startedByTurn: null }],
    entries,
    deliveredPatch: null,
    exitStatus: chat.stop,
    totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
    notes: notes.list(),
  };
  // A request's model is the one that its messages went to.
  for (const turn of turnsOf(trajectory)) turn.model ??= reader.model;
  trajectory.totals = totalsOf(trajectory, reader);
  return { trajectory, failure: unknownFailure() };
}

/** The units of the stretch that a key names; none for a key that nothing has. */
function* unitsOfPart(content: JsonContent, notes: NoteBook, key: string): Generator<Unit | BrokenUnit> {
  const stretch = stretchesOf(content).find((one) => one.key === key);
  let isInside = false;
  for (const unit of unitsOf(content, notes)) {
    isInside ||= unit.step.step === stretch?.first.step.step;
    if (isInside) yield unit;
    if (unit.step.step === stretch?.last.step.step) return;
  }
}

/** Whether several requests can follow each other, of which the later ones repeat the earlier. */
function holdsRequests(content: JsonContent): boolean {
  const list = content.kind === "document" ? content.json.value : sampleValues(content);
  return Array.isArray(list) && list.some((value) => unitKind(value) === "conversation");
}

/** The sum over the turns; what a file states for all of it counts where no turn states anything. */
function totalsOf(trajectory: Trajectory, reader: ChatReader): Trajectory["totals"] {
  const usages = turnsOf(trajectory).flatMap((turn) => (turn.usage === null ? [] : [turn.usage]));
  const stated = usages.length > 0 ? null : readUsage(reader.usage);
  const { times } = reader.chat;
  const duration = times === null ? Number.NaN : Date.parse(times.last) - Date.parse(times.first);
  return { ...sumUsage(stated === null ? usages : [stated]), durationMs: duration > 0 ? duration : null };
}

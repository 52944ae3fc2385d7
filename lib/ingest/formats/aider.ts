import { IngestError } from "@/lib/errors";
import type { Adapter, Parsed, ReportProgress } from "../adapter";
import type { Content } from "../content";
import { NoteBook } from "../notes";
import { aboutAider } from "./aider/about";
import { chatBlocks } from "./aider/chat-blocks";
import { ChatWriter } from "./aider/chat-writer";
import { isRequestHistory, sniffAider } from "./aider/detection";
import { RequestWriter } from "./aider/request-writer";
import { readRequests } from "./aider/requests";
import { splitAider } from "./aider/sessions";
import { readLines } from "./aider/text-lines";
import { aiderTrajectory } from "./aider/trajectory";

/** Histories of aider: of a chat, in sessions, and of the requests to the model (docs/formats.md). */
export const aider: Adapter = {
  id: "aider",
  about: aboutAider,
  sniff: sniffAider,
  split: splitAider,
  parse: parseAider,
};

const REPORT_EVERY = 200;

function parseAider(content: Content, report: ReportProgress): Parsed {
  if (content.kind !== "text") throw new IngestError("malformed", "a history of aider is text");
  const notes = new NoteBook();
  const lines = readLines(content.source.bytes, notes);
  const written = isRequestHistory(content.head)
    ? writeRequests(lines, notes, report)
    : writeChat(lines, notes, report);
  report(content.source.bytes.length, written.writer.turnCount);
  return aiderTrajectory(written, notes);
}

type Lines = ReturnType<typeof readLines>;

function writeChat(lines: Lines, notes: NoteBook, report: ReportProgress): ChatWriter {
  const blocks = chatBlocks(lines, notes);
  const chat = new ChatWriter(lines, notes);
  for (let n = 0; n < blocks.length; n++) {
    const block = blocks[n];
    if (block === undefined) break;
    if (n % REPORT_EVERY === 0) report(lines[block.first]?.start ?? 0, chat.writer.turnCount);
    if (chat.add(block, blocks[n + 1])) n++;
  }
  return chat;
}

function writeRequests(lines: Lines, notes: NoteBook, report: ReportProgress): RequestWriter {
  const requests = readRequests(lines, notes);
  const history = new RequestWriter(requests, notes);
  for (const [n, request] of requests.requests.entries()) {
    if (n % REPORT_EVERY === 0) report(lines[request.head]?.start ?? 0, history.writer.turnCount);
    history.add(request, n);
  }
  history.finish();
  return history;
}

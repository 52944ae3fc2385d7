import type { RawSpan, Usage } from "@/lib/trajectory/schema";
import type { JsonObject } from "../../safe-json";

/** A call that a message suggests. */
export interface SuggestedCall {
  id: string | null;
  tool: string;
  arguments: JsonObject | null;
  /** The arguments as they stand when they are no JSON object. */
  text: string | null;
}

/** What a tool answered. */
export interface ToolAnswer {
  id: string | null;
  tool: string | null;
  text: string;
}

/** An answer of a model, with what it took. */
export interface ModelReply {
  model: string | null;
  usage: Usage;
  startedAt: string | null;
  endedAt: string | null;
}

/** One message of a chat of AutoGen 0.2, out of JSON or out of what it printed. */
export interface ChatMessage {
  kind: "message";
  /** The name of who wrote it; null where nobody is named. */
  author: string | null;
  role: string | null;
  text: string;
  calls: SuggestedCall[];
  answers: ToolAnswer[];
  /** What is known of the answer of a model that the message is, where the log tells them apart. */
  reply?: ModelReply;
  /** True when the console says that its author ran code to get it. */
  ranCode: boolean;
  raw: RawSpan[];
  step: { convention: string; step: string };
}

/** What stands between the messages: lines that a program printed, or a record that is not understood. */
export interface OtherPiece {
  kind: "printed" | "opaque";
  text: string;
  raw: RawSpan[];
  step: { convention: string; step: string } | null;
}

export type Piece = ChatMessage | OtherPiece;

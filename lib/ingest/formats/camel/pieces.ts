import type { RawSpan } from "@/lib/trajectory/schema";
import type { JsonObject, JsonValue } from "../../safe-json";

/** One record with its place, or the text of a line that is no JSON. */
export type Row = { raw: RawSpan; step: { convention: string; step: string } } & (
  | { value: JsonValue }
  | { text: string }
);

/** A call that a record holds. */
export interface CamelCall {
  id: string | null;
  tool: string;
  arguments: JsonObject | null;
  /** The arguments as they stand when they are no JSON object. */
  text: string | null;
}

/** Where a record stands, and when it was written. */
export interface Origin {
  raw: RawSpan;
  step: { convention: string; step: string };
  at: string | null;
}

/** What one record says, whichever file it is from. */
export type CamelPiece = { origin: Origin } & (
  | { kind: "prompt"; of: "system" | "injected"; name: string | null; text: string }
  /** `memory`: whose memory holds the record; the same words in another one's memory are the same message. */
  | { kind: "speech"; name: string; memory: string | null; text: string; thought: string; calls: CamelCall[] }
  | { kind: "person"; name: string | null; text: string }
  | { kind: "answer"; id: string | null; tool: string | null; text: string }
  | { kind: "opaque"; code: "line_not_understood" | "message_not_understood"; text: string }
);

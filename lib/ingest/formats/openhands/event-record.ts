import type { RawSpan } from "@/lib/trajectory/schema";
import type { JsonObject, JsonValue } from "../../safe-json";

/** A piece of the list of events, with its place in the upload. */
interface Placed {
  at: RawSpan;
  /** One list for all items that are made of it, `at` first; the places of its repetitions come to it later. */
  raw: RawSpan[];
  /** What the source counts, and the number that the event has there. */
  step: { convention: string; step: string };
}

/** One value of the list of events. */
export interface EventRecord extends Placed {
  value: JsonValue;
  /** True for the second of a pair: it answers the first. */
  isAnswer: boolean;
}

/** An event that is an object. */
export interface ObjectRecord extends EventRecord {
  value: JsonObject;
}

/** A line that is no JSON. */
export interface BrokenRecord extends Placed {
  why: string;
}

import type { NoteBook } from "../../notes";
import { member } from "../../safe-json";
import type { BrokenRecord, EventRecord } from "./event-record";

/** Finds events that stand twice, as a stream that was resumed writes them: the same bytes under the same identifier. */
export class Repetitions {
  private readonly firsts = new Map<string | number, EventRecord>();

  constructor(
    private readonly bytesOf: (record: EventRecord | BrokenRecord) => Uint8Array,
    private readonly notes: NoteBook,
  ) {}

  /** Whether an event was there before; its place is given to the first one then. */
  isRepeated(record: EventRecord | BrokenRecord): boolean {
    if ("why" in record) return false;
    const id = member(record.value, "id");
    if (typeof id !== "number" && (typeof id !== "string" || id === "")) return false;
    const first = this.firsts.get(id);
    if (first === undefined) {
      this.firsts.set(id, record);
      return false;
    }
    if (!sameBytes(this.bytesOf(first), this.bytesOf(record))) {
      const message = "Events with the identifier of an earlier one; both are shown";
      this.notes.add("identifier_used_twice", "information", message, record.at);
      return false;
    }
    const message = "Events that repeat an earlier one with the same identifier; shown once";
    this.notes.add("repeated_event", "information", message, record.at);
    first.raw.push(record.at);
    return true;
  }
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length > 0 && left.length === right.length && left.every((byte, n) => byte === right[n]);
}

import type { Sniff } from "../../adapter";
import { type Content, isJsonContent, sampleValues } from "../../content";
import { isObject, type JsonValue, parseNestedJson } from "../../safe-json";
import { decodeUtf8 } from "../../text-decoding";
import { areReprs, countEvents, eventFile, eventShape, isRow, listOf } from "./shapes";

const NO = { score: 0, reason: "no events of OpenHands and no row of its evaluations" };

/** Whether the content is events of OpenHands, rows of its evaluations, or the folder of a conversation. */
export function sniffOpenHands(content: Content): Sniff {
  if (content.kind === "files") {
    const first = content.files.find(({ path }) => eventFile(path) !== null);
    const isEvent = first && eventShape(parseNestedJson(decodeUtf8(first.bytes).text)) !== null;
    return isEvent ? { score: 0.95, reason: "a folder `events` with one event a file" } : NO;
  }
  if (!isJsonContent(content)) return NO;
  if (content.kind === "lines") return sniffList(sampleValues(content));
  const { value } = content.json;
  if (Array.isArray(value)) return sniffList(value);
  return isObject(value) ? sniffObject(value) : NO;
}

function sniffObject(value: JsonValue): Sniff {
  if (isRow(value)) return { score: 0.95, reason: "`instance_id` with the `history` of a run" };
  const list = isObject(value) ? listOf(value) : null;
  if (list !== null) {
    const { events, marked } = countEvents(list.values);
    return { score: marked * 2 > events ? 0.9 : 0.6, reason: `\`${list.key}\` holds actions and observations` };
  }
  return countEvents([value]).marked > 0 ? { score: 0.7, reason: "one event" } : NO;
}

function sniffList(values: readonly JsonValue[]): Sniff {
  const rows = values.slice(0, 200).filter(isRow).length;
  if (rows > 0 && rows * 2 > Math.min(values.length, 200)) {
    return { score: 0.95, reason: "rows with `instance_id` and the `history` of a run" };
  }
  const { seen, events, marked } = countEvents(values);
  if (events * 2 > seen && marked > 0) {
    return { score: marked * 2 > events ? 0.9 : 0.7, reason: "a list of actions and observations" };
  }
  if (events * 2 > seen) return { score: 0.55, reason: "a list of actions and observations without arguments" };
  return areReprs(values) ? { score: 0.7, reason: "texts that Python prints of events" } : NO;
}

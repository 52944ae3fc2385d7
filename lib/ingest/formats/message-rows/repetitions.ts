import type { RecordedFile } from "@/lib/trajectory/schema";
import { isObject, parseNestedJson } from "../../safe-json";

/**
 * What an answer in JSON says, whatever it is wrapped in and whichever members it leaves out as null: the prompts of a
 * later state quote answers of an earlier one like that. Null for anything but an object.
 */
export function meaningOf(text: string): string | null {
  const start = text.indexOf("{");
  const value = start === -1 ? null : parseNestedJson(text.slice(start, text.lastIndexOf("}") + 1));
  if (value === null || !isObject(value)) return null;
  const said = Object.entries(value).filter(([, held]) => held !== null);
  return JSON.stringify(said.sort(([a], [b]) => (a < b ? -1 : 1)));
}

const APPLIED = "Applied the change to ";
const OPEN = "<diff>\n";
const CLOSE = "\n</diff>";

/** The change that Moatless reports as applied, with its diff; null for any other text. */
export function appliedChange(text: string): RecordedFile | null {
  if (!text.startsWith(APPLIED)) return null;
  const nameEnd = text.indexOf(".\n", APPLIED.length);
  const start = text.indexOf(OPEN, APPLIED.length);
  const end = start === -1 ? -1 : text.indexOf(CLOSE, start);
  if (nameEnd === -1 || end === -1 || nameEnd > start) return null;
  const path = text.slice(APPLIED.length, nameEnd);
  const patch = `${text.slice(start + OPEN.length, end)}\n`;
  return { path, before: null, after: null, existedBefore: null, patch, byPerson: false };
}

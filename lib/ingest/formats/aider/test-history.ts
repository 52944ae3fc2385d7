import { type CallItem, type Turn, turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest } from "../../ingest";
import type { Source } from "../../source";

/** How a session starts. */
export const START = "# aider chat started at 2025-01-02 03:04:05\n\n> Aider v0.75.1  \n";
/** Three backticks. */
export const FENCE = "```";

/** A text as an upload. */
export const sourceOf = (text: string): Source => ({ name: "x.md", bytes: new TextEncoder().encode(text) });
/** A text read as the one trajectory that it holds. */
export const read = (text: string): Ingested => ingest(sourceOf(text));
/** A person's line. */
export const person = (text: string): string => `\n#### ${text}  \n`;
/** Aider's lines. */
export const said = (...lines: string[]): string => lines.map((line) => `> ${line}  \n`).join("");
/** A SEARCH/REPLACE block without path and fence. */
export const block = (search: string, replace: string): string =>
  `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
/** The assistant's words. */
export const answer = (text: string): string => `\n${text}\n\n`;

/** Each turn by its items: the words of messages, calls by tool and path, results by whether they are errors. */
export function shown(turn: Turn): string[] {
  return turn.items.map((item) => {
    if (item.kind === "call")
      return `${item.tool} ${String(item.arguments?.path ?? item.arguments?.command ?? "")}`.trim();
    if (item.kind === "result") return item.isError === null ? "result" : item.isError ? "refused" : "applied";
    return `${item.author.role}: ${item.text}`;
  });
}
/** What each turn of a text shows. */
export const turnsIn = (text: string): string[][] => turnsOf(read(text).trajectory).map(shown);
/** Each item of context by kind and text. */
export const contextsIn = ({ trajectory }: Ingested): string[] =>
  trajectory.entries.flatMap((entry) => (entry.kind === "context" ? [`${entry.contextKind} ${entry.text}`] : []));
/** How often each note was taken. */
export const notesOf = ({ trajectory }: Ingested): Record<string, number> =>
  Object.fromEntries(trajectory.notes.map(({ code, count }) => [code, count]));
/** All calls of a text. */
export const callsIn = (text: string): CallItem[] =>
  turnsOf(read(text).trajectory).flatMap(({ items }) => items.filter((item) => item.kind === "call"));

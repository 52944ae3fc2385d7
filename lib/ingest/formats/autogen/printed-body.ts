import type { ChatMessage, SuggestedCall, ToolAnswer } from "./pieces";
import { readArguments } from "./tools";

const SUGGESTED_TOOL = /^\*{5} Suggested tool call \((.{0,200})\): (.{1,200}) \*{5}$/;
const SUGGESTED_FUNCTION = /^\*{5} Suggested function call: (.{1,200}) \*{5}$/;
const TOOL_ANSWER = /^\*{5} Response from calling tool [("](.{0,200})[)"] \*{5}$/;
const FUNCTION_ANSWER = /^\*{5} Response from calling function [("](.{1,200})[)"] \*{5}$/;

/** Takes the calls and the answers out of the lines of a printed message; the rest is its text. */
export function readPrinted(lines: readonly string[]): Pick<ChatMessage, "text" | "calls" | "answers"> {
  const calls: SuggestedCall[] = [];
  const answers: ToolAnswer[] = [];
  const rest: string[] = [];
  const closings = new Closings(lines);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const found = opening(line);
    const close = found === null ? -1 : closings.after(at, line.length);
    if (found === null || close === -1) {
      rest.push(line);
      continue;
    }
    const inside = lines.slice(at + 1, close);
    if (found.isAnswer) answers.push({ id: found.id, tool: found.tool, text: inside.join("\n") });
    else calls.push({ id: found.id, tool: found.tool ?? "function", ...readArguments(argumentsIn(inside)) });
    at = close;
  }
  // Several answers are set apart by the line that ends a message.
  const text = rest.filter((line) => answers.length === 0 || line !== "-".repeat(80)).join("\n");
  return { text: text.trim() === "" ? "" : text, calls, answers };
}

function opening(line: string): { isAnswer: boolean; id: string | null; tool: string | null } | null {
  if (!line.startsWith("*****")) return null;
  const call = SUGGESTED_TOOL.exec(line);
  if (call !== null) return { isAnswer: false, id: call[1] || null, tool: call[2] ?? null };
  const legacy = SUGGESTED_FUNCTION.exec(line);
  if (legacy !== null) return { isAnswer: false, id: null, tool: legacy[1] ?? null };
  const answer = TOOL_ANSWER.exec(line);
  if (answer !== null) return { isAnswer: true, id: answer[1] || null, tool: null };
  const result = FUNCTION_ANSWER.exec(line);
  return result === null ? null : { isAnswer: true, id: null, tool: result[1] ?? null };
}

/** The lines of asterisks, each of which closes a block whose opening line is as long. */
class Closings {
  private readonly places = new Map<number, { at: number[]; next: number }>();

  constructor(lines: readonly string[]) {
    for (const [n, line] of lines.entries()) {
      if (!/^\*{5,}$/.test(line)) continue;
      const known = this.places.get(line.length);
      if (known) known.at.push(n);
      else this.places.set(line.length, { at: [n], next: 0 });
    }
  }

  /** The first one behind a line, -1 when there is none. Asked in the order of the lines, so that each is passed once. */
  after(line: number, length: number): number {
    const known = this.places.get(length);
    if (known === undefined) return -1;
    while ((known.at[known.next] ?? Number.POSITIVE_INFINITY) <= line) known.next++;
    return known.at[known.next] ?? -1;
  }
}

/** What stands under `Arguments:`, on its line or on the next ones. */
function argumentsIn(lines: readonly string[]): string {
  const [first = "", ...rest] = lines;
  const own = /^Arguments: ?(.*)$/.exec(first);
  return own === null ? lines.join("\n") : [own[1] ?? "", ...rest].join("\n").trim();
}

import { codeOutcome } from "../../code-blocks";
import { isExecutorName, isPersonName } from "./names";
import type { ChatMessage } from "./pieces";

/** What somebody in a chat is: an agent, a person's stand-in, or one that only runs what others wrote. */
export type Part = "agent" | "person" | "executor";

/**
 * Says what everybody in a chat is, by what they do and by how they are called: the role of a message only tells from
 * whose side it is written down, and is the other way round for the other side.
 */
export class Cast {
  private readonly executors = new Set<string>();
  private readonly callers = new Set<string>();
  /** Without names the chat is between two: whoever began it stands in for the person. */
  private readonly firstRole: string | null;

  constructor(messages: readonly ChatMessage[]) {
    const unnamed = messages.filter(({ author, role }) => author === null && isSide(role));
    this.firstRole = unnamed[0]?.role ?? null;
    for (const { author, text, calls, answers, ranCode } of messages) {
      if (author === null) continue;
      if (calls.length > 0) this.callers.add(author);
      else if (answers.length > 0 || ranCode || codeOutcome(text) !== null) this.executors.add(author);
    }
  }

  /** The name by which an author is shown. */
  nameOf({ author, role }: ChatMessage): string {
    if (author !== null) return author;
    return role === this.firstRole ? "user" : "assistant";
  }

  /** What the author of a message is. */
  partOf(message: ChatMessage): Part {
    const { author, role } = message;
    if (author === null) return role !== this.firstRole || !isSide(role) ? "agent" : "person";
    if (isPersonName(author)) return "person";
    const runs = this.executors.has(author) && !this.callers.has(author);
    return runs || isExecutorName(author) ? "executor" : "agent";
  }
}

/** The two sides that an unnamed message can be of. */
function isSide(role: string | null): boolean {
  return role === "user" || role === "assistant";
}

import { failureAdvice } from "@/lib/catalogue/failures";
import { AppError, IngestError, type SourcePosition } from "@/lib/errors";
import { codeOf, isDatabaseAway } from "@/lib/store/database-away";

/** A command that cannot do what it was asked for; the message is the one line that the person gets. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** The one line on standard error for anything that a command threw. */
export function reasonOf(error: unknown): string {
  if (error instanceof IngestError) {
    const advice = failureAdvice(error.code);
    return oneLine(`${error.code}: ${error.message}${positionOf(error.at)}${advice === null ? "" : `. ${advice}`}`);
  }
  if (error instanceof Refused || error instanceof AppError) return oneLine(error.message);
  if (isDatabaseAway(error)) {
    return "Misstep is not running, its database does not answer: start it with npm start, or correct DATABASE_URL if you set it.";
  }
  if (OTHER_DATABASE.test(codeOf(error))) {
    return "The database that answers is not Misstep's: start Misstep with npm start, or correct DATABASE_URL if you set it.";
  }
  if (isUsage(error)) return oneLine(error.message);
  return oneLine(`A defect in Misstep: ${error instanceof Error ? `${error.name}: ${error.message}` : "unknown"}`);
}

/** Wrong user or password, no such database, no such table: in the words of Postgres and of Prisma. */
const OTHER_DATABASE = /^(28|3D000|42P01|P1000|P1003|P1010|P2021)/;

/** What node:util's parseArgs throws for options that it does not know. */
function isUsage(error: unknown): error is Error {
  return error instanceof TypeError && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}

/** Where in the file, in words: ` (line 3, at /messages/0, byte 120)`. */
function positionOf(at: SourcePosition): string {
  const parts = [
    at.line === null ? null : `line ${at.line}`,
    at.pointer === null ? null : `at ${at.pointer === "" ? "the top" : at.pointer}`,
    at.byte === null ? null : `byte ${at.byte}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim().slice(0, 1_000);
}

import { codeOf } from "./database-away";

const MESSAGE_MAX_CHARS = 500;

/** Errors of Prisma and of its driver, by their names. */
const OF_PRISMA = /^(?:PrismaClient|DriverAdapter)/;

/**
 * For the log: name, code, message and frames of an error and of what caused it. What a database and its drivers say
 * quotes the values that they were given, which may be a piece of a trace: of such an error the message is left out.
 */
export function errorForLog(error: unknown): string {
  if (!(error instanceof Error)) return "something that is not an Error was thrown";
  const code = codeOf(error);
  const message = isOfDatabase(error) ? "(what the database said of it is left out)" : firstChars(error.message);
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const cause = error.cause instanceof Error ? [`  caused by ${errorForLog(error.cause)}`] : [];
  return [`${error.name}${code === "" ? "" : ` ${code}`}: ${message}`, ...frames, ...cause].join("\n");
}

/** Postgres gives every error of its own a severity. */
function isOfDatabase(error: Error): boolean {
  return OF_PRISMA.test(error.name) || "severity" in error;
}

function firstChars(text: string): string {
  return text.length > MESSAGE_MAX_CHARS ? `${text.slice(0, MESSAGE_MAX_CHARS)}...` : text;
}

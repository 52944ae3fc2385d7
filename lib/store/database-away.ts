/** Node's codes for a server that cannot be reached. */
const NODE_CODE = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/;
/** SQLSTATE: the connection failed, the server is shutting down or starting, or it ended a transaction that stood still. */
const SQLSTATE = /^(08|57P0|25P03)/;
/** Prisma's: not reachable, timed out (three ways), closed by the server, no connection free in the pool. */
const PRISMA_CODE = /^(P1001|P1002|P1008|P1017|P2024)$/;
/** What node-postgres says without a code. */
const SAYING = /^(Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect)/;

/** The code of an error of Node, Postgres or Prisma; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Whether an error says that the database could not be reached or hung up, by whichever layer noticed it. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  if (NODE_CODE.test(code) || SQLSTATE.test(code) || PRISMA_CODE.test(code) || SAYING.test(error.message)) return true;
  return error.cause !== undefined && isDatabaseAway(error.cause);
}

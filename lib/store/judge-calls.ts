import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import { z } from "zod";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { JUDGE_ADJUSTMENTS, JUDGE_FAILURES } from "@/lib/judge/port";
import type { CallLog, CallOutcome, LoggedCall } from "@/lib/judge/recording";
import { type JudgeCallView, judgeCallSchema } from "@/lib/views/investigation";
import { fitStrings } from "./answer-size";
import { toJsonb } from "./bulk-insert";
import { pool } from "./client";
import { newId } from "./identifiers";
import { ownedAnalysis } from "./owned-analysis";
import { checkNumber } from "./reading";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

const failureSchema = z.enum(JUDGE_FAILURES);
const usageSchema = z.object({
  inputTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
});
const callSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
const outcomeSchema = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("reply"),
    reply: z.object({
      model: z.string(),
      text: z.string(),
      calls: z.array(callSchema),
      finish: z.enum(["stop", "calls", "length", "filtered"]),
      usage: usageSchema,
      failedTries: z.array(failureSchema).optional(),
      adjustments: z.array(z.enum(JUDGE_ADJUSTMENTS)).optional(),
    }),
  }),
  z.object({ kind: z.literal("failure"), code: failureSchema, message: z.string() }),
]);
const requestSchema = z.object({
  messages: z.array(
    z.object({
      role: z.string(),
      text: z.string(),
      calls: z.array(z.object({ name: z.string(), arguments: z.string() })).optional(),
    }),
  ),
  tools: z.array(z.object({ name: z.string() })),
  temperature: z.number(),
});

interface CallRow {
  judge: number;
  position: number;
  purpose: LoggedCall["purpose"];
  model: string;
  request: Buffer;
  outcome: Buffer;
  failedTries: unknown;
  startedAt: Date;
  endedAt: Date;
}
const COLUMNS = `"judge", "position", "purpose", "model", "request", "outcome", "failedTries", "startedAt", "endedAt"`;

/** The log of one judge's calls in an analysis of the project. By pg: for the worker. */
export function callLog(scope: ProjectScope, analysis: string, judge: number): CallLog {
  checkProjectScope(scope);
  const analysisId = checkId(analysis);
  return {
    recall: async (position) => {
      const row = await lastCall(scope, analysisId, judge, position);
      if (row === null) return null;
      return {
        ...{ position, purpose: row.purpose, model: row.model },
        request: (await decompress(row.request)).toString(),
        outcome: await outcomeOf(row),
        failedTries: z.array(failureSchema).parse(row.failedTries),
        ...{ startedAt: row.startedAt.getTime(), endedAt: row.endedAt.getTime() },
      };
    },
    keep: async (call) => {
      const { outcome } = call;
      const usage = outcome.kind === "reply" ? outcome.reply.usage : null;
      await pool().query(
        `INSERT INTO "JudgeCall" ("id", "projectId", "analysisId", ${COLUMNS}, "failure",
           "inputTokens", "cachedTokens", "outputTokens", "costUsd")
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17
         FROM "Analysis" a WHERE a."id" = $3 AND ${ownedAnalysis({ project: 2 })}`,
        [
          ...[newId(), scope.projectId, analysisId, judge, call.position, call.purpose, call.model],
          await pack(call.request),
          await pack(JSON.stringify(outcome)),
          toJsonb(call.failedTries),
          ...[new Date(call.startedAt).toISOString(), new Date(call.endedAt).toISOString()],
          outcome.kind === "failure" ? outcome.code : null,
          ...[usage?.inputTokens ?? null, usage?.cachedTokens ?? null, usage?.outputTokens ?? null],
          usage?.costUsd ?? null,
        ],
      );
    },
  };
}

function pack(text: string): Promise<Buffer> {
  return compress(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
}

async function outcomeOf(row: CallRow): Promise<CallOutcome> {
  const parsed = outcomeSchema.parse(JSON.parse((await decompress(row.outcome)).toString()));
  if (parsed.kind === "failure") return parsed;
  const { failedTries, ...reply } = parsed.reply;
  return { kind: "reply", reply: failedTries === undefined ? reply : { ...reply, failedTries } };
}

async function lastCall(
  scope: ProjectScope,
  analysisId: string,
  judge: number,
  position: number,
): Promise<CallRow | null> {
  const { rows } = await pool().query<CallRow>(
    `SELECT ${COLUMNS} FROM "JudgeCall" WHERE "analysisId" = $1 AND "projectId" = $2 AND "judge" = $3 AND "position" = $4
     ORDER BY "keptAt" DESC, "id" DESC LIMIT 1`,
    [analysisId, scope.projectId, judge, position],
  );
  return rows[0] ?? null;
}

/**
 * Tokens in and out of all answered calls of the project in the last 24 hours. Of an endpoint that counts nothing a byte of
 * the compressed question counts as one: over real runs it stands for 0.6 to 1.9 tokens of four characters.
 */
export async function tokensToday(scope: ProjectScope): Promise<number> {
  checkProjectScope(scope);
  const { rows } = await pool().query<{ tokens: string }>(
    `SELECT coalesce(sum(coalesce("inputTokens", octet_length("request"))::bigint
       + coalesce("outputTokens", octet_length("outcome"))), 0)::text AS "tokens"
     FROM "JudgeCall" WHERE "projectId" = $1 AND "failure" IS NULL AND "keptAt" > now() - interval '24 hours'`,
    [scope.projectId],
  );
  return Number(rows[0]?.tokens ?? 0);
}

/** Why the project may ask no more today, in words; null while it may. */
export async function refusalOfDay(scope: ProjectScope): Promise<string | null> {
  const limit = env().model?.tokensPerDay ?? 0;
  const used = await tokensToday(scope);
  return used >= limit ? `The limit of ${limit} tokens a day is reached. It is counted over the last 24 hours.` : null;
}

const TEXT_MAX_CHARS = 60_000;

/**
 * One call of an investigation, in the words in which it went to the model.
 * @throws AppError `not_found`
 */
export async function getJudgeCall(
  scope: ProjectScope,
  {
    trajectoryId,
    analysisId,
    judge,
    position,
  }: Record<"trajectoryId" | "analysisId", unknown> & Record<"judge" | "position", number>,
): Promise<JudgeCallView> {
  checkProjectScope(scope);
  const missing = new AppError("not_found", "There is no such question.");
  const analysis = checkId(analysisId);
  const owned = await pool().query(
    `SELECT 1 FROM "Analysis" a WHERE a."id" = $1 AND ${ownedAnalysis({ trajectory: 2, project: 3 })}`,
    [analysis, checkId(trajectoryId), scope.projectId],
  );
  if (owned.rowCount === 0) throw missing;
  const row = await lastCall(scope, analysis, checkNumber(judge), checkNumber(position));
  if (row === null) throw missing;
  const request = requestSchema.parse(JSON.parse((await decompress(row.request)).toString()));
  const outcome = await outcomeOf(row);
  const reply = outcome.kind === "reply" ? outcome.reply : null;
  return fitStrings(
    judgeCallSchema.parse({
      ...{ judge: row.judge, position: row.position, purpose: row.purpose, model: row.model },
      messages: request.messages.map(({ role, text, calls }) => ({
        role,
        text: text.slice(0, TEXT_MAX_CHARS),
        omittedChars: Math.max(0, text.length - TEXT_MAX_CHARS),
        calls: calls ?? [],
      })),
      tools: request.tools.map(({ name }) => name),
      temperature: request.temperature,
      answer: reply === null ? null : { text: reply.text, calls: reply.calls, finish: reply.finish },
      failure: outcome.kind === "failure" ? { code: outcome.code, message: outcome.message } : null,
      failedTries: row.failedTries,
      adjustments: reply?.adjustments ?? [],
      ...(reply?.usage ?? { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null }),
      ...{ startedAt: row.startedAt.toISOString(), endedAt: row.endedAt.toISOString() },
    }),
  );
}

import { z } from "zod";
import { verdictSchema } from "@/lib/investigator/verdict";
import { agentSchema, noteSchema } from "@/lib/trajectory/schema";
import { failureSummarySchema } from "./failure";
import { runFoldingSchema } from "./fold";
import { stripSchema } from "./strip";
import { trajectoryRowSchema } from "./trajectory-list";

/** One line of the outline. `title` is one line of plain text, already cut. */
export const turnRowSchema = z.object({
  index: z.number(),
  title: z.string(),
  activity: z.string(),
  agent: z.string(),
  parentTurn: z.number().nullable(),
  branch: z.string().nullable(),
  hasError: z.boolean(),
  writeCount: z.number(),
});
export type TurnRow = z.infer<typeof turnRowSchema>;

/** A context item in the outline: it stands before turn `beforeTurn` (the number of turns: at the end). */
export const contextRowSchema = z.object({
  n: z.number(),
  beforeTurn: z.number(),
  contextKind: z.string(),
  sizeChars: z.number(),
  /** The first line, cut. */
  title: z.string(),
});
export type ContextRow = z.infer<typeof contextRowSchema>;

/** A file of the run, for the Files view and the file tabs. */
export const fileRowSchema = z.object({
  n: z.number(),
  path: z.string(),
  /** Shortest clear name: relative to the root where it is inside. */
  display: z.string(),
  versionCount: z.number(),
  writeCount: z.number(),
  /** True when only the run itself used it (the structural rule's idea of scratch). */
  isScratch: z.boolean(),
  lastCertainty: z.string().nullable(),
});
export type FileRow = z.infer<typeof fileRowSchema>;

/** What a person may do on this page. A shared page has all of it false. */
export const permissionsSchema = z.object({
  share: z.boolean(),
  download: z.boolean(),
  attachBaseline: z.boolean(),
  giveFailure: z.boolean(),
  investigate: z.boolean(),
  raw: z.boolean(),
});

/** How secrets were masked on a shared page; null on the owner's. */
export const sharedInfoSchema = z.object({
  sharedBy: z.string(),
  expiresAt: z.string(),
  secretRules: z.string(),
});

/** A part of the header's sentence: words, a chip that opens a turn, or a piece of code with the place it opens. */
export const sentencePartSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({
    kind: z.literal("turn"),
    turn: z.number(),
    role: z.enum(["decisive", "alternative", "undetermined"]),
  }),
  z.object({
    kind: z.literal("code"),
    text: z.string(),
    turn: z.number(),
    file: z.string().nullable(),
    line: z.number().nullable(),
  }),
]);
export type SentencePartView = z.infer<typeof sentencePartSchema>;

/** The whole head of a trajectory page: everything but turns, texts and code. */
const tallySchema = z.object({ agreed: z.number(), differed: z.number() });
const historyChecksSchema = z.object({
  recorded: tallySchema,
  read: tallySchema,
  diff: tallySchema,
  delivered: tallySchema.extend({ unknown: z.number() }),
});

export const runViewSchema = z.object({
  row: trajectoryRowSchema,
  importId: z.string(),
  importedAt: z.string(),
  parserVersion: z.string(),
  title: z.string(),
  /** As a person stated it, else as the trace does. */
  taskStatement: z.string().nullable(),
  /** Whose statement that is; null without one. */
  taskSource: z.enum(["trace", "person"]).nullable(),
  totals: z.object({
    inputTokens: z.number().nullable(),
    outputTokens: z.number().nullable(),
    costUsd: z.number().nullable(),
    durationMs: z.number().nullable(),
  }),
  agents: z.array(agentSchema),
  notes: z.array(noteSchema),
  hasDeliveredPatch: z.boolean(),
  strip: stripSchema,
  verdict: verdictSchema.nullable(),
  /** The analysis that the verdict is the result of; null without one, and on a shared page. */
  verdictId: z.string().nullable(),
  /** The header's sentence about the verdict. */
  sentence: z.array(sentencePartSchema),
  /** The repository's folder as the trace names it; paths inside it are shown relative to it. */
  root: z.string().nullable(),
  files: z.array(fileRowSchema),
  contexts: z.array(contextRowSchema),
  versionsByCertainty: z.record(z.string(), z.number()),
  conflicts: z.array(
    z.object({ path: z.string(), turn: z.number().nullable(), kind: z.string(), message: z.string() }),
  ),
  /** How often the files could be held against another source; null when this import was made before it was counted. */
  checks: historyChecksSchema.nullable(),
  baseline: z.object({ files: z.number(), differing: z.number() }),
  /** What there is to open about how the run ended. */
  failure: failureSummarySchema,
  /** What folding saves; null when this import was made before it was measured. */
  folding: runFoldingSchema.nullable(),
  /** How many of each list are not here, so that no answer exceeds 1 MB; 0 in all but extreme runs. */
  omitted: z.object({ files: z.number(), contexts: z.number(), notes: z.number(), conflicts: z.number() }),
  permissions: permissionsSchema,
  shared: sharedInfoSchema.nullable(),
});
export type RunView = z.infer<typeof runViewSchema>;

/** A window of the outline. */
export const turnWindowSchema = z.object({ from: z.number(), rows: z.array(turnRowSchema), total: z.number() });
export type TurnWindow = z.infer<typeof turnWindowSchema>;

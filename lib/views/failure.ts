import { z } from "zod";
import { KNOWN_TEXTS } from "@/lib/trajectory/given-failure";

export { KNOWN_TEXTS, type KnownText } from "@/lib/trajectory/given-failure";

/** Who said a part: the trace (with the places in the upload), or a person (with a name, which links do not show, and a date). */
const said = {
  source: z.enum(["trace", "person"]).nullable(),
  by: z.string().nullable(),
  /** ISO 8601, UTC. */
  at: z.string().nullable(),
  places: z.array(z.string()),
};

/** A text that is known about the failure, cut for one answer when it is long; empty when nobody gave it. */
const knownTextSchema = z.object({
  what: z.enum(KNOWN_TEXTS),
  /** The first characters of it. */
  text: z.string(),
  totalChars: z.number(),
  /** How long the trace's own is, whoever is believed; null when it has none. */
  ownChars: z.number().nullable(),
  ...said,
});
export type KnownTextView = z.infer<typeof knownTextSchema>;

/** What is known of how a run ended and why, apart from its turns. */
export const failureViewSchema = z.object({
  outcome: z.object({
    value: z.enum(["failed", "resolved", "unknown"]),
    /** What the trace says of it, whoever is believed. */
    own: z.enum(["failed", "resolved", "unknown"]),
    ...said,
  }),
  /** All of `KNOWN_TEXTS`, in their order. */
  texts: z.array(knownTextSchema),
  checks: z.array(z.object({ name: z.string(), passed: z.boolean().nullable(), detail: z.string().nullable() })),
  /** Checks that are not in the list. */
  omittedChecks: z.number(),
  /** What others said about where it went wrong; `turns` are those that the step falls on, 0-based. */
  labels: z.array(
    z.object({
      kind: z.string(),
      step: z.string(),
      convention: z.string(),
      agent: z.string().nullable(),
      reason: z.string().nullable(),
      /** What the data set means by such a label, and who says so. */
      definition: z.object({ text: z.string(), source: z.string() }).optional(),
      /** Who gave it, in the data set's words. */
      origin: z.string().optional(),
      turns: z.array(z.number()),
    }),
  ),
  /** Where in the upload the checks and labels stand. */
  foundAt: z.array(z.object({ what: z.string(), where: z.string() })),
});
export type FailureView = z.infer<typeof failureViewSchema>;

/** A piece of one of the texts. `nextOffset` is null at its end; offsets count UTF-16 units. */
export const failurePieceSchema = z.object({
  what: z.enum(KNOWN_TEXTS),
  offset: z.number(),
  text: z.string(),
  totalChars: z.number(),
  nextOffset: z.number().nullable(),
});
export type FailurePiece = z.infer<typeof failurePieceSchema>;

const givenText = z.string().nullable().optional();

/** What a person says about a failure: a part that is missing stays as it is, null (or an empty text) takes it back. */
export const givenChangeSchema = z.strictObject({
  taskStatement: givenText,
  outcome: z.enum(["failed", "resolved"]).nullable().optional(),
  errorReport: givenText,
  failingTestCode: givenText,
  referencePatch: givenText,
});
export type GivenChange = z.infer<typeof givenChangeSchema>;

const seenAt = z.string().nullable().optional();

/**
 * A change with what its sender had before its eyes: when each part was given (`at`), null where nobody had. A part that is
 * changed and that somebody else gave since is refused; one that is missing here is not compared.
 */
export const givenUpdateSchema = givenChangeSchema.extend({
  seen: z
    .strictObject({
      taskStatement: seenAt,
      outcome: seenAt,
      errorReport: seenAt,
      failingTestCode: seenAt,
      referencePatch: seenAt,
    })
    .optional(),
});
export type GivenUpdate = z.infer<typeof givenUpdateSchema>;
export type GivenSeen = NonNullable<GivenUpdate["seen"]>;

/** The answer to a change. `failure` is null while the trajectory has no import; `readsAgain` is true when one was queued. */
export const givenAnswerSchema = z.object({ failure: failureViewSchema.nullable(), readsAgain: z.boolean() });
export type GivenAnswer = z.infer<typeof givenAnswerSchema>;

/** What the head of the page says of it: whether there is more to open than the outcome. */
export const failureSummarySchema = z.object({
  passed: z.number(),
  failed: z.number(),
  /** Checks that say neither. */
  unsaid: z.number(),
  texts: z.number(),
  labels: z.number(),
});
export type FailureSummary = z.infer<typeof failureSummarySchema>;

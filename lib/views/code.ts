import { z } from "zod";

/** Known lines of one side. Where ranges are apart, nothing is known between them. */
export const sideSchema = z.object({
  /** Null for "no such file" and "unknown"; see `kind`. */
  version: z.number().nullable(),
  kind: z.enum(["absent", "unknown", "whole", "partial"]),
  certainty: z.enum(["given", "recorded", "replayed", "partial", "unknown"]).nullable(),
  /** `startLine` is 1-based. A whole file is one range from line 1. */
  ranges: z.array(z.object({ startLine: z.number(), text: z.string() })),
  totalLines: z.number().nullable(),
  /** Characters left out because the file is longer than one answer may be; they can be downloaded. */
  omittedChars: z.number(),
  note: z.string().nullable(),
});
export type Side = z.infer<typeof sideSchema>;

export const blameRunSchema = z.object({
  startLine: z.number(),
  lineCount: z.number(),
  turn: z.number().nullable(),
  uncertain: z.boolean(),
});

/**
 * One file at one turn: `before` the first write of the turn to it and `after` the last one (the same when the turn
 * does not write it). With `from: "baseline"` the left side is the file before the run; with `to: "final"` the right
 * side is the file at the end of the run.
 */
export const codeViewSchema = z.object({
  file: z.number(),
  path: z.string(),
  display: z.string(),
  turn: z.number(),
  from: z.enum(["before", "baseline"]),
  to: z.enum(["after", "final"]),
  before: sideSchema,
  after: sideSchema,
  blame: z.array(blameRunSchema),
  /** The edits of this turn as the calls gave them, for showing when the surrounding file is not known. */
  fragments: z.array(
    z.object({
      item: z.string(),
      status: z.string(),
      before: z.string().nullable(),
      after: z.string().nullable(),
      startLine: z.number().nullable(),
      reason: z.string().nullable(),
      /** Characters of `before` and `after` that are not here; the call's arguments hold them. */
      omittedChars: z.number(),
    }),
  ),
  language: z.string(),
  /** Every version of the file: the turn that made it and how sure it is. */
  versions: z.array(
    z.object({ n: z.number(), turn: z.number().nullable(), operation: z.string(), certainty: z.string() }),
  ),
  /** 1-based line of the right side where this turn's change begins. */
  firstChangedLine: z.number().nullable(),
  /** How many of each list are not here, so that no answer exceeds 1 MB; 0 in all but extreme files. */
  omitted: z.object({ blame: z.number(), fragments: z.number(), versions: z.number() }),
});
export type CodeView = z.infer<typeof codeViewSchema>;

import { z } from "zod";

/**
 * The timeline strip of a run, one character a turn in every lane, so that 6,000 turns are 42 kB and draw without
 * parsing. All lanes have the length `turns`.
 * - `activity`: r read, s search, w write, x execute, t test run, d delegate, m submit, k think, o other
 * - `size`: 0-9, the base-4 logarithm of the turn's characters over 64
 * - `write`: `.` none, `w` delivered file, `c` scratch file, `r` refused only, `o` opaque
 * - `test`: `.` none, `p` all pass, `f` with failures, `u` ran, result not read
 * - `error`: `.` none, `e` a result failed
 * - `suspicion`: 0-9
 * - `agent`: 0-9a-z, index into `agents`, capped at z
 */
export const stripSchema = z.object({
  turns: z.number().int().min(0),
  activity: z.string(),
  size: z.string(),
  write: z.string(),
  test: z.string(),
  error: z.string(),
  suspicion: z.string(),
  agent: z.string(),
});
export type Strip = z.infer<typeof stripSchema>;

/**
 * The small strip of a list row: at most 64 characters, one a bucket of consecutive turns.
 * `.` only reads and thought, `x` something ran, `w` a write, `W` a write to a delivered file.
 */
export const RUN_STRIP_LENGTH = 64;

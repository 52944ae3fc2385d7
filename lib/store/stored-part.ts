import { z } from "zod";

/** What `Trajectory.part` holds: which trajectory of a file a row is, and where its bytes stand. */
export const storedPartSchema = z.object({
  /** The same for the same trajectory of the same bytes, in every reading. */
  key: z.string(),
  name: z.string(),
  /** Byte offsets in the upload (or in `file`), end exclusive; null when it is picked out of the whole by its key. */
  range: z.object({ start: z.number(), end: z.number(), line: z.number(), pointer: z.string() }).nullable(),
  /** The file of an archive that it stands in: the range counts in that file. */
  file: z.string().optional(),
});
export type StoredPart = z.infer<typeof storedPartSchema>;

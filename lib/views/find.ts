import { z } from "zod";

/** Longest text that can be looked for, in UTF-16 units. */
export const FIND_MAX_CHARS = 200;
/** First matches of a place that come with their surroundings. */
export const FIND_FIRST_MATCHES = 5;

/** Where a match stands: UTF-16 units of the text that this reader sees (a share's is masked). */
export const matchPositionSchema = z.object({
  item: z.string(),
  field: z.enum(["text", "arguments"]),
  offset: z.number(),
  length: z.number(),
});
export type MatchPosition = z.infer<typeof matchPositionSchema>;

/** A match with what stands around it on its line. */
export const foundMatchSchema = matchPositionSchema.extend({
  before: z.string(),
  words: z.string(),
  after: z.string(),
});
export type FoundMatch = z.infer<typeof foundMatchSchema>;

/** A turn, or what stands between turns. `turn` is the turn itself, or the one that a context item stands before. */
export const placeSchema = z.object({ turn: z.number(), context: z.number().nullable() });
export type Place = z.infer<typeof placeSchema>;

/** The matches of one place, as far as this answer searched it: the next one may add to the last place. */
export const foundPlaceSchema = placeSchema.extend({
  count: z.number(),
  first: z.array(foundMatchSchema),
  /** The last match of the place, where Shift+Enter comes to it. */
  last: matchPositionSchema,
});
export type FoundPlace = z.infer<typeof foundPlaceSchema>;

/** One bounded step of a search over a run, outward from a turn. Places without a match are not listed. */
export const findAnswerSchema = z.object({
  places: z.array(foundPlaceSchema),
  searchedTurns: z.number(),
  totalTurns: z.number(),
  /** Where the next step begins, null when everything is searched. */
  next: z.string().nullable(),
});
export type FindAnswer = z.infer<typeof findAnswerSchema>;

/** The matches of one place in its order, a stretch of them. */
export const placeMatchesSchema = z.object({
  matches: z.array(matchPositionSchema),
  next: z.string().nullable(),
});
export type PlaceMatches = z.infer<typeof placeMatchesSchema>;

/** What is looked for: words as they are, never a pattern. */
export interface FindWords {
  words: string;
  matchCase: boolean;
}

import { z } from "zod";

const count = z.number().int().min(0);

/** What was found when a model was asked a few small questions. */
export const modelCheckSchema = z.discriminatedUnion("ok", [
  z.object({
    ok: z.literal(true),
    /** ISO 8601. */
    at: z.string(),
    tookMs: count,
    questions: count,
    /** The model's own name. */
    answeredAs: z.string(),
    /** `forced`: a tool is called when it has to be; `offered`: when the words ask for it; `none`: no tool calls. */
    toolCalls: z.enum(["forced", "offered", "none"]),
    adjustments: z.array(z.enum(["no_temperature", "not_forced", "json_mode", "text_mode"])),
    countsTokens: z.boolean(),
  }),
  z.object({ ok: z.literal(false), at: z.string(), tookMs: count, code: z.string(), message: z.string() }),
]);
export type ModelCheck = z.infer<typeof modelCheckSchema>;

/** The model that is configured, without its key. */
export const modelViewSchema = z.object({
  /** Why no model can be asked; null when one can. */
  problem: z.object({ kind: z.enum(["no_key", "no_model", "bad_address"]), message: z.string() }).nullable(),
  /** Host and port of the endpoint; null where nothing is configured. */
  host: z.string().nullable(),
  models: z.array(
    z.object({
      role: z.enum(["first", "second"]),
      name: z.string(),
      /** US dollars for a million tokens; null when they are not configured. */
      prices: z.object({ input: z.number(), cached: z.number(), output: z.number() }).nullable(),
      /** The last check since the web server was started. */
      check: modelCheckSchema.nullable(),
    }),
  ),
  /** Null where nothing is configured. */
  limits: z.object({ timeoutSeconds: count, tokensPerDay: count }).nullable(),
});
export type ModelView = z.infer<typeof modelViewSchema>;

import path from "node:path";
import { z } from "zod";
import { AppError } from "@/lib/errors";

const port = z.coerce.number().int().min(0).max(65_535);
const emptyAsMissing = (value: unknown): unknown => (value === "" ? undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(emptyAsMissing, schema.optional());

const flag = z.enum(["0", "1"], "is 0 or 1");
/** US dollars for a million tokens: of input, of input from a cache, of output. */
const prices = z
  .string()
  .regex(
    /^\d{1,6}(\.\d{1,6})?(,\d{1,6}(\.\d{1,6})?){2}$/,
    "has to be three numbers with commas between them, as 2.5,0.25,10",
  )
  .transform((text): TokenPrices => {
    const [input = 0, cached = 0, output = 0] = text.split(",").map(Number);
    return { input, cached, output };
  });

const schema = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "has to be a postgresql:// address"),
  MISSTEP_DATA_DIR: optional(z.string()),
  MISSTEP_SECRET: optional(z.string().min(32, "has to have at least 32 characters")),
  MISSTEP_ORIGIN: optional(z.url({ protocol: /^https?$/ })),
  MISSTEP_HOST: optional(z.string()),
  MISSTEP_LAUNCHER_FD: optional(z.coerce.number().int().min(3)),
  PORT: optional(port),
  OPENAI_API_KEY: optional(z.string().regex(/^[\x21-\x7e]+$/, "holds characters that no key has")),
  OPENAI_BASE_URL: optional(z.string()),
  OPENAI_MODEL: optional(z.string().max(200)),
  OPENAI_SECOND_MODEL: optional(z.string().max(200)),
  OPENAI_PRICES: optional(prices),
  OPENAI_SECOND_PRICES: optional(prices),
  OPENAI_TIMEOUT_SECONDS: optional(z.coerce.number().int().min(1).max(300)),
  OPENAI_TOKENS_PER_DAY: optional(z.coerce.number().int().min(1)),
  LLM_ALLOW_PRIVATE: optional(flag),
  MISSTEP_INVESTIGATIONS: optional(z.coerce.number().int().min(1).max(16)),
});

/** US dollars for a million tokens. */
export interface TokenPrices {
  input: number;
  cached: number;
  output: number;
}

/** The endpoint that speaks chat completions, as it is configured. Whether it may be asked is lib/llm's to say. */
export interface ModelSettings {
  apiKey: string;
  /** As it was given; null for OpenAI's own. */
  baseUrl: string | null;
  /** Null when it is missing. */
  model: string | null;
  /** For a second judge. */
  secondModel: string | null;
  prices: TokenPrices | null;
  secondPrices: TokenPrices | null;
  /** For one try of one question; at most 300,000, where Node ends a request by itself. */
  timeoutMs: number;
  /** Input and output together, of one project in one day. */
  tokensPerDay: number;
  /** True: addresses in private networks and on this machine may be asked. */
  allowPrivate: boolean;
}

const TIMEOUT_SECONDS = 180;
/** Forty to fifty investigations of usual size (40,000 to 51,000 tokens, RootSE); a limit against accidents. */
const TOKENS_PER_DAY = 2_000_000;
const INVESTIGATIONS_AT_ONCE = 3;

export interface Env {
  databaseUrl: string;
  /** Absolute. */
  dataDir: string;
  /** Signs the session cookie. Null for commands that open no session. */
  secret: string | null;
  /** Scheme, host and port as a browser sends them, without a slash at the end. */
  origin: string;
  /** The address that the web server listens on. */
  host: string;
  port: number;
  /** A pipe to the launcher: when it closes, the process ends. */
  launcherFd: number | null;
  /** Null without a key: then nothing asks a model. */
  model: ModelSettings | null;
  /** How many investigations a worker runs at the same time: they wait for answers most of the time. */
  investigationsAtOnce: number;
}

let cached: Env | null = null;

/**
 * The settings of this process. The only reader of `process.env` outside the launchers; read once, on first use, so that
 * importing a module never needs a setting.
 * @throws AppError `unavailable` naming the variables that are missing or wrong (never their values).
 */
export function env(): Env {
  cached ??= readEnv(process.env);
  return cached;
}

/** As `env`, from given variables. For tests and for commands that find the database themselves. */
export function readEnv(variables: Record<string, string | undefined>): Env {
  const parsed = schema.safeParse(variables);
  if (!parsed.success) {
    const what = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ");
    throw new AppError("unavailable", `Settings are missing or wrong: ${what}`);
  }
  const set = parsed.data;
  const listenPort = set.PORT ?? 3210;
  return {
    databaseUrl: set.DATABASE_URL,
    dataDir: path.resolve(set.MISSTEP_DATA_DIR ?? ".data"),
    secret: set.MISSTEP_SECRET ?? null,
    origin: new URL(set.MISSTEP_ORIGIN ?? `http://127.0.0.1:${listenPort}`).origin,
    host: set.MISSTEP_HOST ?? "127.0.0.1",
    port: listenPort,
    launcherFd: set.MISSTEP_LAUNCHER_FD ?? null,
    model:
      set.OPENAI_API_KEY === undefined
        ? null
        : {
            apiKey: set.OPENAI_API_KEY,
            baseUrl: set.OPENAI_BASE_URL ?? null,
            model: set.OPENAI_MODEL ?? null,
            secondModel: set.OPENAI_SECOND_MODEL ?? null,
            prices: set.OPENAI_PRICES ?? null,
            secondPrices: set.OPENAI_SECOND_PRICES ?? null,
            timeoutMs: (set.OPENAI_TIMEOUT_SECONDS ?? TIMEOUT_SECONDS) * 1_000,
            tokensPerDay: set.OPENAI_TOKENS_PER_DAY ?? TOKENS_PER_DAY,
            allowPrivate: set.LLM_ALLOW_PRIVATE === "1",
          },
    investigationsAtOnce: set.MISSTEP_INVESTIGATIONS ?? INVESTIGATIONS_AT_ONCE,
  };
}

/** Forgets what was read. For tests and commands that set variables first. */
export function resetEnv(): void {
  cached = null;
}

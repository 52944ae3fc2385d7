import path from "node:path";
import { z } from "zod";
import { AppError } from "@/lib/errors";

const port = z.coerce.number().int().min(0).max(65_535);
const emptyAsMissing = (value: unknown): unknown => (value === "" ? undefined : value);
const optional = <T extends z.ZodType>(schema: T) => z.preprocess(emptyAsMissing, schema.optional());

const schema = z.object({
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, "has to be a postgresql:// address"),
  MISSTEP_DATA_DIR: optional(z.string()),
  MISSTEP_SECRET: optional(z.string().min(32, "has to have at least 32 characters")),
  MISSTEP_ORIGIN: optional(z.url({ protocol: /^https?$/ })),
  MISSTEP_HOST: optional(z.string()),
  MISSTEP_LAUNCHER_FD: optional(z.coerce.number().int().min(3)),
  PORT: optional(port),
});

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
  };
}

/** Forgets what was read. For tests and commands that set variables first. */
export function resetEnv(): void {
  cached = null;
}

import { AppError } from "@/lib/errors";

declare const brand: unique symbol;

/** Who acts, for the audit record: `user:<id>`, `key:<id>`, `system`. */
export interface Actor {
  kind: "user" | "key" | "system";
  id: string;
  name: string;
}

/** The right to read and write everything of one project. Minted by the session gate (session.ts, owner.ts) alone. */
export interface ProjectScope {
  readonly [brand]: "project";
  readonly kind: "project";
  readonly projectId: string;
  readonly actor: Actor;
}

/** The right to read one import and one analysis of one trajectory, masked. Minted by the share gate (shares.ts) alone. */
export interface ShareScope {
  readonly [brand]: "share";
  readonly kind: "share";
  readonly shareId: string;
  readonly projectId: string;
  readonly trajectoryId: string;
  readonly importId: string;
  readonly analysisId: string | null;
  /** Names equal secrets alike inside this share. */
  readonly maskKey: string;
}

export type ReadScope = ProjectScope | ShareScope;

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * An identifier that may go into a `where`. Prisma reads `undefined` as "any" and an object as a condition, so everything
 * that is not a plain identifier stops here, before SQL (security test A5).
 * @throws AppError `not_found`: a malformed identifier is nobody's.
 */
export function checkId(id: unknown): string {
  if (typeof id !== "string" || !ID.test(id)) throw new AppError("not_found", "There is no such thing here.");
  return id;
}

/**
 * Says that the scope came from its gate. The types say so too; this holds for callers that the compiler never saw.
 * @throws AppError `internal`.
 */
export function checkProjectScope(scope: unknown): asserts scope is ProjectScope {
  if (!isMinted(scope) || scope.kind !== "project") throw new AppError("internal", "not a project scope");
}

/** As `checkProjectScope`, for reads that a share may do too. */
export function checkReadScope(scope: unknown): asserts scope is ReadScope {
  if (!isMinted(scope)) throw new AppError("internal", "not a scope");
}

// Next loads modules more than once in a process; scopes are known to all copies.
const KEY = Symbol.for("misstep.scopes");
type Holder = typeof globalThis & { [KEY]?: WeakSet<object> };
const holder: Holder = globalThis;
holder[KEY] ??= new WeakSet();
const minted = holder[KEY];

function isMinted(scope: unknown): scope is ReadScope {
  return typeof scope === "object" && scope !== null && minted.has(scope);
}

/** Remembers a scope as genuine. Used by scope-mint.ts only. */
export function rememberScope(scope: object): void {
  minted.add(scope);
}

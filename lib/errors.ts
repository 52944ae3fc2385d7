/** The closed list of error codes. Each says what kind of promise was broken; messages say where and what to do. */
export type ErrorCode =
  | "bad_request"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_large"
  | "integrity"
  | "rate_limited"
  | "unavailable"
  | "internal";

/** A broken promise with a code that a route turns into a status and a person can act on. */
export class AppError extends Error {
  override readonly name = "AppError";

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** The closed list of reasons why an upload cannot become a trajectory. */
export type IngestErrorCode =
  | "empty"
  | "not_a_trace"
  | "ambiguous_format"
  | "unsupported_format"
  | "malformed"
  | "too_deep"
  | "too_large"
  | "no_content"
  | "several_trajectories";

/** Where in the upload something is: a byte offset, a line (1-based) or a JSON pointer, whichever are known. */
export interface SourcePosition {
  byte: number | null;
  line: number | null;
  pointer: string | null;
}

/** An upload that cannot be read as a trajectory: why, and where in the file. */
export class IngestError extends Error {
  override readonly name = "IngestError";

  constructor(
    readonly code: IngestErrorCode,
    message: string,
    readonly at: SourcePosition = { byte: null, line: null, pointer: null },
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * States an invariant that the types cannot express.
 * @throws AppError `internal` with the given message when the condition does not hold.
 */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AppError("internal", message);
}

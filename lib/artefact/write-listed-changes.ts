import type { Attempt, Effect, Outcome } from "./effect";

/**
 * The writes of changes that a trace lists by file, without the patch that asked for them: as an object of paths, or as
 * a list of paths and kinds. A list tells nothing of the files' content; what an object tells of an update stands in the
 * record of the result.
 */
export function listedChanges(changes: unknown, outcome: Outcome): Attempt[] {
  if (Array.isArray(changes)) {
    return changes.flatMap((one) => {
      const [path, kind] = [textIn(one, "path"), textIn(one, "kind") ?? textIn(fieldOf(one, "kind"), "type")];
      return path === null ? [] : listed(path, kind, null, outcome).map(untold);
    });
  }
  if (typeof changes !== "object" || changes === null) return [];
  return Object.entries(changes).flatMap(([path, change]) => {
    const type = textIn(change, "type");
    if (type !== null) return listed(path, type, textIn(change, "content"), outcome);
    const [named] = typeof change === "object" && change !== null ? Object.entries(change) : [];
    return named === undefined ? [] : listed(path, named[0], textIn(named[1], "content"), outcome);
  });
}

function listed(path: string, kind: string | null, content: string | null, outcome: Outcome): Attempt[] {
  const base = { path, grammar: "W4" as const, fragment: null, ...outcome };
  if (kind === "delete") return [{ ...base, operation: "delete", effect: { kind: "delete" } }];
  if (kind === "add" && content !== null) {
    const effect: Effect = { kind: "write", text: content, mustBeNew: false };
    return [{ ...base, operation: "create", effect, fragment: { before: null, after: content, startLine: 1 } }];
  }
  return [{ ...base, operation: kind === "add" ? "create" : "edit", effect: { kind: "opaque" } }];
}

/** A list does not tell what was changed, and no record does. */
function untold(attempt: Attempt): Attempt {
  if (attempt.effect.kind !== "opaque" || attempt.status === "refused") return attempt;
  return { ...attempt, status: "opaque", reason: "the trace names the file and not what was changed in it" };
}

function fieldOf(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return new Map<string, unknown>(Object.entries(value)).get(key);
}

function textIn(value: unknown, key: string): string | null {
  const field = fieldOf(value, key);
  return typeof field === "string" ? field : null;
}

import type { z } from "zod";

/** A diagnosis takes a few thousand characters; a model that writes more than this writes anything. */
const ARGUMENTS_MAX_CHARS = 100_000;
const MAX_DEPTH = 32;
const ISSUES_SAID = 6;

export type ReadArguments<T> = { ok: true; value: T } | { ok: false; reason: string };

/**
 * Reads the arguments that a model wrote: JSON of bounded length and depth that fits the schema. Characters that no
 * database takes (NUL, halves of surrogate pairs) become U+FFFD.
 * @returns the value, or what is wrong in words for the model.
 */
export function readArguments<T>(text: string, schema: z.ZodType<T>): ReadArguments<T> {
  if (text.length > ARGUMENTS_MAX_CHARS) {
    return refused(`the arguments are ${text.length} characters long; at most ${ARGUMENTS_MAX_CHARS} are read`);
  }
  if (depthOf(text) > MAX_DEPTH) return refused(`the arguments are nested deeper than ${MAX_DEPTH} levels`);
  let value: unknown;
  try {
    // Some models send nothing when every argument is optional.
    value = JSON.parse(text.trim() === "" ? "{}" : text, (_key, inner: unknown) =>
      typeof inner === "string" ? storable(inner) : inner,
    );
  } catch {
    return refused("the arguments are not JSON");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.slice(0, ISSUES_SAID).map(({ path, message }) => {
    const at = path.map(String).join(".").slice(0, 80);
    return `${at === "" ? "arguments" : at}: ${message.slice(0, 160)}`;
  });
  const more = parsed.error.issues.length - issues.length;
  return refused(`${issues.join("; ")}${more > 0 ? `; and ${more} more` : ""}`);
}

function refused(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}

/** How deeply the brackets of a JSON text are nested, strings left out. */
function depthOf(text: string): number {
  let [depth, deepest, inString] = [0, 0, false];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (inString) {
      if (sign === "\\") at += 1;
      else if (sign === '"') inString = false;
    } else if (sign === '"') inString = true;
    else if (sign === "{" || sign === "[") deepest = Math.max(deepest, ++depth);
    else if (sign === "}" || sign === "]") depth -= 1;
  }
  return deepest;
}

import { GIVEN_TEXT_MAX_BYTES } from "@/lib/catalogue/limits";
import { AppError } from "@/lib/errors";
import type { KnownPart } from "@/lib/trajectory/given-failure";
import type { GivenChange } from "@/lib/views/failure";

export const PART_NAMES: Record<KnownPart, string> = {
  taskStatement: "task statement",
  outcome: "outcome",
  errorReport: "error report",
  failingTestCode: "failing test",
  referencePatch: "reference patch",
};
const PARTS: readonly KnownPart[] = ["taskStatement", "outcome", "errorReport", "failingTestCode", "referencePatch"];

/** What is to be stored: cleaned texts, and the parts that are taken back. */
export interface CleanChange {
  given: ReadonlyMap<KnownPart, string>;
  cleared: readonly KnownPart[];
}

/**
 * A change as it can be stored: no NUL, no half of a surrogate pair, nothing but white space counted as taken back.
 * @throws AppError `too_large` for a text over the limit.
 */
export function cleanChange(change: GivenChange): CleanChange {
  const given = new Map<KnownPart, string>();
  const cleared: KnownPart[] = [];
  for (const part of PARTS) {
    const said = change[part];
    if (said === undefined) continue;
    const text = (said ?? "").replaceAll("\u0000", "\ufffd").replaceAll(/[\ud800-\udfff]/gu, "\ufffd");
    if (text.trim() === "") {
      cleared.push(part);
      continue;
    }
    const sizeBytes = Buffer.byteLength(text, "utf8");
    if (sizeBytes > GIVEN_TEXT_MAX_BYTES) {
      const name = PART_NAMES[part];
      throw new AppError(
        "too_large",
        `The ${name} has ${sizeBytes} bytes; it may have at most ${GIVEN_TEXT_MAX_BYTES}.`,
      );
    }
    given.set(part, text);
  }
  return { given, cleared };
}

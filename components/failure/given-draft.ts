import { GIVEN_TEXT_MAX_BYTES } from "@/lib/catalogue/limits";
import { type GivenChange, KNOWN_TEXTS, type KnownText } from "@/lib/views/failure";

/** What a person is writing about a failure; an empty text and a null outcome are nothing. */
export interface GivenDraft {
  outcome: "failed" | "resolved" | null;
  texts: Record<KnownText, string>;
}

export const EMPTY_DRAFT: GivenDraft = {
  outcome: null,
  texts: { taskStatement: "", errorReport: "", failingTestCode: "", referencePatch: "" },
};

/** The parts in which a draft differs from what was there, as they are sent; null takes a part back. */
export function changeBetween(before: GivenDraft, draft: GivenDraft): GivenChange {
  const change: GivenChange = {};
  if (draft.outcome !== before.outcome) change.outcome = draft.outcome;
  for (const what of KNOWN_TEXTS) {
    const text = draft.texts[what];
    if (text !== before.texts[what]) change[what] = text.trim() === "" ? null : text;
  }
  return change;
}

/** True when a change says something. */
export function saysSomething(change: GivenChange): boolean {
  return Object.keys(change).length > 0;
}

/** Bytes of a text as it is sent. */
export function sizeOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** The texts that are larger than one may be. */
export function oversized(draft: GivenDraft): KnownText[] {
  // No text of fewer characters than a third of the limit can be over it: nobody waits for that at each key.
  return KNOWN_TEXTS.filter((what) => {
    const text = draft.texts[what];
    return text.length > GIVEN_TEXT_MAX_BYTES / 3 && sizeOf(text) > GIVEN_TEXT_MAX_BYTES;
  });
}

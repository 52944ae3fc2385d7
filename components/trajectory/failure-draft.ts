import type { GivenDraft } from "@/components/failure/given-draft";
import { type FailureView, failurePieceSchema, type GivenSeen, KNOWN_TEXTS, type KnownText } from "@/lib/views/failure";
import { fetchJson } from "./answers";

/** A part of what a person can say. */
export type GivenPart = KnownText | "outcome";

/**
 * What a person gave until now, with all of each text.
 * @throws Error with words for a person.
 */
export async function readDraft(api: string, failure: FailureView): Promise<GivenDraft> {
  const draft: GivenDraft = {
    outcome: failure.outcome.source === "person" && failure.outcome.value !== "unknown" ? failure.outcome.value : null,
    texts: { taskStatement: "", errorReport: "", failingTestCode: "", referencePatch: "" },
  };
  for (const what of KNOWN_TEXTS) {
    const known = failure.texts.find((one) => one.what === what);
    if (known?.source !== "person") continue;
    draft.texts[what] = known.text.length === known.totalChars ? known.text : await wholeText(api, what);
  }
  return draft;
}

async function wholeText(api: string, what: KnownText): Promise<string> {
  let whole = "";
  for (let offset: number | null = 0; offset !== null; ) {
    const piece: { text: string; nextOffset: number | null } = await fetchJson(
      `${api}/failure/text?what=${what}&offset=${offset}`,
      failurePieceSchema,
    );
    whole += piece.text;
    offset = piece.nextOffset;
  }
  return whole;
}

/** When each part was given, null where nobody gave it: what goes with a change, so that it overwrites nothing unseen. */
export function seenOf(failure: FailureView): GivenSeen {
  const seen: GivenSeen = { outcome: failure.outcome.at };
  for (const { what, at } of failure.texts) seen[what] = at;
  return seen;
}

/**
 * A draft over what others said while it was written: what its writer did not touch follows theirs; what both changed stays
 * as its writer has it, and is named.
 */
export function rebase(
  draft: GivenDraft,
  old: { failure: FailureView; before: GivenDraft },
  now: { failure: FailureView; before: GivenDraft },
): { draft: GivenDraft; both: GivenPart[] } {
  const [was, is] = [seenOf(old.failure), seenOf(now.failure)];
  const both: GivenPart[] = [];
  const merged = <T>(part: GivenPart, mine: T, before: T, theirs: T): T => {
    if (mine === before) return theirs;
    if (was[part] !== is[part] && mine !== theirs) both.push(part);
    return mine;
  };
  const outcome = merged("outcome", draft.outcome, old.before.outcome, now.before.outcome);
  const texts = { ...draft.texts };
  for (const what of KNOWN_TEXTS) {
    texts[what] = merged(what, draft.texts[what], old.before.texts[what], now.before.texts[what]);
  }
  return { draft: { outcome, texts }, both };
}

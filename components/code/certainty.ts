import type { Side } from "@/lib/views/code";

const EXPLANATIONS: Record<string, string> = {
  given: "Attached by a person as the input of the run.",
  recorded: "The trace itself holds this content.",
  replayed: "Computed by applying the run's edit to a text that is known.",
  partial: "Only some lines are known, from what the run read or wrote. The gaps are not filled.",
  unknown: "A command may have changed this file in a way that cannot be followed.",
};

/** What the mark of a side says: one word, and one sentence that explains it. */
export function certaintyWords(side: Side): { word: string; why: string } {
  if (side.kind === "absent")
    return { word: "no such file", why: side.note ?? "The file does not exist at this point." };
  const word = side.kind === "unknown" ? "unknown" : (side.certainty ?? "unknown");
  const why = EXPLANATIONS[word] ?? EXPLANATIONS.unknown ?? "";
  return { word, why: side.note === null ? why : `${why} ${side.note}` };
}

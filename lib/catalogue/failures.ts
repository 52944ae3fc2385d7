import { JSON_MAX_DEPTH } from "./limits";

/** What a person can do about an import that failed, by the code of its reason. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ["empty", "Export or copy the trace again, and upload that file."],
  [
    "not_a_trace",
    "Upload the file that the agent itself wrote: docs/formats.md says where each kind of agent keeps it.",
  ],
  ["unsupported_format", "docs/formats.md lists what can be read."],
  ["ambiguous_format", "Upload one run alone, as its agent wrote it."],
  ["malformed", "A copy that was cut off or edited looks like this: copy the whole file again, and upload that."],
  ["too_deep", `No trace nests deeper than ${JSON_MAX_DEPTH} levels; take the part at this place out.`],
  ["no_content", "The run may have ended before its first message: upload the file of a run that said something."],
  ["integrity", "Upload the file again."],
  ["out_of_memory", "Upload its runs one by one, or as JSON Lines, which need less."],
  ["timeout", "Try it again when the machine has less to do, or upload its runs one by one."],
]);

/** What to do about a failed import, as a sentence; null for reasons that say it themselves. */
export function failureAdvice(code: string): string | null {
  return ADVICE.get(code) ?? null;
}

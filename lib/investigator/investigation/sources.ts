import type { MaskedText, MaskedTrajectory } from "@/lib/judge/masked";
import { REFUSAL_WORDS, resolveInText } from "@/lib/judge/quote";
import type { FailureContext } from "@/lib/trajectory/schema";
import type { Evidence, SourceName } from "../diagnosis";

/** Longest text of a source in a question: the middle of a longer one is left out, and that is said in it. */
const SOURCE_MAX_CHARS = 24_000;

/** What is known besides the turns, as it is and as a model may see it. */
export interface Source {
  name: SourceName;
  text: MaskedText;
  /** Without secrets, and cut. */
  shown: string;
}

const TITLES: Record<SourceName, string> = {
  task: "The task",
  error_report: "The failing report",
  failing_test_code: "The failing test code",
  reference_patch: "The reference patch",
};

/**
 * What is known of the task and of the failure. The reference patch only where the setting `withReference` gives it.
 * Empty texts are none.
 */
export function sourcesOf(
  task: string | null,
  failure: FailureContext,
  { withReference, masked }: { withReference: boolean; masked: MaskedTrajectory },
): Source[] {
  const all: [SourceName, string | null][] = [
    ["task", task],
    ["error_report", failure.errorReport],
    ["failing_test_code", failure.failingTestCode],
    ["reference_patch", withReference ? failure.referencePatch : null],
  ];
  return all.flatMap(([name, original]) => {
    if (original === null || original.trim() === "") return [];
    const text = masked.mask(original);
    return [{ name, text, shown: shorten(text.text) }];
  });
}

/** True when the failure is known by more than its outcome: an error report or the code of a failing test. */
export function hasFailingReport(sources: readonly Source[]): boolean {
  return sources.some(({ name }) => name === "error_report" || name === "failing_test_code");
}

/** The heading of a source in a question. */
export function titleOf(name: SourceName): string {
  return TITLES[name];
}

export type Quoted = { ok: true; evidence: Evidence } | { ok: false; why: string };

/** Where words stand in a source, verbatim. */
export function quoteSource(sources: readonly Source[], name: SourceName, words: string): Quoted {
  const source = sources.find((each) => each.name === name);
  if (source === undefined) return { ok: false, why: `there is no ${titleOf(name).toLowerCase().replace("the ", "")}` };
  const resolved = resolveInText(source.text, words);
  if (!resolved.ok) return { ok: false, why: REFUSAL_WORDS[resolved.reason] };
  return { ok: true, evidence: { from: name, ...resolved.place } };
}

/** Reports say what failed at their beginning and at their end. */
function shorten(text: string): string {
  if (text.length <= SOURCE_MAX_CHARS) return text;
  const half = SOURCE_MAX_CHARS / 2;
  const left = text.length - SOURCE_MAX_CHARS;
  return `${text.slice(0, half)}\n[${left} characters are left out here.]\n${text.slice(-half)}`;
}

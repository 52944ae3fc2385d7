import { labelDefinition } from "@/lib/catalogue/label-definitions";
import type { FailureContext, FailureLabel } from "@/lib/trajectory/schema";
import { unknownFailure } from "../../entries";
import { type JsonObject, member, stringMember } from "../../safe-json";

/** The numbering of labels and turns: the `i` of a step. */
export const CONVENTION = "i";

/** What of a row is about how the run was judged: nothing of it belongs into the trace. */
export const LABEL_COLUMNS: ReadonlySet<string> = new Set([
  ...["gold_step", "gold_reason", "gold_actor", "label_origin", "confident", "origin_packet", "exclusion"],
  "reference",
]);

const PATCH = /^(?:diff --git |--- |Index: )/m;

/**
 * The label of a row, which of them it is, and what is known of the right answer. A row that was left out by who labelled
 * it has no label: why is its `exclusion`. Only runs that failed are labelled.
 */
export function readLabel(row: JsonObject): FailureContext {
  const failure: FailureContext = { ...unknownFailure(), foundAt: [] };
  const found = failure.foundAt ?? [];
  const dataset = stringMember(row, "dataset");
  const exclusion = stringMember(row, "exclusion");
  failure.labelledCase = {
    dataset: dataset ?? "unnamed",
    split: stringMember(row, "split"),
    id: stringMember(row, "id"),
    task: stringMember(row, "task"),
    exclusion,
  };
  const step = member(row, "gold_step");
  if (typeof step === "number" || (typeof step === "string" && step.trim() !== "")) {
    failure.outcome = "failed";
    failure.labels = [labelOf(row, String(step).trim(), dataset)];
    found.push({ what: "outcome", where: "/gold_step" }, { what: "label", where: "/gold_step" });
  } else if (exclusion !== null) found.push({ what: "label", where: "/exclusion" });
  const reference = stringMember(row, "reference");
  if (reference !== null && reference.trim() !== "") {
    if (PATCH.test(reference)) {
      failure.referencePatch = reference;
      found.push({ what: "reference_patch", where: "/reference" });
    } else {
      failure.verification.push({ name: "reference", passed: null, detail: reference });
      found.push({ what: "verification", where: "/reference" });
    }
  }
  return failure;
}

function labelOf(row: JsonObject, step: string, dataset: string | null): FailureLabel {
  const definition = dataset === null ? null : labelDefinition(dataset);
  const label: FailureLabel = {
    kind: definition?.kind ?? "labelled step",
    step,
    convention: CONVENTION,
    agent: stringMember(row, "gold_actor"),
    reason: stringMember(row, "gold_reason"),
  };
  if (definition !== null) label.definition = { text: definition.text, source: definition.source };
  const origin = stringMember(row, "label_origin");
  if (origin !== null) label.origin = origin;
  return label;
}

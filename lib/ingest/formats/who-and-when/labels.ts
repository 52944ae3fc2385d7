import { labelDefinition } from "@/lib/catalogue/label-definitions";
import type { FailureContext, FailureLabel } from "@/lib/trajectory/schema";
import { unknownFailure } from "../../entries";
import { type JsonObject, type JsonValue, stringMember } from "../../safe-json";

/** What of a record is about how the run ended and who is to blame: nothing of it belongs into the trace. */
export const LABEL_KEYS = [
  "mistake_agent",
  "mistake_step",
  "mistake_reason",
  "ground_truth",
  "is_correct",
  "is_corrected",
] as const;

/** The name of the data set, by which its label is defined. */
const DATASET = "who&when";

/**
 * The label of a record and what is known of its answer. A step is given as text or as a number, from 0 on.
 * @param split which half of the data set the record is of
 */
export function readLabels(record: JsonObject, split: string): FailureContext {
  const failure: FailureContext = { ...unknownFailure(), foundAt: [] };
  const found = failure.foundAt ?? [];
  // One half of the data set spells it in the other way.
  const key = typeof record.is_correct === "boolean" ? "is_correct" : "is_corrected";
  const isCorrect = record[key];
  if (typeof isCorrect === "boolean") {
    failure.outcome = isCorrect ? "resolved" : "failed";
    found.push({ what: "outcome", where: `/${key}` });
  }
  const truth = plainText(record.ground_truth);
  if (truth !== null) {
    const passed = typeof isCorrect === "boolean" ? isCorrect : null;
    failure.verification.push({ name: "ground_truth", passed, detail: truth });
    found.push({ what: "verification", where: "/ground_truth" });
  }
  const step = plainText(record.mistake_step);
  const agent = stringMember(record, "mistake_agent");
  const reason = stringMember(record, "mistake_reason");
  if (step !== null) {
    const definition = labelDefinition(DATASET);
    const kind = definition?.kind ?? "mistake";
    const label: FailureLabel = { kind, step, convention: "history", agent, reason };
    if (definition !== null) label.definition = { text: definition.text, source: definition.source };
    failure.labels = [label];
    found.push({ what: "label", where: "/mistake_step" });
    const id = stringMember(record, "question_ID");
    failure.labelledCase = { dataset: DATASET, split, id, task: id, exclusion: null };
  }
  return failure;
}

function plainText(value: JsonValue | undefined): string | null {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

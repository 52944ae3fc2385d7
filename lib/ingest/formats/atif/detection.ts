import type { Sniff } from "../../adapter";
import { type Content, isJsonContent } from "../../content";
import { sampleRows } from "../../rows/rows";
import { isObject, type JsonValue, stringMember } from "../../safe-json";
import { trialsIn } from "./trials";

/** Whether the content is trajectories of the interchange format, or holds trials with such. */
export function sniffAtif(content: Content): Sniff {
  if (content.kind === "files") {
    const trials = trialsIn(content.files);
    const isTrial = trials.some((trial) => trial.around.length > 0 || trial.linked.length > 0);
    if (isTrial) return { score: 0.9, reason: "a trajectory of ATIF with the files of its trial" };
  }
  const values = isJsonContent(content) ? sampleRows(content) : [];
  const found = values.filter(isTrajectory).length;
  if (found > 0 && found * 2 > values.length) return { score: 0.95, reason: "`schema_version` says ATIF" };
  return { score: 0, reason: "no `schema_version` of ATIF" };
}

function isTrajectory(value: JsonValue): boolean {
  return isObject(value) && (stringMember(value, "schema_version") ?? "").startsWith("ATIF-v");
}

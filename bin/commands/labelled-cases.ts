import { buildHistory } from "@/lib/artefact/history";
import { IngestError } from "@/lib/errors";
import type { OpenCase } from "@/lib/evaluation/engine";
import { type LabelFile, namesIn, withLabelsOf } from "@/lib/evaluation/label-file";
import { caseOf, withoutLabels } from "@/lib/evaluation/labelled-case";
import type { Source } from "@/lib/ingest/source";
import type { Trajectory } from "@/lib/trajectory/schema";
import { trajectoriesIn } from "./trajectories-in";

/** The cases of a labelled set, and what of the file could not be read. */
export interface LabelledFile {
  cases: OpenCase[];
  unreadable: { part: string; reason: string }[];
  /** Runs that a file of labels knows and this file does not hold. */
  unmatched: string[];
}

/**
 * Reads every trajectory of a file as a case. Each is read again when an engine asks for it, so that a large set needs no
 * more memory than its largest run.
 * @param withReference whether engines see what the right answer is
 * @param labels where they stand in a file of their own; then the traces' own do not count
 * @throws IngestError when the file is of no format.
 */
export function labelledCases(source: Source, withReference: boolean, labels: LabelFile | null = null): LabelledFile {
  const cases: OpenCase[] = [];
  const unreadable: LabelledFile["unreadable"] = [];
  const unmatched = new Set(labels?.runs.keys());
  for (const { part, read } of trajectoriesIn(source).all) {
    const name = part?.name ?? source.name;
    try {
      const { trajectory, failure } = read().ingested;
      const told = labels === null ? null : withLabelsOf(labels, failure, namesOf(trajectory, part?.file, name));
      if (told?.id != null) unmatched.delete(told.id);
      const open: OpenCase["open"] = () => {
        const { ingested } = read();
        const history = buildHistory(ingested.trajectory, null);
        return { trajectory: ingested.trajectory, history, failure: withoutLabels(ingested.failure, withReference) };
      };
      cases.push({ labelled: caseOf(trajectory, told?.failure ?? failure, name), open });
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      unreadable.push({ part: name, reason: error.message });
    }
  }
  return { cases, unreadable, unmatched: [...unmatched] };
}

/** What a file of labels may call a run: the file that it stands in, its folders, the task's name. */
function namesOf({ task, title }: Trajectory, file: string | undefined, name: string): string[] {
  return [...namesIn(file ?? ""), ...namesIn(name), task.instance ?? "", title ?? ""].filter((one) => one !== "");
}

import { buildHistory } from "@/lib/artefact/history";
import { IngestError } from "@/lib/errors";
import type { OpenCase } from "@/lib/evaluation/engine";
import { caseOf, withoutLabels } from "@/lib/evaluation/labelled-case";
import type { Source } from "@/lib/ingest/source";
import { trajectoriesIn } from "./trajectories-in";

/** The cases of a labelled set, and what of the file could not be read. */
export interface LabelledFile {
  cases: OpenCase[];
  unreadable: { part: string; reason: string }[];
}

/**
 * Reads every trajectory of a file as a case. Each is read again when an engine asks for it, so that a large set needs no
 * more memory than its largest run.
 * @param withReference whether engines see what the right answer is
 * @throws IngestError when the file is of no format.
 */
export function labelledCases(source: Source, withReference: boolean): LabelledFile {
  const cases: OpenCase[] = [];
  const unreadable: LabelledFile["unreadable"] = [];
  for (const { part, read } of trajectoriesIn(source).all) {
    const name = part?.name ?? source.name;
    try {
      const { trajectory, failure } = read().ingested;
      const open: OpenCase["open"] = () => {
        const { ingested } = read();
        const history = buildHistory(ingested.trajectory, null);
        return { trajectory: ingested.trajectory, history, failure: withoutLabels(ingested.failure, withReference) };
      };
      cases.push({ labelled: caseOf(trajectory, failure, name), open });
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      unreadable.push({ part: name, reason: error.message });
    }
  }
  return { cases, unreadable };
}

import { buildHistory } from "@/lib/artefact/history";
import { ingest } from "@/lib/ingest/ingest";
import { pool } from "@/lib/store/client";
import { storeImport } from "@/lib/store/imports";
import { receiveUpload } from "@/lib/store/uploads";
import { readSource } from "@/workers/import-pipeline";
import { withDatabase } from "../database";
import { makeManyEdits } from "../inputs/many-edits";
import { interleave, timed } from "../measure";
import { medianFigure, type Question, singleFigure } from "../question";

const FILE_BYTES = 200_000;
const EDITS = 2_000;
const AT_MOST = 5;
const ROUNDS = 5;

export const question: Question = {
  id: "history",
  title: `The history of a file of ${FILE_BYTES / 1_000} kB that is edited ${EDITS.toLocaleString("en-GB")} times: time, and size in Postgres`,
  bound: `the table of versions with its indexes takes less than ${AT_MOST} times the bytes of the edits (old and new texts)`,
  run: async () => {
    const { bytes, editBytes } = makeManyEdits({ fileBytes: FILE_BYTES, edits: EDITS, seed: 31 });
    const { trajectory } = ingest({ name: "bench", bytes });
    const history = buildHistory(trajectory, null);
    const versions = [...history.files.values()].flatMap((file) => file.versions);
    if (versions.length !== EDITS + 1) throw new Error(`${versions.length} versions were made of ${EDITS + 1} writes`);
    const madeMb = (versions.length * FILE_BYTES) / 1_000_000;
    const { build } = await interleave([{ name: "build", sample: () => timed(() => buildHistory(trajectory, null)) }], {
      rounds: ROUNDS,
    });
    const stored = await storedBytes(bytes);
    return {
      figures: [
        singleFigure(
          "bytes of the table with its indexes / bytes of the edits",
          "times",
          stored.table / editBytes,
          AT_MOST,
        ),
        singleFigure("bytes of the versions alone / bytes of the edits", "times", stored.values / editBytes),
        singleFigure("bytes of the edits", "bytes", editBytes),
        singleFigure("bytes of the versions alone", "bytes", stored.values),
        medianFigure(
          "time for each MB of versions made, on the clock",
          "ms/MB",
          (build ?? []).map(({ wallMs }) => wallMs / madeMb),
        ),
        medianFigure(
          "time for each MB of versions made, of the processor",
          "ms/MB",
          (build ?? []).map(({ cpuMs }) => cpuMs / madeMb),
        ),
      ],
      remarks: [`${versions.length} versions of about ${FILE_BYTES / 1_000} kB are ${Math.round(madeMb)} MB made.`],
    };
  },
};

/** What one import leaves in `FileVersion`: its values as they lie there, and the whole table with indexes and TOAST. */
async function storedBytes(bytes: Buffer): Promise<{ values: number; table: number }> {
  return withDatabase(async (scope) => {
    const body = new Blob([new Uint8Array(bytes)]).stream();
    const { id } = await receiveUpload(scope, { name: "bench", body, contentLength: bytes.length, sha256: null });
    const result = await readSource({ name: "bench", bytes }, { baseline: null, outcome: null }, () => undefined);
    await storeImport(scope, { trajectoryId: id, jobId: "bench" }, result);
    const { rows } = await pool().query<{ values: string; table: string }>(
      `SELECT sum(pg_column_size("data")) AS "values", pg_total_relation_size('"FileVersion"') AS "table" FROM "FileVersion"`,
    );
    return { values: Number(rows[0]?.values), table: Number(rows[0]?.table) };
  });
}

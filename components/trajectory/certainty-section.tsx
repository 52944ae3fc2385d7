import type { ReactNode } from "react";
import type { RunView } from "@/lib/views/run";
import { formatCount } from "./numbers";

/** How sure each version is, in the order of `CERTAINTIES` (lib/artefact/model.ts). */
const CERTAINTY_WORDS: readonly [string, string][] = [
  ["given", "from attached files"],
  ["recorded", "recorded by the trace"],
  ["replayed", "replayed from edits"],
  ["partial", "known in part"],
  ["unknown", "not known"],
];

/** How well the files of a run are known, and how often what follows from its writes agrees with what else the trace tells. */
export function CertaintySection({ run }: { run: RunView }): ReactNode {
  const versions = CERTAINTY_WORDS.flatMap(([certainty, words]) => {
    const count = run.versionsByCertainty[certainty] ?? 0;
    return count === 0 ? [] : [`${formatCount(count)} ${words}`];
  });
  if (versions.length === 0) return null;
  return (
    <section className="pb-3">
      <h3 className="border-b border-line pb-1 text-12 font-medium text-fg-3">How sure the code is</h3>
      <p className="border-b border-line py-2 text-13">Versions of files: {versions.join(", ")}.</p>
      {run.checks === null ? (
        <p className="py-2 text-12 text-fg-2">Imported before comparisons were counted: read it again to count them.</p>
      ) : (
        <Comparisons checks={run.checks} />
      )}
    </section>
  );
}

function Comparisons({ checks }: { checks: NonNullable<RunView["checks"]> }): ReactNode {
  const rows = [
    { name: "Contents recorded with a write", unknown: 0, ...checks.recorded },
    { name: "Lines that the trace shows of a file", unknown: 0, ...checks.read },
    { name: "Files in diffs of the working tree", unknown: 0, ...checks.diff },
    { name: "Files in the delivered patch", ...checks.delivered },
  ].filter(({ agreed, differed, unknown }) => agreed + differed + unknown > 0);
  if (rows.length === 0) {
    return <p className="py-2 text-12 text-fg-2">The trace holds nothing that the writes could be compared with.</p>;
  }
  return (
    <table className="w-full text-13">
      <caption className="sr-only">Comparisons of the files with what else the trace tells of them</caption>
      <thead className="text-12 text-fg-3">
        <tr className="border-b border-line">
          <th className="py-1 text-left font-normal">Compared with</th>
          <th className="py-1 pl-3 text-right font-normal">Agree</th>
          <th className="py-1 pl-3 text-right font-normal">Differ</th>
          <th className="py-1 pl-3 text-right font-normal">Not known</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, agreed, differed, unknown }) => (
          <tr key={name} className="border-b border-line last:border-b-0">
            <th className="py-1 text-left font-normal">{name}</th>
            <td className="mono py-1 pl-3 text-right text-12">{formatCount(agreed)}</td>
            <td className="mono py-1 pl-3 text-right text-12">{formatCount(differed)}</td>
            <td className="mono py-1 pl-3 text-right text-12">{formatCount(unknown)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

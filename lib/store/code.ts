import { z } from "zod";
import { blame } from "@/lib/artefact/blame";
import { splitLines } from "@/lib/artefact/lines";
import type { BlameRun, KnownContent } from "@/lib/artefact/model";
import { languageOf } from "@/lib/catalogue/languages";
import { AppError } from "@/lib/errors";
import { safeEnd } from "@/lib/trajectory/text-cuts";
import type { CodeView } from "@/lib/views/code";
import { fitStrings, takeWithin } from "./answer-size";
import { database } from "./client";
import { clipBlame, firstDifference, sideOf } from "./code-side";
import { contentOf, storedVersions, type VersionRow, versionRows } from "./file-versions";
import type { Write } from "./generated/client";
import { meetSecrets } from "./item-texts";
import { meetPathSecrets } from "./path-secrets";
import { checkNumber, openReading, type Reading } from "./reading";
import type { ReadScope } from "./scope";
import { storedItemsSchema } from "./stored-item";

export interface CodeQuery {
  file: number;
  turn: number;
  from: CodeView["from"];
  to: CodeView["to"];
}

const fromTo = z.object({ from: z.enum(["before", "baseline"]), to: z.enum(["after", "final"]) });

const BLAME_MAX_BYTES = 80_000;
const VERSIONS_MAX_BYTES = 50_000;
const FRAGMENTS_MAX_BYTES = 80_000;
const FRAGMENT_CHARS = 8_000;

/**
 * A file at a turn: as it was before the first write of the turn to it and after the last one (twice the same when the
 * turn does not write it), or against the file before the run (`baseline`) and at its end (`final`). Only known lines;
 * nothing is filled in. Null when the scope has no such file. At most 1 MB as JSON.
 */
export async function getCode(scope: ReadScope, id: string, query: CodeQuery): Promise<CodeView | null> {
  const fileN = checkNumber(query.file);
  const turn = checkNumber(query.turn);
  const sides = fromTo.safeParse({ from: query.from, to: query.to });
  if (!sides.success) throw new AppError("bad_request", "from is before or baseline, to is after or final.");
  const { from, to } = sides.data;
  const reading = await openReading(scope, id);
  if (reading === null) return null;
  const { importId, projection } = reading;
  const file = await database().file.findUnique({ where: { importId_n: { importId, n: fileN } } });
  if (file === null) return null;
  const versions = await versionRows(importId, fileN);
  const writes = await database().write.findMany({ where: { importId, fileN, turn }, orderBy: { n: "asc" } });
  const atTurn = versionsAtTurn(versions, writes, turn);
  const left = from === "baseline" ? baselineOf(versions) : atTurn.before;
  const right = to === "final" ? (versions.at(-1) ?? null) : atTurn.after;
  const leftContent = await contentAt(importId, fileN, left);
  const rightContent =
    right?.n === left.version?.n && right !== null ? leftContent : await contentAt(importId, fileN, { version: right });
  const firstChangedLine = firstDifference(leftContent, rightContent);
  await meetPathSecrets(reading);
  await meetSecretsOf(reading, [turn, left.version?.turn ?? null, right?.turn ?? null]);
  const before = sideOf(left.version, masked(reading, leftContent), firstChangedLine);
  const after = sideOf(right, masked(reading, rightContent), firstChangedLine);
  const runs = right === null ? [] : await blameOf(importId, fileN, versions, right.n);
  const blameRuns = takeWithin(
    clipBlame(
      runs.map(({ startLine, lineCount, turn: by, uncertain }) => ({ startLine, lineCount, turn: by, uncertain })),
      after,
    ),
    BLAME_MAX_BYTES,
  );
  const fragments = takeWithin(
    writes.map((write) => fragmentOf(reading, write)),
    FRAGMENTS_MAX_BYTES,
  );
  const listed = takeWithin(
    versions.map(({ n, turn: by, operation, certainty }) => ({ n, turn: by, operation, certainty })),
    VERSIONS_MAX_BYTES,
  );
  const part = (text: string | null): string | null => (text === null ? null : projection.part(text));
  return fitStrings(
    projection.view({
      file: fileN,
      path: projection.part(file.path),
      display: projection.part(file.display),
      turn,
      from,
      to,
      before: { ...before, note: part(before.note) },
      after: { ...after, note: part(after.note) },
      blame: blameRuns.kept,
      fragments: fragments.kept,
      language: languageOf(file.path),
      versions: listed.kept,
      firstChangedLine,
      omitted: { blame: blameRuns.omitted, fragments: fragments.omitted, versions: listed.omitted },
    }),
  );
}

/** A moment of a file: its version, or none; then `isAbsent` says whether that means that there was no file. */
interface Moment {
  version: VersionRow | null;
  isAbsent?: boolean;
}

function versionsAtTurn(
  versions: VersionRow[],
  writes: Write[],
  turn: number,
): { before: Moment; after: VersionRow | null } {
  const effective = writes.filter((write) => write.versionAfter !== null);
  const first = effective[0];
  const last = effective.at(-1);
  if (first === undefined || last === undefined) {
    const current = versions.findLast((version) => (version.turn ?? -1) <= turn) ?? null;
    return { before: { version: current }, after: current };
  }
  const version = first.versionBefore === null ? null : (versions[first.versionBefore] ?? null);
  return {
    before: { version, isAbsent: version === null && first.operation === "create" },
    after: last.versionAfter === null ? null : (versions[last.versionAfter] ?? null),
  };
}

/** The file before the run's first change to it: what was given or read until then. */
function baselineOf(versions: VersionRow[]): Moment {
  const firstChange = versions.findIndex(({ operation }) => operation !== "baseline" && operation !== "observe");
  const version = (firstChange < 0 ? versions.at(-1) : versions[firstChange - 1]) ?? null;
  return { version, isAbsent: version === null && versions[firstChange]?.operation === "create" };
}

async function contentAt(importId: string, fileN: number, moment: Moment): Promise<KnownContent> {
  if (moment.version !== null) return contentOf(importId, fileN, moment.version.n);
  return moment.isAbsent === true ? { kind: "absent" } : { kind: "unknown" };
}

async function blameOf(importId: string, fileN: number, versions: VersionRow[], n: number): Promise<BlameRun[]> {
  const writers = versions.map(({ turn, itemId, certainty, operation }) => ({
    turn,
    item: itemId,
    certainty,
    operation,
  }));
  return blame(writers, await storedVersions(importId, fileN, n), n);
}

/** A content with its secrets masked, as a whole and before anything is cut. Lines keep their numbers. */
function masked(reading: Reading, content: KnownContent): KnownContent {
  const { projection } = reading;
  if (!projection.isShared) return content;
  if (content.kind === "whole") return { kind: "whole", text: projection.whole(content.text) };
  if (content.kind !== "partial") return content;
  return {
    ...content,
    ranges: content.ranges.map((range) => ({
      startLine: range.startLine,
      lines: splitLines(projection.whole(range.lines.join(""))),
    })),
  };
}

/** Notes and fragments repeat words of the calls that made them; a share has to know what is secret there. */
async function meetSecretsOf(reading: Reading, turns: (number | null)[]): Promise<void> {
  if (!reading.projection.isShared) return;
  const wanted = [...new Set(turns.filter((turn) => turn !== null))];
  const rows = await database().turn.findMany({
    where: { importId: reading.importId, index: { in: wanted } },
    select: { items: true },
  });
  for (const row of rows) await meetSecrets(reading, storedItemsSchema.parse(row.items));
}

const fragmentSchema = z
  .object({ before: z.string().nullable(), after: z.string().nullable(), startLine: z.number().nullable() })
  .nullable();

function fragmentOf(reading: Reading, write: Write): CodeView["fragments"][number] {
  const fragment = fragmentSchema.parse(write.fragment);
  const before = cutFragment(reading, fragment?.before ?? null);
  const after = cutFragment(reading, fragment?.after ?? null);
  return {
    item: write.itemId,
    status: write.status,
    before: before.text,
    after: after.text,
    startLine: fragment?.startLine ?? null,
    reason: write.reason === null ? null : reading.projection.part(write.reason),
    omittedChars: before.omittedChars + after.omittedChars,
  };
}

function cutFragment(reading: Reading, text: string | null): { text: string | null; omittedChars: number } {
  if (text === null) return { text, omittedChars: 0 };
  const whole = reading.projection.part(text);
  const end = safeEnd(whole, FRAGMENT_CHARS);
  return { text: whole.slice(0, end), omittedChars: whole.length - end };
}

import { z } from "zod";
import { env } from "@/lib/env";
import { diagnosisSchema, trailStepSchema } from "@/lib/investigator/diagnosis";
import {
  type Investigation,
  type InvestigationRow,
  type Investigations,
  investigationSchema,
  investigationSettingsSchema,
  investigationStatusSchema,
} from "@/lib/views/investigation";
import { fitStrings } from "./answer-size";
import { database } from "./client";
import type { Analysis } from "./generated/client";
import { canInvestigate } from "./investigations";
import { getReviews } from "./reviews";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";

const ROWS_MAX = 50;

/**
 * The investigations of a trajectory, and what people said about it. Those of an import that other rules made are only
 * listed: their turns may have other numbers.
 * @throws AppError `not_found`
 */
export async function getInvestigations(scope: ProjectScope, id: unknown): Promise<Investigations> {
  checkProjectScope(scope);
  const { importId, parserVersion, hasReference, refusal } = await canInvestigate(scope, id);
  const found = await database().analysis.findMany({
    where: { kind: "investigation", import: { trajectoryId: checkId(id), trajectory: { projectId: scope.projectId } } },
    include: { import: { select: { parserVersion: true } } },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: ROWS_MAX,
  });
  const ofSameRules = found.filter((each) => each.import.parserVersion === parserVersion);
  const open = ofSameRules.find(({ status }) => status === "queued" || status === "running");
  const latest = open ?? ofSameRules[0];
  const model = env().model;
  return fitStrings({
    refusal: open === undefined ? refusal : "An investigation is running.",
    model: model?.model == null ? null : { name: model.model, second: model.secondModel },
    hasReference,
    latest: latest === undefined ? null : investigationOf(latest, importId),
    rows: found.map((each) => rowOf(each, importId)),
    reviews: await getReviews(scope, id),
  });
}

/** One investigation of a trajectory, whichever import it is about. Null when there is none. */
export async function getInvestigation(
  scope: ProjectScope,
  id: unknown,
  analysis: unknown,
): Promise<Investigation | null> {
  checkProjectScope(scope);
  const found = await database().analysis.findFirst({
    where: {
      id: checkId(analysis),
      kind: "investigation",
      import: { trajectoryId: checkId(id), trajectory: { projectId: scope.projectId } },
    },
    include: { import: { select: { trajectory: { select: { currentImportId: true } } } } },
  });
  return found === null ? null : fitStrings(investigationOf(found, found.import.trajectory.currentImportId));
}

function rowOf(analysis: Analysis, currentImportId: string | null): InvestigationRow {
  const diagnosis = analysis.result === null ? null : diagnosisSchema.parse(analysis.result);
  return {
    id: analysis.id,
    status: investigationStatusSchema.parse(analysis.status),
    model: diagnosis?.model ?? null,
    version: analysis.version,
    createdBy: analysis.createdByName ?? "",
    createdAt: analysis.createdAt.toISOString(),
    endedAt: analysis.endedAt?.toISOString() ?? null,
    turn: diagnosis?.finding?.turn ?? null,
    isOfOlderImport: analysis.importId !== currentImportId,
  };
}

function investigationOf(analysis: Analysis, currentImportId: string | null): Investigation {
  const diagnosis = analysis.result === null ? null : diagnosisSchema.parse(analysis.result);
  const progress = analysis.progress === null ? [] : z.array(trailStepSchema).parse(analysis.progress);
  return investigationSchema.parse({
    ...rowOf(analysis, currentImportId),
    settings: investigationSettingsSchema.parse(analysis.settings),
    startedAt: analysis.startedAt?.toISOString() ?? null,
    trail: diagnosis?.trail ?? progress,
    diagnosis,
    error: analysis.error,
  });
}

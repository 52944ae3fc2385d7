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
 * The investigations of a trajectory's current import, and what people said about it.
 * @throws AppError `not_found`
 */
export async function getInvestigations(scope: ProjectScope, id: unknown): Promise<Investigations> {
  checkProjectScope(scope);
  const { importId, hasReference, refusal } = await canInvestigate(scope, id);
  const found = await database().analysis.findMany({
    where: { importId, kind: "investigation" },
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: ROWS_MAX,
  });
  const open = found.find(({ status }) => status === "queued" || status === "running");
  const latest = open ?? found[0];
  const model = env().model;
  return fitStrings({
    refusal: open === undefined ? refusal : "An investigation is running.",
    model: model?.model == null ? null : { name: model.model, second: model.secondModel },
    hasReference,
    latest: latest === undefined ? null : investigationOf(latest),
    rows: found.map(rowOf),
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
  });
  return found === null ? null : fitStrings(investigationOf(found));
}

function rowOf(analysis: Analysis): InvestigationRow {
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
  };
}

function investigationOf(analysis: Analysis): Investigation {
  const diagnosis = analysis.result === null ? null : diagnosisSchema.parse(analysis.result);
  const progress = analysis.progress === null ? [] : z.array(trailStepSchema).parse(analysis.progress);
  return investigationSchema.parse({
    ...rowOf(analysis),
    settings: investigationSettingsSchema.parse(analysis.settings),
    startedAt: analysis.startedAt?.toISOString() ?? null,
    trail: diagnosis?.trail ?? progress,
    diagnosis,
    error: analysis.error,
  });
}

import { AppError } from "@/lib/errors";
import type { Verdict } from "@/lib/investigator/verdict";
import { SECRET_RULES_VERSION } from "@/lib/redact/redact";
import type { FailureContext } from "@/lib/trajectory/schema";
import type { RunView } from "@/lib/views/run";
import type { TrajectoryRow } from "@/lib/views/trajectory-list";
import { database } from "./client";
import type { Import } from "./generated/client";
import type { ShareScope } from "./scope";
import type { StoredHead } from "./stored-import";

/** What the row of a shared trajectory is told from: the pinned import and the pinned analysis. */
export interface SharedFacts {
  found: Import;
  head: StoredHead;
  outcome: FailureContext["outcome"];
  verdict: Verdict | null;
}

export interface SharedRow {
  row: Omit<TrajectoryRow, "runStrip">;
  info: NonNullable<RunView["shared"]>;
}

/**
 * The row of a trajectory as a share may see it, made from the pinned import alone: the list's own columns belong to the
 * current import, and the identifiers of the project's things stay out. Not masked yet.
 */
export async function sharedRow(scope: ShareScope, facts: SharedFacts): Promise<SharedRow> {
  const { found, head, verdict } = facts;
  const share = await database().share.findFirst({
    where: { id: scope.shareId, projectId: scope.projectId },
    select: {
      createdBy: true,
      expiresAt: true,
      trajectory: { select: { name: true, isDemo: true, sizeBytes: true, createdAt: true } },
    },
  });
  if (share === null) throw new AppError("not_found", "There is no such thing here.");
  const writeCount = await database().write.count({ where: { importId: found.id } });
  const notUnderstood = head.notes
    .filter((note) => note.level === "not_understood")
    .reduce((sum, note) => sum + note.count, 0);
  return {
    row: {
      id: "shared",
      name: share.trajectory.name,
      status: "ready",
      progress: null,
      failure: null,
      // A link shows one trajectory; what else its file holds is not its business.
      parts: null,
      file: null,
      isDemo: share.trajectory.isDemo,
      // How the format was detected is a matter of the import's report, not of the shared page.
      format: { id: head.format.id, variant: head.format.variant, score: 1, reason: "" },
      framework: head.framework.name,
      frameworkVersion: head.framework.version,
      model: head.models[0] ?? null,
      task: head.task.instance,
      outcome: facts.outcome,
      exitStatus: head.exitStatus,
      turnCount: found.turnCount,
      writeCount,
      notUnderstood,
      verdict:
        verdict === null
          ? null
          : { status: verdict.status, turn: verdict.candidates[0]?.turn ?? null, engine: verdict.engine },
      sizeBytes: Number(share.trajectory.sizeBytes),
      uploadedAt: share.trajectory.createdAt.toISOString(),
    },
    info: { sharedBy: share.createdBy, expiresAt: share.expiresAt.toISOString(), secretRules: SECRET_RULES_VERSION },
  };
}

-- An investigation is an analysis that a person starts, that takes minutes, and that asks a model.
ALTER TABLE "Analysis"
  ADD COLUMN "settings" JSONB,
  ADD COLUMN "progress" JSONB,
  ADD COLUMN "secret" TEXT,
  ADD COLUMN "createdBy" TEXT,
  ADD COLUMN "createdByName" TEXT,
  ADD COLUMN "startedAt" TIMESTAMP(3),
  ADD COLUMN "endedAt" TIMESTAMP(3);
ALTER TABLE "Analysis" ADD CONSTRAINT "Analysis_status_check"
  CHECK ("status" IN ('queued', 'running', 'done', 'failed', 'cancelled'));
-- One at a time for an import, whoever starts it.
CREATE UNIQUE INDEX "Analysis_one_open_investigation" ON "Analysis"("importId")
  WHERE "kind" = 'investigation' AND "status" IN ('queued', 'running');

-- Every question to a model with what came of it, so that a person can read it, and so that nothing is paid twice.
CREATE TABLE "JudgeCall" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "analysisId" TEXT NOT NULL,
    "judge" INTEGER NOT NULL,
    "position" INTEGER NOT NULL,
    "purpose" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "request" BYTEA NOT NULL,
    "outcome" BYTEA NOT NULL,
    "failure" TEXT,
    "failedTries" JSONB NOT NULL,
    "inputTokens" INTEGER,
    "cachedTokens" INTEGER,
    "outputTokens" INTEGER,
    "costUsd" DOUBLE PRECISION,
    "startedAt" TIMESTAMP(3) NOT NULL,
    "endedAt" TIMESTAMP(3) NOT NULL,
    "keptAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "JudgeCall_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "JudgeCall_analysisId_judge_position_idx" ON "JudgeCall"("analysisId", "judge", "position");
CREATE INDEX "JudgeCall_projectId_keptAt_idx" ON "JudgeCall"("projectId", "keptAt");
ALTER TABLE "JudgeCall" ADD CONSTRAINT "JudgeCall_projectId_fkey"
  FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "JudgeCall" ADD CONSTRAINT "JudgeCall_analysisId_fkey"
  FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What a person says about a verdict. Never overwritten: the last one counts, the others are its history.
CREATE TABLE "Review" (
    "id" TEXT NOT NULL,
    "trajectoryId" TEXT NOT NULL,
    "importId" TEXT NOT NULL,
    "analysisId" TEXT,
    "kind" TEXT NOT NULL,
    "turn" INTEGER,
    "sourceSteps" JSONB NOT NULL,
    "reason" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdByName" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Review_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "Review_trajectoryId_createdAt_idx" ON "Review"("trajectoryId", "createdAt");
ALTER TABLE "Review" ADD CONSTRAINT "Review_kind_check" CHECK ("kind" IN ('confirmed', 'moved', 'rejected'));
ALTER TABLE "Review" ADD CONSTRAINT "Review_turn_check" CHECK (("kind" = 'rejected') = ("turn" IS NULL));
ALTER TABLE "Review" ADD CONSTRAINT "Review_trajectoryId_fkey"
  FOREIGN KEY ("trajectoryId") REFERENCES "Trajectory"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Review" ADD CONSTRAINT "Review_importId_fkey"
  FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "Review" ADD CONSTRAINT "Review_analysisId_fkey"
  FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- A file that holds several trajectories is a row of its own, and each of them one below it, with the same upload.
ALTER TABLE "Trajectory"
  ADD COLUMN "parentId" TEXT,
  ADD COLUMN "partIndex" INTEGER,
  ADD COLUMN "part" JSONB,
  ADD COLUMN "partCount" INTEGER,
  ADD COLUMN "fileNotes" JSONB;

ALTER TABLE "Trajectory" DROP CONSTRAINT "Trajectory_status_check";
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_status_check"
  CHECK ("status" IN ('queued', 'importing', 'ready', 'failed', 'several'));

ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_several_check"
  CHECK ("status" <> 'several' OR "partCount" IS NOT NULL);
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_part_check"
  CHECK (("parentId" IS NULL) = ("part" IS NULL) AND ("partIndex" IS NULL OR "parentId" IS NOT NULL));

ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_parentId_fkey"
  FOREIGN KEY ("parentId") REFERENCES "Trajectory"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- An upload still has one row for itself. Prisma has no words for indexes of some rows; it leaves them alone.
DROP INDEX "Trajectory_uploadId_key";
CREATE UNIQUE INDEX "Trajectory_uploadId_whole_key" ON "Trajectory"("uploadId") WHERE "parentId" IS NULL;
CREATE INDEX "Trajectory_uploadId_idx" ON "Trajectory"("uploadId");

CREATE UNIQUE INDEX "Trajectory_parentId_partIndex_key" ON "Trajectory"("parentId", "partIndex");
-- How far a file is: a count by status that reads the index alone.
CREATE INDEX "Trajectory_parentId_status_idx" ON "Trajectory"("parentId", "status");
-- The first page of the list, however many parts the newest file has.
CREATE INDEX "Trajectory_projectId_listed_idx" ON "Trajectory"("projectId", "createdAt" DESC, "id")
  WHERE "partIndex" IS NULL;

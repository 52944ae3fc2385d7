-- What a person said about how a run ended, a row a part, so that each has its own author and date.
CREATE TABLE "GivenPart" (
    "trajectoryId" TEXT NOT NULL,
    "part" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "givenBy" TEXT NOT NULL,
    "givenByName" TEXT NOT NULL,
    "givenAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "GivenPart_pkey" PRIMARY KEY ("trajectoryId","part")
);
ALTER TABLE "GivenPart" ADD CONSTRAINT "GivenPart_trajectoryId_fkey"
  FOREIGN KEY ("trajectoryId") REFERENCES "Trajectory"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "GivenPart" ADD CONSTRAINT "GivenPart_part_check"
  CHECK ("part" IN ('taskStatement', 'outcome', 'failingTestCode', 'errorReport', 'referencePatch'));
ALTER TABLE "GivenPart" ADD CONSTRAINT "GivenPart_outcome_check"
  CHECK ("part" <> 'outcome' OR "text" IN ('failed', 'resolved'));
ALTER TABLE "GivenPart" ADD CONSTRAINT "GivenPart_text_check" CHECK (octet_length("text") BETWEEN 1 AND 1048576);

-- Outcomes that were given before: of the examples.
INSERT INTO "GivenPart" ("trajectoryId", "part", "text", "givenBy", "givenByName", "givenAt")
  SELECT "id", 'outcome', "givenOutcome", 'system', 'Misstep', "createdAt" FROM "Trajectory"
  WHERE "givenOutcome" IN ('failed', 'resolved');

-- A link is pinned to what was said when it was made, as it is to one import.
ALTER TABLE "Share" ADD COLUMN "given" TEXT;
UPDATE "Share" s SET "given" = jsonb_build_object('taskStatement', NULL, 'errorReport', NULL, 'failingTestCode', NULL,
    'referencePatch', NULL, 'outcome', jsonb_build_object('value', t."givenOutcome", 'by', 'Misstep',
      'at', to_char(t."createdAt", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text
  FROM "Trajectory" t WHERE t."id" = s."trajectoryId" AND t."givenOutcome" IN ('failed', 'resolved');

-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "User" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "User_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Session" (
    "id" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "token" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "userId" TEXT NOT NULL,

    CONSTRAINT "Session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Account" (
    "id" TEXT NOT NULL,
    "accountId" TEXT NOT NULL,
    "providerId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "accessToken" TEXT,
    "refreshToken" TEXT,
    "idToken" TEXT,
    "accessTokenExpiresAt" TIMESTAMP(3),
    "refreshTokenExpiresAt" TIMESTAMP(3),
    "scope" TEXT,
    "password" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Verification" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Verification_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Project" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Membership" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'owner',
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Membership_pkey" PRIMARY KEY ("projectId","userId")
);

-- CreateTable
CREATE TABLE "SignInLink" (
    "id" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "usedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "SignInLink_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ApiKey" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMP(3),
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "ApiKey_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditEvent" (
    "id" TEXT NOT NULL,
    "projectId" TEXT,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "subject" TEXT,
    "data" JSONB,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "AuditEvent_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WorkerHeartbeat" (
    "id" TEXT NOT NULL,
    "startedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seenAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WorkerHeartbeat_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Upload" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "sizeBytes" BIGINT NOT NULL,
    "complete" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Upload_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "UploadChunk" (
    "uploadId" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "data" BYTEA NOT NULL,

    CONSTRAINT "UploadChunk_pkey" PRIMARY KEY ("uploadId","n")
);

-- CreateTable
CREATE TABLE "Trajectory" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "uploadId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "progress" JSONB,
    "failure" JSONB,
    "isDemo" BOOLEAN NOT NULL DEFAULT false,
    "givenOutcome" TEXT,
    "currentImportId" TEXT,
    "format" TEXT,
    "formatVariant" TEXT,
    "formatScore" DOUBLE PRECISION,
    "formatReason" TEXT,
    "framework" TEXT,
    "frameworkVersion" TEXT,
    "model" TEXT,
    "task" TEXT,
    "outcome" TEXT,
    "exitStatus" TEXT,
    "turnCount" INTEGER,
    "callCount" INTEGER,
    "writeCount" INTEGER,
    "inputTokens" BIGINT,
    "outputTokens" BIGINT,
    "costUsd" DOUBLE PRECISION,
    "durationMs" BIGINT,
    "notUnderstood" INTEGER NOT NULL DEFAULT 0,
    "runStrip" TEXT,
    "verdictStatus" TEXT,
    "verdictTurn" INTEGER,
    "verdictEngine" TEXT,
    "sizeBytes" BIGINT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Trajectory_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "BaselineFile" (
    "trajectoryId" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "data" BYTEA NOT NULL,
    "sizeBytes" INTEGER NOT NULL,

    CONSTRAINT "BaselineFile_pkey" PRIMARY KEY ("trajectoryId","path")
);

-- CreateTable
CREATE TABLE "Import" (
    "id" TEXT NOT NULL,
    "jobId" TEXT,
    "trajectoryId" TEXT NOT NULL,
    "parserVersion" TEXT NOT NULL,
    "trajectoryVersion" INTEGER NOT NULL,
    "head" JSONB NOT NULL,
    "failureContext" JSONB NOT NULL,
    "strip" JSONB NOT NULL,
    "codeSummary" JSONB NOT NULL,
    "turnCount" INTEGER NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Import_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Turn" (
    "importId" TEXT NOT NULL,
    "index" INTEGER NOT NULL,
    "agent" TEXT NOT NULL,
    "parentTurn" INTEGER,
    "branch" TEXT,
    "model" TEXT,
    "title" TEXT NOT NULL,
    "activity" TEXT NOT NULL,
    "startedAt" TEXT,
    "endedAt" TEXT,
    "durationMs" BIGINT,
    "inputTokens" INTEGER,
    "cachedTokens" INTEGER,
    "outputTokens" INTEGER,
    "costUsd" DOUBLE PRECISION,
    "sizeChars" INTEGER NOT NULL,
    "hasError" BOOLEAN NOT NULL,
    "writeCount" INTEGER NOT NULL,
    "sourceSteps" JSONB NOT NULL,
    "state" JSONB,
    "items" JSON NOT NULL,

    CONSTRAINT "Turn_pkey" PRIMARY KEY ("importId","index")
);

-- CreateTable
CREATE TABLE "Context" (
    "importId" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "beforeTurn" INTEGER NOT NULL,
    "contextKind" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "sizeChars" INTEGER NOT NULL,

    CONSTRAINT "Context_pkey" PRIMARY KEY ("importId","n")
);

-- CreateTable
CREATE TABLE "ItemText" (
    "importId" TEXT NOT NULL,
    "itemId" TEXT NOT NULL,
    "field" TEXT NOT NULL,
    "piece" INTEGER NOT NULL,
    "text" TEXT NOT NULL,

    CONSTRAINT "ItemText_pkey" PRIMARY KEY ("importId","itemId","field","piece")
);

-- CreateTable
CREATE TABLE "File" (
    "importId" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "display" TEXT NOT NULL,
    "aliases" JSONB NOT NULL,
    "versionCount" INTEGER NOT NULL,
    "writeCount" INTEGER NOT NULL,
    "isScratch" BOOLEAN NOT NULL,
    "lastCertainty" TEXT,

    CONSTRAINT "File_pkey" PRIMARY KEY ("importId","n")
);

-- CreateTable
CREATE TABLE "FileVersion" (
    "importId" TEXT NOT NULL,
    "fileN" INTEGER NOT NULL,
    "n" INTEGER NOT NULL,
    "turn" INTEGER,
    "itemId" TEXT,
    "arrival" INTEGER NOT NULL,
    "operation" TEXT NOT NULL,
    "certainty" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "note" TEXT,
    "data" BYTEA,

    CONSTRAINT "FileVersion_pkey" PRIMARY KEY ("importId","fileN","n")
);

-- CreateTable
CREATE TABLE "Write" (
    "importId" TEXT NOT NULL,
    "n" INTEGER NOT NULL,
    "turn" INTEGER NOT NULL,
    "itemId" TEXT NOT NULL,
    "fileN" INTEGER NOT NULL,
    "grammar" TEXT NOT NULL,
    "operation" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "versionBefore" INTEGER,
    "versionAfter" INTEGER,
    "addedLines" INTEGER,
    "removedLines" INTEGER,
    "fragment" JSONB,
    "reason" TEXT,

    CONSTRAINT "Write_pkey" PRIMARY KEY ("importId","n")
);

-- CreateTable
CREATE TABLE "Analysis" (
    "id" TEXT NOT NULL,
    "importId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "engine" TEXT NOT NULL,
    "version" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "result" JSONB,
    "error" JSONB,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "Analysis_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Share" (
    "id" TEXT NOT NULL,
    "projectId" TEXT NOT NULL,
    "trajectoryId" TEXT NOT NULL,
    "importId" TEXT NOT NULL,
    "analysisId" TEXT,
    "tokenHash" TEXT NOT NULL,
    "maskKey" TEXT NOT NULL,
    "secrets" TEXT,
    "createdBy" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMP(3) NOT NULL,
    "revokedAt" TIMESTAMP(3),

    CONSTRAINT "Share_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "User_email_key" ON "User"("email");

-- CreateIndex
CREATE UNIQUE INDEX "Session_token_key" ON "Session"("token");

-- CreateIndex
CREATE INDEX "Session_userId_idx" ON "Session"("userId");

-- CreateIndex
CREATE INDEX "Account_userId_idx" ON "Account"("userId");

-- CreateIndex
CREATE INDEX "Verification_identifier_idx" ON "Verification"("identifier");

-- CreateIndex
CREATE UNIQUE INDEX "Project_slug_key" ON "Project"("slug");

-- CreateIndex
CREATE INDEX "Membership_userId_idx" ON "Membership"("userId");

-- CreateIndex
CREATE UNIQUE INDEX "SignInLink_tokenHash_key" ON "SignInLink"("tokenHash");

-- CreateIndex
CREATE UNIQUE INDEX "ApiKey_tokenHash_key" ON "ApiKey"("tokenHash");

-- CreateIndex
CREATE INDEX "ApiKey_projectId_idx" ON "ApiKey"("projectId");

-- CreateIndex
CREATE INDEX "AuditEvent_projectId_createdAt_idx" ON "AuditEvent"("projectId", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Upload_projectId_sha256_key" ON "Upload"("projectId", "sha256");

-- CreateIndex
CREATE UNIQUE INDEX "Trajectory_uploadId_key" ON "Trajectory"("uploadId");

-- CreateIndex
CREATE UNIQUE INDEX "Trajectory_currentImportId_key" ON "Trajectory"("currentImportId");

-- CreateIndex
CREATE INDEX "Trajectory_projectId_createdAt_id_idx" ON "Trajectory"("projectId", "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Trajectory_projectId_status_idx" ON "Trajectory"("projectId", "status");

-- CreateIndex
CREATE INDEX "Trajectory_projectId_name_idx" ON "Trajectory"("projectId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "Import_jobId_key" ON "Import"("jobId");

-- CreateIndex
CREATE INDEX "Import_trajectoryId_idx" ON "Import"("trajectoryId");

-- CreateIndex
CREATE INDEX "Context_importId_beforeTurn_idx" ON "Context"("importId", "beforeTurn");

-- CreateIndex
CREATE INDEX "File_importId_path_idx" ON "File"("importId", "path");

-- CreateIndex
CREATE INDEX "FileVersion_importId_turn_idx" ON "FileVersion"("importId", "turn");

-- CreateIndex
CREATE INDEX "Write_importId_turn_idx" ON "Write"("importId", "turn");

-- CreateIndex
CREATE INDEX "Write_importId_fileN_idx" ON "Write"("importId", "fileN");

-- CreateIndex
CREATE INDEX "Analysis_importId_kind_createdAt_idx" ON "Analysis"("importId", "kind", "createdAt");

-- CreateIndex
CREATE UNIQUE INDEX "Share_tokenHash_key" ON "Share"("tokenHash");

-- CreateIndex
CREATE INDEX "Share_trajectoryId_idx" ON "Share"("trajectoryId");

-- AddForeignKey
ALTER TABLE "Session" ADD CONSTRAINT "Session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Account" ADD CONSTRAINT "Account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Membership" ADD CONSTRAINT "Membership_userId_fkey" FOREIGN KEY ("userId") REFERENCES "User"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ApiKey" ADD CONSTRAINT "ApiKey_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "AuditEvent" ADD CONSTRAINT "AuditEvent_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Upload" ADD CONSTRAINT "Upload_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "UploadChunk" ADD CONSTRAINT "UploadChunk_uploadId_fkey" FOREIGN KEY ("uploadId") REFERENCES "Upload"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_uploadId_fkey" FOREIGN KEY ("uploadId") REFERENCES "Upload"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_currentImportId_fkey" FOREIGN KEY ("currentImportId") REFERENCES "Import"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "BaselineFile" ADD CONSTRAINT "BaselineFile_trajectoryId_fkey" FOREIGN KEY ("trajectoryId") REFERENCES "Trajectory"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Import" ADD CONSTRAINT "Import_trajectoryId_fkey" FOREIGN KEY ("trajectoryId") REFERENCES "Trajectory"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Turn" ADD CONSTRAINT "Turn_importId_fkey" FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Context" ADD CONSTRAINT "Context_importId_fkey" FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ItemText" ADD CONSTRAINT "ItemText_importId_fkey" FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "File" ADD CONSTRAINT "File_importId_fkey" FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "FileVersion" ADD CONSTRAINT "FileVersion_importId_fileN_fkey" FOREIGN KEY ("importId", "fileN") REFERENCES "File"("importId", "n") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Write" ADD CONSTRAINT "Write_importId_fkey" FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Analysis" ADD CONSTRAINT "Analysis_importId_fkey" FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Share" ADD CONSTRAINT "Share_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "Project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Share" ADD CONSTRAINT "Share_trajectoryId_fkey" FOREIGN KEY ("trajectoryId") REFERENCES "Trajectory"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Share" ADD CONSTRAINT "Share_importId_fkey" FOREIGN KEY ("importId") REFERENCES "Import"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Share" ADD CONSTRAINT "Share_analysisId_fkey" FOREIGN KEY ("analysisId") REFERENCES "Analysis"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- Written by hand from here on.

-- These bytes are compressed before they come here; compressing them again costs time and gains nothing.
ALTER TABLE "UploadChunk" ALTER COLUMN "data" SET STORAGE EXTERNAL;
ALTER TABLE "BaselineFile" ALTER COLUMN "data" SET STORAGE EXTERNAL;
ALTER TABLE "FileVersion" ALTER COLUMN "data" SET STORAGE EXTERNAL;

ALTER TABLE "Membership" ADD CONSTRAINT "Membership_role_check" CHECK ("role" IN ('owner', 'member'));
ALTER TABLE "Upload" ADD CONSTRAINT "Upload_sha256_check" CHECK (NOT "complete" OR "sha256" ~ '^[0-9a-f]{64}$');
ALTER TABLE "Upload" ADD CONSTRAINT "Upload_sizeBytes_check" CHECK ("sizeBytes" >= 0);
ALTER TABLE "UploadChunk" ADD CONSTRAINT "UploadChunk_n_check" CHECK ("n" >= 0);
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_status_check"
  CHECK ("status" IN ('queued', 'importing', 'ready', 'failed'));
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_ready_check"
  CHECK ("status" <> 'ready' OR "currentImportId" IS NOT NULL);
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_failed_check" CHECK ("status" <> 'failed' OR "failure" IS NOT NULL);
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_outcome_check"
  CHECK ("outcome" IN ('failed', 'resolved', 'unknown'));
ALTER TABLE "Trajectory" ADD CONSTRAINT "Trajectory_verdictStatus_check"
  CHECK ("verdictStatus" IN ('determined', 'undetermined'));
ALTER TABLE "Turn" ADD CONSTRAINT "Turn_index_check" CHECK ("index" >= 0);
ALTER TABLE "ItemText" ADD CONSTRAINT "ItemText_field_check" CHECK ("field" IN ('text', 'arguments'));
ALTER TABLE "ItemText" ADD CONSTRAINT "ItemText_piece_check" CHECK ("piece" >= 0);
ALTER TABLE "FileVersion" ADD CONSTRAINT "FileVersion_kind_check"
  CHECK ("kind" IN ('absent', 'unknown', 'keyframe', 'splices', 'partial'));
ALTER TABLE "Share" ADD CONSTRAINT "Share_expiry_check" CHECK ("expiresAt" > "createdAt");

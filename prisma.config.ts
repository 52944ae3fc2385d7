import path from "node:path";
import { defineConfig } from "prisma/config";

// The native schema engine cannot be downloaded everywhere; this script speaks its protocol over the WASM build.
process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= path.join(import.meta.dirname, "bin/prisma-schema-engine.mjs");

export default defineConfig({
  schema: "prisma/schema.prisma",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "postgresql://misstep@127.0.0.1:5432/misstep" },
});

import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const store = ["lib/store/**/*.test.ts", "workers/**/*.test.ts"];

export default defineConfig({
  plugins: [react()],
  resolve: { alias: { "@": path.resolve(import.meta.dirname) } },
  test: {
    // For a busy machine with two cores; tests that bound time measure processor time.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: "100%", // by default one processor stays free, which is half of a machine with two
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          environment: "node",
          include: [
            "lib/**/*.test.ts",
            "bench/**/*.test.ts",
            "bin/**/*.test.ts",
            "components/**/*.test.ts",
            "app/**/*.test.ts",
          ],
          exclude: [...store, "node_modules/**"],
        },
      },
      {
        extends: true,
        test: { name: "view", environment: "jsdom", include: ["components/**/*.test.tsx"] },
      },
      {
        extends: true,
        test: {
          name: "store",
          environment: "node",
          include: store,
          globalSetup: ["bin/test-database.ts"],
          pool: "forks",
          maxWorkers: 2,
        },
      },
    ],
  },
});

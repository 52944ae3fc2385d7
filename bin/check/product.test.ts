import { describe, expect, it } from "vitest";
import { cleanEnvironment } from "./product.mjs";

describe("cleanEnvironment", () => {
  it("keeps nothing of a user's own Misstep or database", () => {
    const own = [
      "DATABASE_URL",
      "PORT",
      "NODE_ENV",
      "HOSTNAME",
      "PGHOST",
      "PGPASSWORD",
      "MISSTEP_DATA_DIR",
      "MISSTEP_SECRET",
      "OPENAI_API_KEY",
      "OPENAI_BASE_URL",
      "LLM_ALLOW_PRIVATE",
    ];
    const env = Object.fromEntries([...own, "PATH", "HOME", "CHROMIUM_PATH", "HTTPS_PROXY"].map((name) => [name, "x"]));
    expect(Object.keys(cleanEnvironment({ NODE_ENV: "test", ...env })).sort()).toEqual(
      ["PATH", "HOME", "CHROMIUM_PATH", "HTTPS_PROXY", "NEXT_TELEMETRY_DISABLED"].sort(),
    );
  });
});

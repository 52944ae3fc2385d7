import path from "node:path";
import { describe, expect, test } from "vitest";
import { readEnv } from "./env";

const DATABASE_URL = "postgresql://u:hidden@127.0.0.1:5432/misstep";

describe("readEnv", () => {
  test("fills in what is not set; empty means not set", () => {
    expect(readEnv({ DATABASE_URL, PORT: "", MISSTEP_ORIGIN: "" })).toEqual({
      databaseUrl: DATABASE_URL,
      dataDir: path.resolve(".data"),
      secret: null,
      origin: "http://127.0.0.1:3210",
      host: "127.0.0.1",
      port: 3210,
      launcherFd: null,
      model: null,
      investigationsAtOnce: 3,
    });
  });

  test("how many investigations a worker runs is a number from 1 to 16", () => {
    expect(readEnv({ DATABASE_URL, MISSTEP_INVESTIGATIONS: "5" }).investigationsAtOnce).toBe(5);
    for (const wrong of ["0", "17", "many", "1.5"]) {
      expect(() => readEnv({ DATABASE_URL, MISSTEP_INVESTIGATIONS: wrong })).toThrow(/MISSTEP_INVESTIGATIONS/);
    }
  });

  test("a model's settings count only with a key", () => {
    expect(readEnv({ DATABASE_URL, OPENAI_MODEL: "some-model", OPENAI_API_KEY: "" }).model).toBeNull();
    expect(readEnv({ DATABASE_URL, OPENAI_API_KEY: "hidden" }).model).toEqual({
      apiKey: "hidden",
      baseUrl: null,
      model: null,
      secondModel: null,
      prices: null,
      secondPrices: null,
      timeoutMs: 180_000,
      tokensPerDay: 2_000_000,
      allowPrivate: false,
    });
    const all = {
      DATABASE_URL,
      OPENAI_API_KEY: "hidden",
      OPENAI_BASE_URL: "http://127.0.0.1:11434/v1",
      OPENAI_MODEL: "first",
      OPENAI_SECOND_MODEL: "second",
      OPENAI_PRICES: "2.5,0.25,10",
      OPENAI_SECOND_PRICES: "0,0,0",
      OPENAI_TIMEOUT_SECONDS: "30",
      OPENAI_TOKENS_PER_DAY: "5000",
      LLM_ALLOW_PRIVATE: "1",
    };
    expect(readEnv(all).model).toEqual({
      apiKey: "hidden",
      baseUrl: "http://127.0.0.1:11434/v1",
      model: "first",
      secondModel: "second",
      prices: { input: 2.5, cached: 0.25, output: 10 },
      secondPrices: { input: 0, cached: 0, output: 0 },
      timeoutMs: 30_000,
      tokensPerDay: 5_000,
      allowPrivate: true,
    });
  });

  test("the origin follows the port, and has no path", () => {
    expect(readEnv({ DATABASE_URL, PORT: "3333" }).origin).toBe("http://127.0.0.1:3333");
    expect(readEnv({ DATABASE_URL, MISSTEP_ORIGIN: "https://m.example.org/x/" }).origin).toBe("https://m.example.org");
  });

  test.each([
    [{}, "DATABASE_URL"],
    [{ DATABASE_URL: "mysql://x" }, "DATABASE_URL"],
    [{ DATABASE_URL, PORT: "http" }, "PORT"],
    [{ DATABASE_URL, PORT: "70000" }, "PORT"],
    [{ DATABASE_URL, MISSTEP_ORIGIN: "javascript:alert(1)" }, "MISSTEP_ORIGIN"],
    [{ DATABASE_URL, MISSTEP_SECRET: "short" }, "MISSTEP_SECRET"],
    [{ DATABASE_URL, MISSTEP_LAUNCHER_FD: "0" }, "MISSTEP_LAUNCHER_FD"],
    [{ DATABASE_URL, OPENAI_API_KEY: "hidden key" }, "OPENAI_API_KEY"],
    [{ DATABASE_URL, OPENAI_API_KEY: "hidden\nX-Header: 1" }, "OPENAI_API_KEY"],
    [{ DATABASE_URL, OPENAI_PRICES: "2.5" }, "OPENAI_PRICES"],
    [{ DATABASE_URL, OPENAI_SECOND_PRICES: "1,2,-3" }, "OPENAI_SECOND_PRICES"],
    [{ DATABASE_URL, OPENAI_TIMEOUT_SECONDS: "0" }, "OPENAI_TIMEOUT_SECONDS"],
    [{ DATABASE_URL, OPENAI_TOKENS_PER_DAY: "many" }, "OPENAI_TOKENS_PER_DAY"],
    [{ DATABASE_URL, LLM_ALLOW_PRIVATE: "yes" }, "LLM_ALLOW_PRIVATE"],
  ])("names what is wrong and never its value: %#", (variables, name) => {
    const read = (): unknown => readEnv(variables);
    expect(read).toThrow(expect.objectContaining({ code: "unavailable", message: expect.stringContaining(name) }));
    expect(read).not.toThrow(/hidden|short|javascript/);
  });
});

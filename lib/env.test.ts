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
  ])("names what is wrong and never its value: %#", (variables, name) => {
    const read = (): unknown => readEnv(variables);
    expect(read).toThrow(expect.objectContaining({ code: "unavailable", message: expect.stringContaining(name) }));
    expect(read).not.toThrow(/hidden|short|javascript/);
  });
});

import path from "node:path";
import { describe, expect, it } from "vitest";
import { readSettings } from "./settings.mjs";

const root = path.resolve("/clone");
const read = (variables: Record<string, string>) => readSettings({ NODE_ENV: "test", ...variables }, root);

describe("readSettings", () => {
  it("stays on the loopback, in the clone, with the built-in Postgres, unless told otherwise", () => {
    expect(read({})).toEqual({
      root,
      port: 3210,
      host: "127.0.0.1",
      probeHost: "127.0.0.1",
      origin: "http://127.0.0.1:3210",
      dataDir: path.join(root, ".data"),
      buildDir: ".next",
      databaseUrl: null,
    });
  });

  it("ignores HOSTNAME, which shells and containers set", () => {
    expect(read({ HOSTNAME: "0.0.0.0" }).host).toBe("127.0.0.1");
  });

  it("takes empty variables for missing ones", () => {
    expect(read({ PORT: "", MISSTEP_DATA_DIR: "", DATABASE_URL: "", MISSTEP_HOST: "", MISSTEP_ORIGIN: "" })).toEqual(
      read({}),
    );
  });

  it.each(["0", "65536", "-1", "3210x", "1e3", "0x10", "99999"])("refuses PORT=%s", (PORT) => {
    expect(() => read({ PORT })).toThrow(/^PORT is .+, which is no port/);
  });

  it.each(["0.0.0.0", "::", "192.0.2.7", "misstep.example.org"])(
    "refuses MISSTEP_HOST=%s without encryption",
    (MISSTEP_HOST) => {
      expect(() => read({ MISSTEP_HOST })).toThrow(/which other machines can reach/);
      expect(() => read({ MISSTEP_HOST, MISSTEP_ORIGIN: "http://misstep.example.org" })).toThrow(
        /which other machines can reach/,
      );
      expect(() => read({ MISSTEP_HOST, MISSTEP_INSECURE: "yes" })).toThrow(/which other machines can reach/);
    },
  );

  it("lets other machines in behind https, or when insecure is asked for by name", () => {
    expect(read({ MISSTEP_HOST: "0.0.0.0", MISSTEP_ORIGIN: "https://misstep.example.org/" })).toMatchObject({
      host: "0.0.0.0",
      probeHost: "127.0.0.1",
      origin: "https://misstep.example.org",
    });
    expect(read({ MISSTEP_HOST: "192.0.2.7", MISSTEP_INSECURE: "1" }).origin).toBe("http://192.0.2.7:3210");
  });

  it("cannot guess its own address on all interfaces", () => {
    expect(() => read({ MISSTEP_HOST: "0.0.0.0", MISSTEP_INSECURE: "1" })).toThrow(/cannot know its own address/);
  });

  it("writes an IPv6 address in brackets", () => {
    expect(read({ MISSTEP_HOST: "::1", PORT: "4000" })).toMatchObject({
      origin: "http://[::1]:4000",
      probeHost: "::1",
    });
  });

  it.each([
    "misstep.example.org",
    "ftp://misstep.example.org",
    "https://misstep.example.org/a",
    "https://misstep.example.org/?a",
  ])("refuses MISSTEP_ORIGIN=%s", (MISSTEP_ORIGIN) => {
    expect(() => read({ MISSTEP_ORIGIN })).toThrow(/^MISSTEP_ORIGIN /);
  });

  it.each(["..", ".", "/elsewhere", "a/../.."])("refuses a build folder outside the clone: %s", (MISSTEP_BUILD_DIR) => {
    expect(() => read({ MISSTEP_BUILD_DIR })).toThrow(/must be a folder inside/);
  });

  it.each(["localhost", "mysql://127.0.0.1/a", "postgresql://127.0.0.1", "postgresql://127.0.0.1/"])(
    "refuses DATABASE_URL=%s",
    (DATABASE_URL) => {
      expect(() => read({ DATABASE_URL })).toThrow(/^DATABASE_URL is no address of a Postgres database/);
    },
  );
});

import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "../../bin/launch/port.mjs";
import { leftOver, newDataFolder, root, startLauncher } from "../harness/started-launcher";

let dataDir = "";

test.beforeEach(() => {
  dataDir = newDataFolder();
});

test.afterEach(async () => {
  expect(await leftOver(dataDir)).toEqual([]);
  rmSync(path.dirname(dataDir), { recursive: true, force: true });
});

interface Refused {
  env?: Record<string, string>;
  port?: number;
  wrap?: (command: string[]) => string[];
  cwd?: string;
}

/** Starts, expects a non-zero exit, and gives back the last line: the sentence. */
async function refusal({ env, port, wrap, cwd }: Refused): Promise<{ sentence: string; output: string }> {
  const launcher = startLauncher({ dataDir, port: port ?? (await freePort()), env, wrap, cwd });
  expect(await launcher.exited, launcher.output()).toBe(1);
  const output = launcher.output().trimEnd();
  expect(output).not.toMatch(/^\s+at .+:\d+:\d+/m); // no stack
  return { sentence: output.slice(output.lastIndexOf("\n") + 1), output };
}

test("a port in use", async () => {
  const server = net.createServer();
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const { sentence } = await refusal({ port });
  server.close();
  expect(sentence).toBe(
    `Port ${port} is in use by another program: stop it, or choose another port, for example PORT=${port + 1} npm start.`,
  );
});

// Only root has this case: everybody else runs Postgres as themselves.
if (process.platform === "linux" && process.getuid?.() === 0) {
  test("root without user namespaces, in a folder that no other user may enter", async () => {
    const tools = path.join(path.dirname(dataDir), "tools");
    mkdirSync(tools);
    writeFileSync(path.join(tools, "unshare"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    const { sentence } = await refusal({ env: { PATH: `${tools}:${process.env.PATH}` } });
    expect(sentence).toMatch(
      /^Postgres does not run as root, and here it cannot run as another user \(no user namespaces/,
    );
    expect(sentence).toMatch(/: start Misstep as an ordinary user, or set DATABASE_URL to a Postgres of yours\.$/);
  });
}

test("a port that is none", async () => {
  const { sentence } = await refusal({ env: { PORT: "http" } });
  expect(sentence).toMatch(/^PORT is "http", which is no port: /);
});

test("a database that does not answer, without its password in the words", async () => {
  const port = await freePort();
  const password = ["not", "to", "be", "shown"].join("-");
  const { output, sentence } = await refusal({
    env: { DATABASE_URL: `postgresql://me:${password}@127.0.0.1:${port}/misstep` },
  });
  expect(sentence).toMatch(new RegExp(`^The database at 127\\.0\\.0\\.1:${port} does not answer \\(ECONNREFUSED\\): `));
  expect(output).not.toContain(password);
});

test("a DATABASE_URL that is no address of a database", async () => {
  const { sentence } = await refusal({ env: { DATABASE_URL: "mysql://127.0.0.1/misstep" } });
  expect(sentence).toMatch(/^DATABASE_URL is no address of a Postgres database: /);
});

test("other machines, without an address that is encrypted", async () => {
  const { sentence } = await refusal({ env: { MISSTEP_HOST: "0.0.0.0" } });
  expect(sentence).toMatch(/^MISSTEP_HOST is 0\.0\.0\.0, which other machines can reach: also set MISSTEP_ORIGIN /);
  const plain = await refusal({ env: { MISSTEP_HOST: "0.0.0.0", MISSTEP_ORIGIN: "http://misstep.example.org" } });
  expect(plain.sentence).toBe(sentence);
});

test("a data folder that is a file", async () => {
  mkdirSync(path.dirname(dataDir), { recursive: true });
  writeFileSync(dataDir, "");
  const { sentence } = await refusal({});
  expect(sentence).toMatch(/^.+ is a file, not a folder: set MISSTEP_DATA_DIR to a folder of yours\.$/);
});

test("a disk that is full, with the words of the program that met it", async () => {
  // A limit on the size of files stands in for a small disk: both stop initdb in the middle.
  const wrap = (command: string[]): string[] => ["sh", "-c", 'ulimit -f 64; exec "$@"', "sh", ...command];
  const { sentence, output } = await refusal({ wrap });
  expect(sentence).toMatch(/^The disk that holds .+ seems to be full: free some space, or set MISSTEP_DATA_DIR /);
  expect(output).toMatch(/File too large/);
});

test.describe("a clone without packages", () => {
  let clone = "";

  test.beforeEach(() => {
    clone = mkdtempSync(path.join(tmpdir(), "misstep-clone-"));
    for (const name of ["bin", "package.json", "package-lock.json"])
      cpSync(path.join(root, name), path.join(clone, name), { recursive: true });
  });

  test.afterEach(() => rmSync(clone, { recursive: true, force: true }));

  /** A stand-in for npm that fails as told. */
  function failingNpm(words: string): Record<string, string> {
    const file = path.join(clone, "npm-cli.js");
    writeFileSync(file, `console.error(${JSON.stringify(words)}); process.exit(1);\n`);
    chmodSync(file, 0o700);
    return { npm_execpath: file };
  }

  test("and an install that fails", async () => {
    const { sentence, output } = await refusal({ cwd: clone, env: failingNpm("npm error network no such host") });
    expect(sentence).toMatch(/^The packages could not be installed; npm's own words are above\. /);
    expect(output).toContain("npm error network no such host");
  });

  test("and a disk that is full", async () => {
    const { sentence } = await refusal({ cwd: clone, env: failingNpm("npm error code ENOSPC") });
    expect(sentence).toBe(`The disk that holds ${clone} is full: the packages need about 1.5 GB.`);
  });

  test("and packages that are there by name only", async () => {
    const lock = { packages: { "": { dependencies: { pg: "1.0.0" } }, "node_modules/pg": { version: "1.0.0" } } };
    writeFileSync(path.join(clone, "package-lock.json"), JSON.stringify(lock));
    mkdirSync(path.join(clone, "node_modules", "pg"), { recursive: true });
    writeFileSync(path.join(clone, "node_modules", ".package-lock.json"), JSON.stringify(lock));
    writeFileSync(path.join(clone, "node_modules", "pg", "package.json"), "{}");
    const { sentence } = await refusal({ cwd: clone });
    expect(sentence).toBe("The installed packages are broken: delete the folder node_modules and start again.");
  });
});

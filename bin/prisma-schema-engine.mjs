#!/usr/bin/env node
import { randomUUID } from "node:crypto";
// Drop-in replacement for Prisma's native `schema-engine` binary, for machines that
// cannot reach Prisma's download host. Speaks the same JSON-RPC-over-stdio protocol, but
// runs @prisma/schema-engine-wasm on @prisma/adapter-pg.
// Use: PRISMA_SCHEMA_ENGINE_BINARY=./bin/prisma-schema-engine.mjs npx prisma migrate dev
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import readline from "node:readline";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";

const require = createRequire(import.meta.url);
const bg = await import("@prisma/schema-engine-wasm/schema_engine_bg");
const wasmFile = require.resolve("@prisma/schema-engine-wasm").replace(/schema_engine\.js$/, "schema_engine_bg.wasm");
const { instance } = await WebAssembly.instantiate(readFileSync(wasmFile), { "./schema_engine_bg.js": bg });
bg.__wbg_set_wasm(instance.exports);
instance.exports.__wbindgen_start();

const argv = process.argv.slice(2);
if (argv.includes("--version")) {
  console.log(`schema-engine-cli ${bg.version()}`);
  process.exit(0);
}
const datamodels = [];
let url = process.env.DATABASE_URL;
let cli;
for (let i = 0; i < argv.length; i++) {
  if (argv[i] === "--datamodels") {
    const p = argv[++i];
    datamodels.push([p, readFileSync(p, "utf8")]);
  } else if (argv[i] === "--datasource") url = JSON.parse(argv[++i]).url ?? url;
  else if (argv[i] === "cli") cli = argv[++i];
  else if (argv[i].startsWith("--")) i++;
}
const log = (level, message, extra = {}) =>
  process.stderr.write(
    `${JSON.stringify({
      timestamp: new Date().toISOString(),
      level,
      fields: { message, ...extra },
      target: "schema_engine::logger",
    })}\n`,
  );

const dbName = (u) => decodeURIComponent(new URL(u).pathname.slice(1)) || "postgres";
const adminUrl = (u) => {
  const x = new URL(u);
  x.pathname = "/postgres";
  x.searchParams.delete("schema");
  return x.toString();
};
async function withClient(u, fn) {
  const c = new pg.Client({ connectionString: u });
  await c.connect();
  try {
    return await fn(c);
  } finally {
    await c.end();
  }
}
const createDb = (u) => withClient(adminUrl(u), (c) => c.query(`CREATE DATABASE "${dbName(u).replaceAll('"', '""')}"`));

if (cli) {
  try {
    if (cli === "can-connect-to-database") await withClient(url, (c) => c.query("SELECT 1"));
    else if (cli === "create-database") await createDb(url);
    else if (cli === "drop-database")
      await withClient(adminUrl(url), (c) =>
        c.query(`DROP DATABASE IF EXISTS "${dbName(url).replaceAll('"', '""')}" WITH (FORCE)`),
      );
    else throw new Error(`unsupported cli command ${cli}`);
    log("INFO", "ok");
    process.exit(0);
  } catch (e) {
    const code = e.code === "3D000" ? "P1003" : e.code === "28P01" ? "P1000" : "P1001";
    process.stderr.write("\n");
    log("ERROR", String(e.message ?? e), { error_code: code, is_panic: false });
    process.exit(1);
  }
}

// adapter-pg's queryRaw rejects the catalog type "char" (OID 18), which the engine's own
// introspection queries return, and its executeScript splits scripts at every ';'
// (which breaks DO $$ ... $$ blocks and string literals). Both are mended here.
function patch(adapter) {
  const client = adapter.underlyingDriver();
  const { performIO, queryRaw } = adapter;
  adapter.queryRaw = async function (q) {
    let hasChar = false;
    this.performIO = async (x) => {
      const r = await performIO.call(this, x);
      for (const f of r.fields ?? [])
        if (f.dataTypeID === 18) {
          f.dataTypeID = 25;
          hasChar = true;
          f.wasChar = true;
        }
      this.lastFields = r.fields;
      return r;
    };
    const out = await queryRaw.call(this, q);
    if (hasChar)
      out.columnTypes = out.columnTypes.map((t, i) => (this.lastFields[i].wasChar ? ColumnTypeEnum.Character : t));
    return out;
  };
  adapter.executeScript = async function (script) {
    try {
      await client.query(script);
    } catch (e) {
      this.onError(e);
    }
  };
  return adapter;
}

const logs = (m) => {
  if (process.env.DEBUG) log("INFO", String(m));
};
let engine;
async function getEngine() {
  if (engine) return engine;
  const main = url ?? "postgresql://unset/unset";
  const factory = new PrismaPg({ connectionString: main, max: 1 });
  const wrapped = {
    provider: factory.provider,
    adapterName: factory.adapterName,
    connect: async () => patch(await factory.connect()),
    // adapter-pg's own connectToShadowDb() falls back to the MAIN database when it was
    // configured with a connectionString, so the scratch database is made here.
    connectToShadowDb: async () => {
      const name = `prisma_shadow_${randomUUID().replaceAll("-", "")}`;
      const x = new URL(main);
      x.pathname = `/${name}`;
      await withClient(adminUrl(main), (c) => c.query(`CREATE DATABASE "${name}"`));
      const shadow = patch(await new PrismaPg({ connectionString: x.toString(), max: 1 }).connect());
      const dispose = shadow.dispose.bind(shadow);
      shadow.dispose = async () => {
        await dispose();
        await withClient(adminUrl(main), (c) => c.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
      };
      return shadow;
    },
  };
  engine = await bg.SchemaEngine.new(
    { datamodels: datamodels.length ? datamodels : undefined },
    logs,
    bindMigrationAwareSqlAdapterFactory(wrapped),
  );
  return engine;
}

async function call(method, params) {
  switch (method) {
    case "createDatabase":
      await createDb(url);
      return { databaseName: dbName(url) };
    case "ensureConnectionValidity":
      return (await (await getEngine()).ensureConnectionValidity(params)) ?? {};
    case "getDatabaseVersion":
      return (await getEngine()).version(params);
    case "diff": {
      const r = await (await getEngine()).diff(params);
      if (r.stdout != null)
        send({ jsonrpc: "2.0", id: `p${++printId}`, method: "print", params: { content: r.stdout } });
      return { ...r, stdout: null };
    }
    default: {
      const e = await getEngine();
      if (typeof e[method] !== "function")
        throw Object.assign(new Error(`method ${method} not supported by the WASM schema engine`), { code: -32601 });
      // These two read the migrated schema from a cache that only devDiagnostic fills through the
      // shadow database; without it they fail with 'shadow DB must be provided through an external factory'.
      if (method === "evaluateDataLoss" || method === "createMigration")
        await e.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters });
      return (await e[method](params)) ?? {};
    }
  }
}
let printId = 0;
const send = (o) => process.stdout.write(`${JSON.stringify(o)}\n`);
const rl = readline.createInterface({ input: process.stdin });
let pending = Promise.resolve();
rl.on("line", (line) => {
  if (!line.trim()) return;
  const m = JSON.parse(line);
  if (!m.method) return; // answers to our `print` calls
  pending = pending.then(async () => {
    try {
      send({ jsonrpc: "2.0", id: m.id, result: await call(m.method, m.params) });
    } catch (e) {
      const data = e?.message
        ? { is_panic: false, message: e.message, meta: e.meta ?? null, error_code: e.code ?? null }
        : undefined;
      send({
        jsonrpc: "2.0",
        id: m.id,
        error: { code: 4466, message: "An error happened. Check the data field for details.", data },
      });
    }
  });
});
rl.on("close", () => pending.finally(() => process.exit(0)));

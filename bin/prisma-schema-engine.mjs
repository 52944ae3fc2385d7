#!/usr/bin/env node
// Stands in for Prisma's native schema engine, which is fetched from a download host that not every machine can reach.
// The same engine exists as WASM in an npm package; this script puts it behind the protocol that the Prisma command
// expects (JSON-RPC, one message a line, over standard input and output). prisma.config.ts points to it, so that
// `npx prisma migrate dev` and its like work anywhere. Only for people who write migrations: the product applies them
// with bin/migrate.mjs.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import readline from "node:readline";
import { PrismaPg } from "@prisma/adapter-pg";
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from "@prisma/driver-adapter-utils";
import pg from "pg";

const CATALOGUE_CHAR_TYPE = 18; // "char", in the catalogues alone
const TEXT_TYPE = 25;
const NO_SUCH_DATABASE = "3D000";
const WRONG_PASSWORD = "28P01";

async function loadWasm() {
  const bindings = await import("@prisma/schema-engine-wasm/schema_engine_bg");
  const entry = createRequire(import.meta.url).resolve("@prisma/schema-engine-wasm");
  const bytes = readFileSync(entry.replace(/schema_engine\.js$/, "schema_engine_bg.wasm"));
  const { instance } = await WebAssembly.instantiate(bytes, { "./schema_engine_bg.js": bindings });
  bindings.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return bindings;
}

/** @param {string[]} args as the Prisma command gives them to the native engine */
function readArguments(args) {
  const read = { version: false, command: "", url: process.env.DATABASE_URL ?? "", datamodels: [] };
  for (let i = 0; i < args.length; i++) {
    const name = args[i];
    if (name === "--version") read.version = true;
    else if (name === "--datamodels") read.datamodels.push([args[++i], readFileSync(args[i], "utf8")]);
    else if (name === "--datasource") read.url = JSON.parse(args[++i]).url ?? read.url;
    else if (name === "cli") read.command = args[++i];
    else if (name.startsWith("--")) i++; // an option that means nothing here, with its value
  }
  return read;
}

function databaseOf(url) {
  return decodeURIComponent(new URL(url).pathname.slice(1)) || "postgres";
}

function withDatabase(url, name) {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  changed.searchParams.delete("schema");
  return changed.href;
}

const quoted = (name) => `"${name.replaceAll('"', '""')}"`;

async function execute(url, sql) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

const onServer = (url, sql) => execute(withDatabase(url, "postgres"), sql);
const createDatabase = (url) => onServer(url, `CREATE DATABASE ${quoted(databaseOf(url))}`);
const dropDatabase = (url, name) => onServer(url, `DROP DATABASE IF EXISTS ${quoted(name)} WITH (FORCE)`);

/** A line of the log as the native engine writes it; the Prisma command reads error codes from there. */
function log(level, message, fields = {}) {
  const timestamp = new Date().toISOString();
  const line = { timestamp, level, fields: { message, ...fields }, target: "schema_engine::logger" };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

/** The three things that the command asks for before it speaks the protocol. Returns the exit code. */
async function runCommand(command, url) {
  const commands = {
    "can-connect-to-database": () => execute(url, "SELECT 1"),
    "create-database": () => createDatabase(url),
    "drop-database": () => dropDatabase(url, databaseOf(url)),
  };
  try {
    if (!Object.hasOwn(commands, command)) throw new Error(`unknown command ${command}`);
    await commands[command]();
    log("INFO", "ok");
    return 0;
  } catch (error) {
    const known = { [NO_SUCH_DATABASE]: "P1003", [WRONG_PASSWORD]: "P1000" };
    process.stderr.write("\n");
    log("ERROR", String(error.message ?? error), { error_code: known[error.code] ?? "P1001", is_panic: false });
    return 1;
  }
}

/**
 * Mends two things of the adapter that the engine trips over: the catalogue type "char", which the adapter does not know,
 * and scripts, which the adapter cuts at every semicolon, also inside of `$$ ... $$` and of strings.
 */
function mend(adapter) {
  const client = adapter.underlyingDriver();
  const { performIO, queryRaw } = adapter;
  adapter.queryRaw = async function (query) {
    const charColumns = new Set();
    this.performIO = async (statement) => {
      const result = await performIO.call(this, statement);
      result.fields?.forEach((field, i) => {
        if (field.dataTypeID !== CATALOGUE_CHAR_TYPE) return;
        field.dataTypeID = TEXT_TYPE;
        charColumns.add(i);
      });
      return result;
    };
    const result = await queryRaw.call(this, query);
    const columnTypes = result.columnTypes.map((type, i) => (charColumns.has(i) ? ColumnTypeEnum.Character : type));
    return { ...result, columnTypes };
  };
  adapter.executeScript = async function (script) {
    try {
      await client.query(script);
    } catch (error) {
      this.onError(error);
    }
  };
  return adapter;
}

async function makeEngine({ url, datamodels }) {
  const main = url || "postgresql://unset/unset";
  const connect = async (address) => mend(await new PrismaPg({ connectionString: address, max: 1 }).connect());
  const { provider, adapterName } = new PrismaPg({ connectionString: main });
  const factory = {
    provider,
    adapterName,
    connect: () => connect(main),
    // The adapter's own way to a scratch database leads to the main one when it was given an address: made here instead.
    connectToShadowDb: async () => {
      const name = `prisma_shadow_${randomUUID().replaceAll("-", "")}`;
      await onServer(main, `CREATE DATABASE ${quoted(name)}`);
      const shadow = await connect(withDatabase(main, name));
      const dispose = shadow.dispose.bind(shadow);
      shadow.dispose = async () => {
        await dispose();
        await dropDatabase(main, name);
      };
      return shadow;
    },
  };
  const onLog = (message) => {
    if (process.env.DEBUG) log("INFO", String(message));
  };
  const models = datamodels.length > 0 ? datamodels : undefined;
  return wasm.SchemaEngine.new({ datamodels: models }, onLog, bindMigrationAwareSqlAdapterFactory(factory));
}

/** Answers requests one after the other until the command closes its end. */
function serve(settings) {
  let engine;
  let printed = 0;
  const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

  const answer = async (method, params) => {
    if (method === "createDatabase") {
      await createDatabase(settings.url);
      return { databaseName: databaseOf(settings.url) };
    }
    engine ??= makeEngine(settings);
    const made = await engine;
    if (method === "getDatabaseVersion") return made.version(params);
    if (typeof made[method] !== "function") throw new Error(`the WASM engine has no ${method}`);
    // These read the migrated schema from what devDiagnostic left behind, and say that there is no shadow database without.
    if (method === "evaluateDataLoss" || method === "createMigration")
      await made.devDiagnostic({ migrationsList: params.migrationsList, filters: params.filters });
    const result = (await made[method](params)) ?? {};
    if (method !== "diff") return result;
    // The native engine prints a diff by asking the command to.
    if (result.stdout != null) send({ id: `p${++printed}`, method: "print", params: { content: result.stdout } });
    return { ...result, stdout: null };
  };

  const handle = async ({ id, method, params }) => {
    try {
      send({ id, result: await answer(method, params) });
    } catch (error) {
      const { message, meta = null, code = null } = error ?? {};
      const data = message ? { is_panic: false, message, meta, error_code: code } : undefined;
      send({ id, error: { code: 4466, message: "An error happened. Check the data field for details.", data } });
    }
  };

  let pending = Promise.resolve();
  const lines = readline.createInterface({ input: process.stdin });
  lines.on("line", (line) => {
    const message = line.trim() === "" ? {} : JSON.parse(line);
    // What has no method is the answer to one of our prints.
    if (message.method) pending = pending.then(() => handle(message));
  });
  lines.on("close", () => pending.finally(() => process.exit(0)));
}

const wasm = await loadWasm();
const request = readArguments(process.argv.slice(2));

if (request.version) {
  process.stdout.write(`schema-engine-cli ${wasm.version()}\n`);
} else if (request.command) {
  process.exitCode = await runCommand(request.command, request.url);
} else {
  serve(request);
}

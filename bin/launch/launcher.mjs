import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build, generate, mustBuild, mustGenerate } from "./build.mjs";
import { checkReachable, nameOfDatabase, startBuiltIn } from "./database.mjs";
import { environmentOf, keepEnvironment } from "./environment.mjs";
import { guardedNow, readLines, runGuarded, startGuarded } from "./guarded.mjs";
import { waitForHealth } from "./health.mjs";
import { install, whyInstall } from "./install.mjs";
import { lockDataFolder } from "./lock.mjs";
import { whyNotFree } from "./port.mjs";
import { keptSecret, makePrivateFolder, readIfThere, writePrivateFile } from "./private-file.mjs";
import { plain } from "./progress.mjs";
import { Refusal, refusalOfFileError, sentenceOfBrokenPackages } from "./refusal.mjs";
import { supervise } from "./supervise.mjs";

export const STEPS = 7;
const HEALTH_TIMEOUT_MS = 90_000;
const PORT_PATIENCE_MS = 12_000; // what an earlier launcher left ends within this

/**
 * Everything from a fresh clone to a product that answers. Made by `launch`; `stop` ends what was started, in order.
 */
export class Launcher {
  /**
   * @param {import("./settings.mjs").Settings} settings
   * @param {import("./commands.mjs").Commands} commands
   * @param {import("./progress.mjs").Progress} progress
   * @param {NodeJS.ProcessEnv} env
   * @param {boolean} isPrepared whether packages and build are somebody else's care
   */
  constructor(settings, commands, progress, env, isPrepared) {
    this.settings = settings;
    this.commands = commands;
    this.progress = progress;
    this.env = env;
    this.isPrepared = isPrepared;
    this.stopping = false;
    /** @type {import("./supervise.mjs").Supervised[]} in the order of their start */
    this.supervised = [];
    /** @type {() => void} */
    this.release = () => undefined;
    /** @type {Record<"web" | "worker", string[]>} the last lines of each, shown when the start fails */
    this.lastWords = { web: [], worker: [] };
    this.isUp = false;
  }

  /**
   * Installs, builds, starts and waits until all is well.
   * @returns {Promise<string>} the address to open, with the one-time link when there is one
   * @throws Refusal with one sentence
   */
  async launch() {
    const { settings, progress } = this;
    await progress.run("Checking this machine", () => this.check());
    await this.prepare();
    const environment = await this.openDatabase();
    const applied = await progress.run("Bringing the database up to date", () =>
      this.migrate(environment.DATABASE_URL),
    );
    const link = await progress.run("Starting web and worker", (tell) => this.startProduct(environment, applied, tell));
    this.isUp = true;
    return link ?? settings.origin;
  }

  async check() {
    const { dataDir, databaseUrl, origin } = this.settings;
    let wasStale = false;
    try {
      makePrivateFolder(dataDir);
      const lock = lockDataFolder(dataDir, origin);
      this.release = lock.release;
      wasStale = lock.wasStale;
    } catch (error) {
      throw refusalOfFileError(error, dataDir);
    }
    await this.checkPort(wasStale ? PORT_PATIENCE_MS : 0);
    if (databaseUrl) await checkReachable(databaseUrl);
  }

  /** @param {number} patienceMs */
  async checkPort(patienceMs) {
    const { port, host } = this.settings;
    const end = Date.now() + patienceMs;
    for (;;) {
      const reason = await whyNotFree(port, host);
      if (reason === null) return;
      if (reason === "EADDRINUSE" && Date.now() < end) {
        await sleep(200);
        continue;
      }
      throw new Refusal(
        reason === "EADDRINUSE"
          ? `Port ${port} is in use by another program: stop it, or choose another port, for example PORT=${port === 65_535 ? 3211 : port + 1} npm start.`
          : reason === "EACCES"
            ? `Port ${port} needs more rights than you have: choose one above 1023, for example PORT=3210 npm start.`
            : `Nothing can listen on ${host}:${port} (${reason}): MISSTEP_HOST must be an address of this machine.`,
      );
    }
  }

  /** Packages, database client and build: each only when stale. */
  async prepare() {
    const { settings, progress, env } = this;
    if (this.isPrepared) {
      for (const what of ["Packages", "Database client", "Build"]) progress.skip(`${what}: taken as found`);
      return;
    }
    const why = whyInstall(settings.root);
    if (why === null) progress.skip("The packages are installed");
    else await progress.run("Installing the packages (about 1.5 GB)", (tell) => install(settings.root, env, tell));
    this.throwIfStopping();
    if (!mustGenerate(settings.root)) progress.skip("The database client is ready");
    else await progress.run("Generating the database client", () => generate(settings.root, env));
    this.throwIfStopping();
    if (!mustBuild(settings.root, settings.buildDir)) progress.skip("The build is up to date");
    else await progress.run("Building", (tell) => build(settings.root, settings.buildDir, env, tell));
    this.throwIfStopping();
  }

  /** @returns {Promise<Record<string, string>>} what the children get */
  async openDatabase() {
    const { settings, progress } = this;
    const secret = this.env.MISSTEP_SECRET?.trim() || keptSecret(path.join(settings.dataDir, "secret"));
    const url = await progress.run(
      settings.databaseUrl ? "Using the database of DATABASE_URL" : "Starting the built-in Postgres",
      async () => {
        if (settings.databaseUrl) return settings.databaseUrl;
        const { url, server } = await startBuiltIn(settings.dataDir, (line) => progress.line(line));
        this.supervised.push(server);
        return url;
      },
    );
    const environment = environmentOf(settings, url, secret);
    keepEnvironment(settings.dataDir, environment);
    this.throwIfStopping();
    return environment;
  }

  /**
   * @param {string} url
   * @returns {Promise<boolean>} whether anything was applied
   */
  async migrate(url) {
    const { migrate } = await import("../migrate.mjs");
    const { applied } = await migrate(url);
    this.throwIfStopping();
    return applied.length > 0;
  }

  /**
   * @param {Record<string, string>} environment
   * @param {boolean} isNew whether the database has just got migrations
   * @param {(detail: string) => void} tell
   * @returns {Promise<string | null>} the link
   */
  async startProduct(environment, isNew, tell) {
    const { settings } = this;
    const env = { ...this.env, ...environment, MISSTEP_LAUNCHER_FD: "3" };
    for (const name of /** @type {const} */ (["worker", "web"]))
      this.supervised.push(
        await supervise(
          name,
          () => this.startChild(name, env),
          (line) => this.progress.line(line),
        ),
      );
    const healthy = waitForHealth(settings, {
      timeoutMs: HEALTH_TIMEOUT_MS,
      tell,
      giveUp: () => {
        const failing = this.supervised.find(({ name, ends }) => name !== "postgres" && ends >= 3);
        return this.stopping ? "stopped" : failing ? `${failing.name} ended ${failing.ends} times` : null;
      },
    });
    const link = this.seedAndLink(env, isNew);
    const [reason, address] = await Promise.all([healthy, link]);
    this.throwIfStopping();
    if (reason !== null)
      throw new Refusal(`Misstep did not come up: ${reason}; the last words of web and worker are above.`, {
        details: [...this.lastWords.web, ...this.lastWords.worker].slice(-40).join("\n"),
      });
    return address;
  }

  /**
   * @param {"web" | "worker"} name
   * @param {NodeJS.ProcessEnv} env
   */
  startChild(name, env) {
    const child = startGuarded(process.execPath, this.commands[name], { cwd: this.settings.root, env, graceMs: 5_000 });
    for (const stream of [child.stdout, child.stderr])
      void readLines(stream, (text) => {
        const line = `${name.padEnd(6)} | ${plain(text)}`;
        if (this.isUp) this.progress.line(line);
        else this.lastWords[name] = [...this.lastWords[name].slice(-100), line];
      });
    return child;
  }

  /**
   * Makes the demo project on the first start with a database, and a sign-in link on every start.
   * @param {NodeJS.ProcessEnv} env
   * @param {boolean} isNew
   * @returns {Promise<string | null>}
   */
  async seedAndLink(env, isNew) {
    const { dataDir, databaseUrl } = this.settings;
    const seededFile = path.join(dataDir, "seeded");
    const database = nameOfDatabase(databaseUrl);
    if (isNew || readIfThere(seededFile)?.trim() !== database) {
      await this.command("seed", "The demo project could not be made", env);
      writePrivateFile(seededFile, `${database}\n`);
    }
    const lines = await this.command("link", "The sign-in link could not be made", env);
    const link = lines.map((line) => /https?:\/\/\S+/.exec(line)?.[0]).find((found) => found !== undefined);
    if (!link) throw new Refusal("The sign-in link could not be made: the command printed none.");
    return link;
  }

  /**
   * @param {"seed" | "link"} name
   * @param {string} failed
   * @param {NodeJS.ProcessEnv} env
   */
  async command(name, failed, env) {
    const { code, lines } = await runGuarded(process.execPath, this.commands[name], { cwd: this.settings.root, env });
    this.throwIfStopping();
    if (code === 0) return lines;
    const sentence = sentenceOfBrokenPackages(lines.join("\n")) ?? `${failed}; the command's own words are above.`;
    throw new Refusal(sentence, { details: lines.slice(-25).join("\n") });
  }

  throwIfStopping() {
    if (this.stopping) throw new Refusal("Stopped before it was up.");
  }

  /** Ends web and worker, then Postgres; whatever else still runs (an install, a build) ends too. Takes at most 10 seconds. */
  async stop() {
    this.stopping = true;
    const [last, first] = [true, false].map((isLast) =>
      this.supervised.filter(({ name }) => (name === "postgres") === isLast),
    );
    const others = [...guardedNow].filter(({ endsLast }) => !endsLast);
    await Promise.all([...first, ...others].map((one) => one.stop()));
    await Promise.all([...last, ...guardedNow].map((one) => one.stop()));
    this.release();
  }
}

import { guardedNow } from "./guarded.mjs";
import { readIfThere } from "./private-file.mjs";

/**
 * Watches for everything that means "stop": Ctrl-C, SIGTERM, a closed terminal (SIGHUP), and the end of the npm that
 * runs us. The first stops in order; a second Ctrl-C ends everything at once.
 * @param {(reason: string) => void} stop called once
 * @returns {() => void} stops watching
 */
export function watchForEnd(stop) {
  let asked = false;
  const ask = (reason) => {
    if (asked) return;
    asked = true;
    stop(reason);
  };
  let interrupts = 0;
  const onSignal = (signal) => {
    if (signal === "SIGINT" && ++interrupts > 1 && asked) {
      for (const guarded of guardedNow) guarded.kill();
      process.exit(130);
    }
    ask(signal);
  };
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"]);
  for (const signal of signals) process.on(signal, onSignal);
  // Writing to a terminal that is gone fails with EIO, to a closed pipe with EPIPE. Unhandled, that would be the end of the
  // launcher without an end of its children.
  const ignore = () => undefined;
  for (const stream of [process.stdout, process.stderr]) stream.on("error", ignore);

  const hasNpmEnded = process.env.npm_lifecycle_event === undefined ? () => false : watchNpm();
  const timer = setInterval(() => {
    if (hasNpmEnded()) ask("the end of npm");
  }, 1_000);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const signal of signals) process.removeListener(signal, onSignal);
  };
}

/**
 * npm is our parent, or the parent of the shell that it runs us in. Whoever kills it with -9 gets us another parent.
 * @returns {() => boolean} whether npm has ended since
 */
function watchNpm() {
  const shell = process.ppid;
  const isShell = !/\bnpm\b/.test(readIfThere(`/proc/${shell}/cmdline`) ?? "npm");
  const npm = isShell ? parentOf(shell) : null;
  return () => process.ppid !== shell || (npm !== null && parentOf(shell) !== npm);
}

/**
 * @param {number} pid
 * @returns {string | null} null where the system has no /proc
 */
function parentOf(pid) {
  const stat = readIfThere(`/proc/${pid}/stat`);
  return stat === null ? null : (stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? null);
}

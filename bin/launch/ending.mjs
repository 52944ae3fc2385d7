import { guardedNow } from "./guarded.mjs";

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

  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.env.npm_lifecycle_event !== undefined && process.ppid !== parent) ask("the end of npm");
  }, 1_000);
  timer.unref();
  return () => {
    clearInterval(timer);
    for (const signal of signals) process.removeListener(signal, onSignal);
  };
}

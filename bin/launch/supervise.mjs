const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const STEADY_MS = 60_000; // after running this long, the next end counts as the first

/**
 * @typedef {object} Supervised
 * @property {string} name
 * @property {number} ends how many times it has ended unasked
 * @property {() => Promise<void>} stop
 */

/**
 * Keeps one process running: when it ends unasked it is started again, after 0.5, 1, 2, 4 ... 30 seconds.
 * @param {string} name
 * @param {() => Promise<{ exited: Promise<number>, stop: () => Promise<unknown> }> | { exited: Promise<number>, stop: () => Promise<unknown> }} start
 * @param {(line: string) => void} say
 * @returns {Promise<Supervised>} when it was started for the first time
 * @throws what `start` throws the first time
 */
export async function supervise(name, start, say) {
  const stopping = new AbortController();
  let current = await start();
  let startedAt = Date.now();
  let waitMs = FIRST_WAIT_MS;
  /** @type {Supervised} */
  const supervised = {
    name,
    ends: 0,
    async stop() {
      stopping.abort();
      await current.stop();
      await loop;
    },
  };
  const loop = (async () => {
    for (;;) {
      const code = await current.exited;
      if (stopping.signal.aborted) return;
      supervised.ends += 1;
      if (Date.now() - startedAt > STEADY_MS) waitMs = FIRST_WAIT_MS;
      say(`${name} ended (${howItEnded(code)}); it is started again in ${waitMs / 1_000} s`);
      await wait(waitMs, stopping.signal);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      if (stopping.signal.aborted) return;
      startedAt = Date.now();
      try {
        current = await start();
        if (stopping.signal.aborted) await current.stop();
      } catch (error) {
        say(`${name} could not be started: ${error.message}`);
        current = { exited: Promise.resolve(1), stop: async () => undefined };
      }
    }
  })();
  return supervised;
}

/** @param {number} code */
function howItEnded(code) {
  return code > 128 ? `signal ${code - 128}` : `exit code ${code}`;
}

/**
 * @param {number} ms
 * @param {AbortSignal} signal ends the wait early
 * @returns {Promise<void>}
 */
function wait(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

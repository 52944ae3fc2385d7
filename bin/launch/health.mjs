import http from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks `/api/health` once. By node:http: `fetch` would go through a proxy that the environment names.
 * @param {{ probeHost: string, port: number, origin: string }} where
 * @returns {Promise<{ ok: boolean, answer: string }>} `answer`: the status and the first words of the body, or why there is none
 */
export function askHealth({ probeHost, port, origin }) {
  return new Promise((resolve) => {
    const request = http.get(
      {
        host: probeHost,
        port,
        path: "/api/health",
        timeout: 5_000,
        agent: false,
        headers: { host: new URL(origin).host },
      },
      (response) => {
        let body = "";
        response.setEncoding("utf8");
        response.on("data", (text) => {
          if (body.length < 2_000) body += text;
        });
        response.on("error", (error) => resolve({ ok: false, answer: error.message }));
        response.on("end", () => {
          const ok = response.statusCode === 200 && /"status"\s*:\s*"ok"/.test(body);
          resolve({ ok, answer: `${response.statusCode} ${body.slice(0, 200)}` });
        });
      },
    );
    request.on("timeout", () => request.destroy(new Error("no answer in 5 s")));
    request.on("error", (error) =>
      resolve({ ok: false, answer: /** @type {NodeJS.ErrnoException} */ (error).code ?? error.message }),
    );
  });
}

/**
 * Waits until web, database and worker are well.
 * @param {Parameters<typeof askHealth>[0]} where
 * @param {{ timeoutMs: number, tell: (detail: string) => void, giveUp: () => string | null }} options `giveUp`: a reason to stop waiting
 * @returns {Promise<string | null>} null when all is well, else the last answer or the reason
 */
export async function waitForHealth(where, { timeoutMs, tell, giveUp }) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const { ok, answer } = await askHealth(where);
    if (ok) return null;
    tell(answer === "ECONNREFUSED" ? "waiting for web" : `waiting: ${answer}`);
    const reason = giveUp();
    if (reason !== null) return reason;
    if (Date.now() > end) return `not healthy after ${timeoutMs / 1_000} s (last answer: ${answer})`;
    await sleep(100);
  }
}

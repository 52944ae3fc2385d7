import { json } from "@/lib/http";
import { probeWorkers } from "@/lib/store/workers";

export const dynamic = "force-dynamic";

/** Longer than a healthy database ever takes; a probe wants an answer within a second. */
const PATIENCE_MS = 800;

/**
 * 200 `{"status":"ok"}` when this process answers, the database answers it, and a worker has given a sign of life; else
 * 503 naming the part. Says nothing else, because anyone may ask.
 */
export async function GET(): Promise<Response> {
  const workers = await probeWorkers(PATIENCE_MS).catch(() => null);
  if (workers === null) return json({ status: "unavailable", part: "database" }, 503);
  if (workers === 0) return json({ status: "unavailable", part: "worker" }, 503);
  return json({ status: "ok" });
}

import type { BrowserContext } from "@playwright/test";
import { z } from "zod";
import { trajectoryRowSchema, uploadAnswerSchema } from "@/lib/views/trajectory-list";

const IMPORT_TIMEOUT_MS = 300_000;
const POLL_MS = 250;

/**
 * Uploads a trace and waits for the end of its import; of a file with several trajectories, of all their imports.
 * @returns the trajectory's id
 * @throws Error when the upload is refused, the import fails or does not end within five minutes
 */
export async function uploadTrace(
  context: BrowserContext,
  origin: string,
  name: string,
  text: string | Buffer,
): Promise<string> {
  const path = `/api/v1/uploads?name=${encodeURIComponent(name)}`;
  const response = await context.request.post(path, { data: Buffer.from(text), headers: { origin } });
  if (!response.ok()) throw new Error(`upload of ${name}: ${response.status()}`);
  const { id } = uploadAnswerSchema.parse(await response.json());
  const answerSchema = z.object({ row: trajectoryRowSchema });
  for (const started = Date.now(); Date.now() - started < IMPORT_TIMEOUT_MS; ) {
    const { row } = answerSchema.parse(await (await context.request.get(`/api/v1/trajectories/${id}`)).json());
    if (row.status === "ready" || (row.status === "several" && row.parts?.waiting === 0)) return id;
    if (row.status === "failed") throw new Error(`import of ${name}: ${row.failure?.message ?? "failed"}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`import of ${name} did not end within ${IMPORT_TIMEOUT_MS / 1000} s`);
}

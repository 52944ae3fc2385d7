import { readFileSync } from "node:fs";
import path from "node:path";
import { Client } from "pg";
import { z } from "zod";
import { KNOWN_TEXTS } from "@/lib/trajectory/given-failure";
import { findAnswerSchema } from "@/lib/views/find";
import { runViewSchema } from "@/lib/views/run";
import { shareCreatedSchema } from "@/lib/views/share";
import { uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { type Answer, ask, askRsc } from "./answers";

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

/** Uploads a trace as a script does, and waits until it is imported. */
export async function uploadByKey(key: string, name: string, content: string): Promise<string> {
  const headers = { ...bearer(key), "content-length": String(Buffer.byteLength(content)) };
  const sent = await ask(`/api/v1/uploads?name=${encodeURIComponent(name)}`, {
    method: "POST",
    headers,
    body: content,
  });
  const { id } = uploadAnswerSchema.parse(JSON.parse(sent.body));
  for (let tries = 0; tries < 300; tries += 1) {
    const { body } = await ask(`/api/v1/trajectories/${id}`, { headers: bearer(key) });
    const { status } = z.object({ row: z.object({ status: z.string() }) }).parse(JSON.parse(body)).row;
    if (status === "ready") return id;
    if (status === "failed") throw new Error(`${name} was not imported: ${body}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${name} was not imported in a minute`);
}

/** Makes a link. */
export async function shareByKey(key: string, id: string): Promise<{ token: string; shareId: string }> {
  const made = await ask(`/api/v1/trajectories/${id}/shares`, { method: "POST", headers: bearer(key), body: "{}" });
  const { share, path: address } = shareCreatedSchema.parse(JSON.parse(made.body));
  return { token: address.slice("/s/".length), shareId: share.id };
}

/** Ends a link. */
export async function revokeByKey(key: string, id: string, shareId: string): Promise<void> {
  const ended = await ask(`/api/v1/trajectories/${id}/shares/${shareId}`, { method: "DELETE", headers: bearer(key) });
  if (ended.status !== 200) throw new Error(`The link was not revoked: ${ended.status}`);
}

const kept = z.object({ DATABASE_URL: z.string() });

/** Lets a link's time be over, as only the database can. */
export async function expire(shareId: string): Promise<void> {
  const folder = process.env.MISSTEP_TEST_FOLDER ?? ".test";
  const file = path.join(folder, "data", "environment.json");
  const client = new Client({ connectionString: kept.parse(JSON.parse(readFileSync(file, "utf8"))).DATABASE_URL });
  await client.connect();
  try {
    const past = `UPDATE "Share" SET "createdAt" = "createdAt" - interval '8 days', "expiresAt" = "expiresAt" - interval '8 days' WHERE "id" = $1`;
    const { rowCount } = await client.query(past, [shareId]);
    if (rowCount !== 1) throw new Error("There is no such link to expire.");
  } finally {
    await client.end();
  }
}

/** Words that stand beside secrets, so that what is shown around a match holds their masks. */
const FOUND_BESIDE = ["value", "I saw", "there", "out ", "=", "e"];

/** Every answer of a link: pages of every turn and view, their data as the router asks for it, and every JSON route. */
export async function everyAnswer(token: string): Promise<Map<string, Answer>> {
  const answers = new Map<string, Answer>();
  const keep = (name: string, answer: Answer): Answer => {
    answers.set(name, answer);
    return answer;
  };
  const api = async (route: string): Promise<Answer> =>
    keep(`json ${route}`, await ask(`/api/v1/shared/${token}${route}`));
  const head = await api("");
  await api("/failure");
  for (const what of KNOWN_TEXTS) await api(`/failure/text?what=${what}`);
  const { run } = z.object({ run: runViewSchema }).parse(JSON.parse(head.body));
  const items = new Set<string>();
  for (let turn = 0; turn < run.strip.turns; turn += 1) {
    if (turn % 50 === 0) await api(`/turns?from=${turn}&limit=50`);
    const { body } = await api(`/turns/${turn}`);
    await api(`/turns/${turn}/find?q=a`);
    for (const [, id] of body.matchAll(/"id":"(t\d+\.\d+)"/g)) if (id !== undefined) items.add(id);
    keep(`page ${turn}`, await ask(`/s/${token}?turn=${turn + 1}`));
    keep(`data ${turn}`, await askRsc(`/s/${token}?turn=${turn + 1}`));
    if (turn % 5 === 0) keep(`page files ${turn}`, await ask(`/s/${token}?turn=${turn + 1}&view=files&from=baseline`));
  }
  for (const { n } of run.contexts) {
    const { body } = await api(`/contexts/${n}`);
    await api(`/contexts/${n}/find?q=a`);
    for (const [, id] of body.matchAll(/"item":"([^"]+)"/g)) if (id !== undefined) items.add(id);
    keep(`page context ${n}`, await ask(`/s/${token}?turn=1&context=${n}`));
    keep(`data context ${n}`, await askRsc(`/s/${token}?turn=1&context=${n}`));
  }
  for (const item of items) {
    for (const field of ["text", "arguments"]) {
      for (let offset: number | null = 0; offset !== null; ) {
        const piece = await api(`/texts?item=${item}&field=${field}&offset=${offset}`);
        offset =
          piece.status === 200
            ? z.object({ nextOffset: z.number().nullable() }).parse(JSON.parse(piece.body)).nextOffset
            : null;
      }
    }
  }
  for (const words of FOUND_BESIDE) {
    for (let next: string | null = ""; next !== null; ) {
      const { body } = await api(`/find?q=${encodeURIComponent(words)}${next === "" ? "" : `&at=${next}`}`);
      next = findAnswerSchema.parse(JSON.parse(body)).next;
    }
  }
  for (const { n } of run.files) await api(`/code?file=${n}&turn=${run.strip.turns - 1}&from=baseline&to=final`);
  return answers;
}

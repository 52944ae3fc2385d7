import { createHash } from "node:crypto";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type UploadAnswer, uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { readKeptEnvironment } from "./kept-environment";
import { Refused } from "./refused";
import { readSourceFile } from "./source-file";

/**
 * `misstep upload FILE... --token TOKEN [--url URL]`: sends files one after the other and prints a line for each. Other
 * users of a machine can read arguments, so the key may stand in MISSTEP_TOKEN instead.
 */
export async function upload(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { url: { type: "string" }, token: { type: "string" }, json: { type: "boolean" } },
  });
  if (positionals.length === 0) throw new Refused("misstep upload takes at least one FILE.");
  const token = values.token ?? process.env.MISSTEP_TOKEN;
  if (!token) {
    throw new Refused("misstep upload needs --token or MISSTEP_TOKEN; `npm run -s misstep -- token` makes one.");
  }
  const url = values.url ?? readKeptEnvironment().MISSTEP_ORIGIN;
  if (!url || !URL.canParse(url))
    throw new Refused("misstep upload needs --url, the address of the Misstep to send to.");
  for (const file of positionals) {
    const answer = await send(file, url, token);
    const line = `${new URL(`/t/${answer.id}`, url).href}  ${file}${answer.duplicate ? "  (there already)" : ""}`;
    process.stdout.write(`${values.json ? JSON.stringify({ file, ...answer }) : line}\n`);
  }
}

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

async function send(file: string, url: string, token: string): Promise<UploadAnswer> {
  const { name, bytes } = await readSourceFile(file);
  const address = new URL("/api/v1/uploads", url);
  address.searchParams.set("name", name);
  const response = await fetch(address, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/octet-stream",
      "x-misstep-sha256": createHash("sha256").update(bytes).digest("hex"),
    },
    body: new Blob([new Uint8Array(bytes)]),
  }).catch((error: unknown) => {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : "no answer";
    throw new Refused(`${file}: ${address.origin} cannot be reached (${cause}).`);
  });
  const body: unknown = await response.json().catch(() => null);
  const answer = uploadAnswerSchema.safeParse(body);
  if (response.ok && answer.success) return answer.data;
  const refused = errorSchema.safeParse(body);
  throw new Refused(`${file}: ${refused.success ? refused.data.error.message : `answer ${response.status}`}`);
}

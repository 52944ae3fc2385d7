import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { type GivenChange, givenChangeSchema, type KnownText } from "@/lib/views/failure";
import { type UploadAnswer, uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { readKeptEnvironment } from "./kept-environment";
import { Refused } from "./refused";
import { readSourceFile } from "./source-file";

/**
 * `misstep upload FILE... --token TOKEN [--url URL]`: sends files one after the other and prints a line for each. Other
 * users of a machine can read arguments, so the key may stand in MISSTEP_TOKEN instead. What is known about the failure goes
 * with each of them: `--outcome failed|resolved`, and files with its texts.
 */
export async function upload(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      url: { type: "string" },
      token: { type: "string" },
      json: { type: "boolean" },
      outcome: { type: "string" },
      task: { type: "string" },
      "error-report": { type: "string" },
      "test-code": { type: "string" },
      "reference-patch": { type: "string" },
    },
  });
  if (positionals.length === 0) throw new Refused("misstep upload takes at least one FILE.");
  const token = values.token ?? process.env.MISSTEP_TOKEN;
  if (!token) {
    throw new Refused("misstep upload needs --token or MISSTEP_TOKEN; `npm run -s misstep -- token` makes one.");
  }
  const url = values.url ?? readKeptEnvironment().MISSTEP_ORIGIN;
  if (!url || !URL.canParse(url))
    throw new Refused("misstep upload needs --url, the address of the Misstep to send to.");
  const given = givenChangeSchema.safeParse({
    ...(values.outcome === undefined ? {} : { outcome: values.outcome }),
    ...(await textIn("taskStatement", values.task)),
    ...(await textIn("errorReport", values["error-report"])),
    ...(await textIn("failingTestCode", values["test-code"])),
    ...(await textIn("referencePatch", values["reference-patch"])),
  });
  if (!given.success) throw new Refused("--outcome is failed or resolved.");
  for (const file of positionals) {
    const answer = await send(file, given.data, url, token);
    const known =
      answer.givenRefused === null ? "" : `  (what is known about the failure was not taken: ${answer.givenRefused})`;
    const line = `${new URL(`/t/${answer.id}`, url).href}  ${file}${answer.duplicate ? "  (there already)" : ""}${known}`;
    process.stdout.write(`${values.json ? JSON.stringify({ file, ...answer }) : line}\n`);
  }
}

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/** The text of a file as a part; nothing when none was named. */
async function textIn(part: KnownText, file: string | undefined): Promise<GivenChange> {
  if (file === undefined) return {};
  const text = await readFile(file, "utf8").catch(() => {
    throw new Refused(`${file} cannot be read.`);
  });
  return { [part]: text };
}

async function send(file: string, given: GivenChange, url: string, token: string): Promise<UploadAnswer> {
  const { name, bytes } = await readSourceFile(file);
  const before = Object.keys(given).length === 0 ? new Blob() : new Blob([JSON.stringify(given)]);
  const address = new URL("/api/v1/uploads", url);
  address.searchParams.set("name", name);
  const response = await fetch(address, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/octet-stream",
      "x-misstep-sha256": createHash("sha256").update(bytes).digest("hex"),
      ...(before.size > 0 ? { "x-misstep-given-bytes": String(before.size) } : {}),
    },
    body: new Blob([before, new Uint8Array(bytes)]),
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

import { readFileSync } from "node:fs";
import path from "node:path";
import { type APIRequestContext, expect } from "@playwright/test";
import { Client } from "pg";
import { z } from "zod";
import { type TrajectoryRow, uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { waitForImport } from "../harness/upload";
import { productOrigin } from "../harness/watched-page";

/** Uploads a trace without a page, and waits until its import has ended. */
export async function made(request: APIRequestContext, name: string, content: string): Promise<TrajectoryRow> {
  const sent = await request.post(`/api/v1/uploads?name=${encodeURIComponent(name)}`, {
    data: Buffer.from(content),
    headers: { "content-type": "application/octet-stream", origin: productOrigin() },
  });
  expect(sent.ok(), `upload of ${name}: ${sent.status()}`).toBe(true);
  return waitForImport(request, uploadAnswerSchema.parse(await sent.json()).id);
}

const environmentSchema = z.object({ DATABASE_URL: z.string(), MISSTEP_SECRET: z.string() });

/** The settings that the product under test was started with. */
export function productEnvironment(): z.infer<typeof environmentSchema> {
  const folder = process.env.MISSTEP_TEST_FOLDER ?? ".test";
  return environmentSchema.parse(JSON.parse(readFileSync(path.join(folder, "data", "environment.json"), "utf8")));
}

async function withDatabase<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: productEnvironment().DATABASE_URL });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Changes what only the database can: states that a healthy product goes through too fast, or not at all. */
export function changeStored(sql: string, values: readonly string[]): Promise<void> {
  return withDatabase(async (client) => {
    const { rowCount } = await client.query(sql, [...values]);
    expect(rowCount, sql).toBeGreaterThan(0);
  });
}

const oneTextSchema = z.tuple([z.record(z.string(), z.string())]);

/** The one text that a query finds. */
export function readStored(sql: string, values: readonly string[]): Promise<string> {
  return withDatabase(async (client) => {
    const [row] = oneTextSchema.parse((await client.query(sql, [...values])).rows);
    const [text = ""] = Object.values(row);
    return text;
  });
}

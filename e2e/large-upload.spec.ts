import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { listPageSchema } from "@/lib/views/trajectory-list";
import { waitForImport } from "./harness/upload";
import { expect, test } from "./harness/watched-page";

const SIZE_BYTES = 100_000_000;

// A recording would keep the hundred megabytes once more.
test.use({ trace: "off" });

/** Writes a Claude Code session of a hundred megabytes: turns that each print a long log. */
async function writeSession(file: string, marker: string): Promise<number> {
  const handle = await open(file, "w");
  const log = Array.from({ length: 4_000 }, (_, i) => `module ${i} of ${marker} compiled`).join("\n");
  let written = 0;
  let parent: string | null = null;
  let turns = 0;
  const put = async (type: "user" | "assistant", message: object): Promise<void> => {
    const uuid = `${marker}-${type}-${turns}`;
    const head = { type, uuid, parentUuid: parent, sessionId: marker, cwd: "/work/app", version: "2.0.1" };
    const line = `${JSON.stringify({ ...head, isSidechain: false, message })}\n`;
    await handle.write(line);
    written += Buffer.byteLength(line);
    parent = uuid;
  };
  await put("user", { role: "user", content: "Build everything." });
  while (written < SIZE_BYTES) {
    turns += 1;
    const call = { type: "tool_use", id: `call-${turns}`, name: "Bash", input: { command: `make part-${turns}` } };
    await put("assistant", { id: `message-${turns}`, role: "assistant", model: "model-1", content: [call] });
    await put("user", { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: log }] });
  }
  await handle.close();
  return turns;
}

test("a hundred megabytes arrive whole, become turns, and come back byte for byte", async ({ page }) => {
  test.setTimeout(180_000);
  const folder = await mkdtemp(path.join(tmpdir(), "misstep-large-"));
  try {
    const marker = `large-${Date.now()}`;
    const file = path.join(folder, `${marker}.jsonl`);
    const turns = await writeSession(file, marker);
    const hash = createHash("sha256");
    for await (const piece of createReadStream(file)) hash.update(piece);
    const sha256 = hash.digest("hex");
    await page.goto("/");
    await page.locator('input[type="file"]').first().setInputFiles(file);
    // The browser forgets the body of an answer to so large a request, so the row is looked for in the list.
    let id = "";
    const find = async (): Promise<string> => {
      const list = listPageSchema.parse(await (await page.request.get(`/api/v1/trajectories?q=${marker}`)).json());
      id = [...list.pinned, ...list.rows].find((each) => each.name === `${marker}.jsonl`)?.id ?? "";
      return id;
    };
    await expect.poll(find, { timeout: 120_000 }).not.toBe("");
    const row = await waitForImport(page.request, id, 120_000);
    expect(row).toMatchObject({ status: "ready", turnCount: turns });
    expect(row.sizeBytes).toBeGreaterThanOrEqual(SIZE_BYTES);
    const download = await page.request.get(`/api/v1/trajectories/${id}/upload`, { timeout: 60_000 });
    expect(
      createHash("sha256")
        .update(await download.body())
        .digest("hex"),
    ).toBe(sha256);
    await page.goto(`/t/${id}?turn=${turns}`);
    await expect(page.getByRole("heading", { level: 2, name: `#${turns}`, exact: true })).toBeVisible();
  } finally {
    await rm(folder, { recursive: true });
  }
});

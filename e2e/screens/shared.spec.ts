import { shareCreatedSchema } from "@/lib/views/share";
import { shopRun } from "../forensics/runs";
import { expect, productOrigin, test } from "../harness/watched-page";
import { type Screen, testScreens } from "./looking";
import { changeStored, made } from "./made";

const paths = { live: "", expired: "", revoked: "" };

test.beforeAll(async ({ playwright }, info) => {
  const { baseURL, storageState } = info.project.use;
  const request = await playwright.request.newContext({ baseURL, storageState });
  const { id } = await made(request, "shared.traj", shopRun(`shared ${Date.now()} ${info.workerIndex}`));
  const headers = { origin: productOrigin() };
  for (const kind of ["live", "expired", "revoked"] as const) {
    const answer = await request.post(`/api/v1/trajectories/${id}/shares`, { data: { days: 3 }, headers });
    const { path, share } = shareCreatedSchema.parse(await answer.json());
    paths[kind] = path;
    if (kind === "revoked") await request.delete(`/api/v1/trajectories/${id}/shares/${share.id}`, { headers });
    if (kind === "expired") {
      const past = `"createdAt" = "createdAt" - interval '8 days', "expiresAt" = "expiresAt" - interval '8 days'`;
      await changeStored(`UPDATE "Share" SET ${past} WHERE "id" = $1`, [share.id]);
    }
  }
  await request.dispose();
});

const live =
  (query: string): Screen["open"] =>
  async (page) => {
    await page.goto(`${paths.live}${query}`);
    await expect(page.getByText("Read only")).toBeVisible();
  };
const dead =
  (kind: "expired" | "revoked"): Screen["open"] =>
  async (page) => {
    await page.goto(paths[kind]);
    await expect(page.getByRole("heading", { level: 1, name: "This link does not open anything" })).toBeVisible();
  };

testScreens("shared", [
  { name: "live", open: live("?turn=7"), isStranger: true },
  { name: "live, in code", open: live("?turn=7&pane=code"), isStranger: true },
  { name: "live, files", open: live("?turn=7&view=files"), isStranger: true },
  { name: "expired", open: dead("expired"), isStranger: true, expected: /404/ },
  { name: "revoked", open: dead("revoked"), isStranger: true, expected: /404/ },
]);

import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { setDocumentStatus, watchDocuments } from "./document-status";

/** Answers after all requests of a test have come, so that they stand side by side. */
let release = (): void => undefined;
let isOpen = Promise.resolve();
const server = http.createServer(async (request, response) => {
  await isOpen;
  if (request.url === "/missing") setDocumentStatus(404);
  if (request.url === "/broken") setDocumentStatus(500);
  response.end(request.url);
});
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
let port = 0;

beforeAll(async () => {
  watchDocuments();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: string | AddressInfo | null = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  port = address.port;
});

afterAll(async () => {
  agent.destroy();
  await new Promise((resolve) => server.close(resolve));
});

function statusOf(path: string, headers: Record<string, string> = {}, by?: http.Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    http
      .get({ host: "127.0.0.1", port, path, headers, ...(by ? { agent: by } : {}) }, (response) => {
        response.resume().on("end", () => resolve(response.statusCode ?? 0));
      })
      .on("error", reject);
  });
}

test("each of several requests that stand side by side has the status that was set for it", async () => {
  isOpen = new Promise<void>((resolve) => {
    release = resolve;
  });
  let count = 0;
  server.on("request", () => {
    count += 1;
    if (count === 5) release();
  });
  const paths = ["/missing", "/page", "/broken", "/missing", "/page"];
  expect(await Promise.all(paths.map((path) => statusOf(path)))).toEqual([404, 200, 500, 404, 200]);
});

test("requests on one connection do not take each other's status, nor does one that is no document", async () => {
  expect(await statusOf("/missing", {}, agent)).toBe(404);
  expect(await statusOf("/missing", { rsc: "1" }, agent)).toBe(200);
  expect(await statusOf("/page", {}, agent)).toBe(200);
  expect(await statusOf("/broken", {}, agent)).toBe(500);
});

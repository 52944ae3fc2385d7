import { readdirSync } from "node:fs";
import path from "node:path";
import { createApiKey } from "./api-keys";
import type { ProjectScope } from "./scope";

/** Requests to route handlers without a server between. For tests of the routes. */
const ORIGIN = "http://127.0.0.1:3210";
const API = path.resolve(import.meta.dirname, "../../app/api/v1");
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

/** Every route file under `app/api/v1`, as its folder's path from there: `trajectories/[id]/turns`. */
export function routeFolders(): string[] {
  return readdirSync(API, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .map((file) => path.dirname(file).split(path.sep).join("/"))
    .sort();
}

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

function isHandler(value: unknown): value is Handler {
  return typeof value === "function";
}

/** The methods that a route file exports. */
export async function methodsOf(folder: string): Promise<Method[]> {
  const module = await moduleOf(folder);
  return METHODS.filter((method) => isHandler(module[method]));
}

async function moduleOf(folder: string): Promise<Record<string, unknown>> {
  return await import(path.join(API, folder, "route.ts"));
}

export interface Asked {
  method?: Method;
  /** Values for `[id]` and its like. */
  params?: Record<string, string>;
  query?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Calls a route's handler the way the framework would. */
export async function ask(folder: string, asked: Asked = {}): Promise<Response> {
  const method = asked.method ?? "GET";
  const handler = (await moduleOf(folder))[method];
  if (!isHandler(handler)) throw new Error(`${folder} has no ${method}`);
  const address = folder.replaceAll(/\[(\w+)\]/g, (_, name: string) => encodeURIComponent(asked.params?.[name] ?? ""));
  const request = new Request(`${ORIGIN}/api/v1/${address}${asked.query ?? ""}`, {
    method,
    headers: { host: new URL(ORIGIN).host, origin: ORIGIN, ...asked.headers },
    ...(asked.body === undefined ? {} : { body: asked.body }),
  });
  return handler(request, { params: Promise.resolve(asked.params ?? {}) });
}

/** Headers with which a request acts for the project. */
export async function keyHeaders(scope: ProjectScope): Promise<Record<string, string>> {
  const { token } = await createApiKey(scope, "test");
  return { authorization: `Bearer ${token}` };
}

/** Every string of an answer, decoded: what a reader of it could see. */
export function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap((entry: unknown) => stringsOf(entry));
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, entry]) => [key, ...stringsOf(entry)]);
}

/** The paths of all keys of an answer, list entries merged: `row.format.id`, `files[].path`. */
export function keyPaths(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((entry: unknown) => keyPaths(entry, `${at}[]`)))].sort();
  if (value === null || typeof value !== "object") return [at];
  const keys = Object.entries(value).flatMap(([key, entry]) => keyPaths(entry, at === "" ? key : `${at}.${key}`));
  return [...new Set(keys)].sort();
}

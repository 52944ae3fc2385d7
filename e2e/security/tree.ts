import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const APP = path.join(import.meta.dirname, "..", "..", "app");
export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Method = (typeof METHODS)[number];

/** A route file: its address with the names in brackets, and the methods that it answers. */
export interface RouteFile {
  address: string;
  methods: Method[];
}

function filesCalled(name: string): string[] {
  return readdirSync(APP, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => path.basename(file) === name)
    .sort();
}

function addressOf(file: string): string {
  const folders = file.split("/").slice(0, -1);
  return `/${folders.filter((folder) => !/^\(.*\)$/.test(folder)).join("/")}`;
}

/** The address of every page file under `app`. */
export function pageAddresses(): string[] {
  return filesCalled("page.tsx").map(addressOf).sort();
}

/** Every route file under `app`. */
export function routeFiles(): RouteFile[] {
  return filesCalled("route.ts").map((file) => {
    const source = readFileSync(path.join(APP, file), "utf8");
    const exported = [...source.matchAll(/^export (?:const|async function|function|\{)(.*)/gm)].map(
      (match) => match[1] ?? "",
    );
    const methods = METHODS.filter((method) => exported.some((line) => new RegExp(`\\b${method}\\b`).test(line)));
    return { address: addressOf(file), methods };
  });
}

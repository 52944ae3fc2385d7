import path from "node:path";
import { resetEnv } from "@/lib/env";
import { withKeptEnvironment } from "../launch/environment.mjs";
import { Refused } from "./refused";

const ROOT = path.join(import.meta.dirname, "..", "..");

/** The variables of this process over those of the last `npm start` on the same data folder. */
export function readKeptEnvironment(): NodeJS.ProcessEnv {
  return withKeptEnvironment(process.env, ROOT);
}

/**
 * Makes the database of the last `npm start` the one of this process.
 * @throws Refused when there was none and DATABASE_URL is not set.
 */
export function adoptKeptEnvironment(): void {
  const kept = readKeptEnvironment();
  if (!kept.DATABASE_URL) {
    throw new Refused("There is no Misstep here yet. Start it first (npm start), or set DATABASE_URL.");
  }
  Object.assign(process.env, kept);
  resetEnv();
}

import { parseArgs } from "node:util";
import { createApiKey } from "@/lib/store/api-keys";
import { withStore } from "./store-session";

/** `misstep token [NAME]`: prints a new API key, which cannot be shown again. */
export async function token(args: string[]): Promise<void> {
  const { positionals } = parseArgs({ args, allowPositionals: true, options: {} });
  const made = await withStore((scope) => createApiKey(scope, positionals.join(" ") || "command line"));
  process.stdout.write(`${made.token}\n`);
}

import { env } from "@/lib/env";
import { createSignInLink } from "@/lib/store/sign-in-links";
import { withStore } from "./store-session";

/** `misstep link`: prints a one-time sign-in link on a line of its own. */
export async function link(): Promise<void> {
  const { path } = await withStore((scope) => createSignInLink(scope));
  process.stdout.write(`Open ${new URL(path, env().origin).href}\n`);
}

import { disconnect } from "@/lib/store/client";
import { ensureOwner } from "@/lib/store/owner";
import type { ProjectScope } from "@/lib/store/scope";
import { adoptKeptEnvironment } from "./kept-environment";

/** Does something in the database of the running Misstep with the rights of its owner, and lets go of it. */
export async function withStore<T>(work: (scope: ProjectScope) => Promise<T>): Promise<T> {
  adoptKeptEnvironment();
  try {
    return await work(await ensureOwner());
  } finally {
    await disconnect();
  }
}

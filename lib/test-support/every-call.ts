import { pool } from "@/lib/store/client";
import { CALL_FAULTS, type CallFault, type PostgresProxy } from "./postgres-proxy";

export interface Attempt {
  nth: number;
  fault: CallFault;
  /** What the work threw, null when it came to its end all the same. */
  error: unknown;
}

/**
 * Does `work` over and over, each time on something new from `prepare`, with one database call failing: the first, the
 * second, to the last, in every way that a call can fail. `judge` looks at what is left, with the connection whole again.
 * @returns how many calls the work makes when none fails.
 */
export async function failEveryCall<T>(
  proxy: PostgresProxy,
  prepare: (name: string) => Promise<T>,
  work: (prepared: T) => Promise<unknown>,
  judge: (prepared: T, attempt: Attempt) => Promise<void>,
): Promise<number> {
  const whole = await prepare("whole");
  proxy.arm();
  await work(whole);
  const calls = proxy.calls();
  for (const fault of CALL_FAULTS) {
    for (let nth = 1; nth <= calls; nth++) {
      const prepared = await prepare(`${fault} ${nth}`);
      proxy.arm(nth, fault);
      const error = await work(prepared).then(
        () => null,
        (thrown: unknown) => thrown,
      );
      proxy.arm();
      await settled();
      await judge(prepared, { nth, fault, error });
    }
  }
  return calls;
}

/** When the pool has found out about a connection that ended while nobody used it: the next one to ask would be told. */
async function settled(): Promise<void> {
  for (;;) {
    const isWhole = await pool()
      .query("SELECT 1")
      .then(
        () => true,
        () => false,
      );
    if (isWhole && pool().idleCount === pool().totalCount) return;
  }
}

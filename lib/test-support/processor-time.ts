/**
 * The processor time that `work` takes in this process, in milliseconds. Tests that bound time measure this and not the
 * clock on the wall: what else a busy machine does must not fail them.
 */
export function processorMs(work: () => void): number {
  const started = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1_000;
}

/**
 * A stopwatch for tests that bound work: it shows the milliseconds of processor time that this process has spent since it
 * was started. Wall time would also count what else a busy machine does.
 */
export function cpuStopwatch(): () => number {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
}

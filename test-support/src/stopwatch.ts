/**
 * Starts a stopwatch for tests of speed. It returns the milliseconds of processor time that this process has used since then, but at
 * most the time that has passed: other programs on a busy machine do not slow the first, other threads of this process not the second.
 */
export function stopwatch(): () => number {
  const started = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return Math.min(performance.now() - started, (user + system) / 1000);
  };
}

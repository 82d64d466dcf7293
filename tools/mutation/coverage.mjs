// Which tests run for a mutant. The dry run told which tests reach which mutants; a mutant that is reached while a test file is loaded can change
// any test of the file.

/** How often a mutant may be reached: this many times as often as without it, before the run counts as one without end. */
const kMostHits = 100;

/** Returns a test file of the dry run as `runsOf` wants it: the answer of a worker (worker.mjs) with the path. */
export function coverageOf(path, { milliseconds, reached, tests, failed }) {
  const inTests = Object.values(tests).reduce((sum, test) => sum + test.milliseconds, 0);
  return { path, loading: Math.max(0, milliseconds - inTests), reached, tests, failed: new Set(failed) };
}

/**
 * Returns the runs that can kill a mutant, the quickest first: `{ path, names, milliseconds, hitLimit }`, where `names` are the tests to run, or
 * null for all of a file. Tests that failed in the dry run do not run.
 */
export function runsOf(id, files) {
  const runs = [];
  for (const { path, loading, reached, tests, failed } of files) {
    const passing = Object.entries(tests).filter(([name]) => !failed.has(name));
    const reaching = id in reached ? passing : passing.filter(([, { hits }]) => id in hits);
    if (reaching.length === 0) continue;
    const names = reaching.length === Object.keys(tests).length ? null : reaching.map(([name]) => name);
    const milliseconds = reaching.reduce((sum, [, test]) => sum + test.milliseconds, loading);
    const hits = reaching.reduce((sum, [, test]) => sum + (test.hits[id] ?? 0), reached[id] ?? 0);
    runs.push({ path, names, milliseconds, hitLimit: kMostHits * hits + 1000 });
  }
  return runs.sort((a, b) => a.milliseconds - b.milliseconds);
}

// The test file that a worker runs, for the environment in which it runs: both import this module in one process.

/**
 * `mutant` is the id of the active mutant, or null in the dry run, which counts what each test reaches. `names` are the full names of the tests
 * to run, or null for all. The environment writes the rest: `isKilled`, `reached` (how often each mutant was reached outside of a test), `tests`
 * (by full name the milliseconds and how often it reached each mutant), `failed` (the names of failed tests), and `isOverLimit`.
 */
export const task = {
  mutant: null,
  hitLimit: Infinity,
  names: null,
  isKilled: false,
  reached: {},
  tests: {},
  failed: [],
  isOverLimit: false,
};

/** Prepares the next run. */
export function beginTask(mutant, names, hitLimit) {
  Object.assign(task, { mutant, names, hitLimit, isKilled: false, reached: {}, tests: {}, failed: [], isOverLimit: false });
}

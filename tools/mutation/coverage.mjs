// Which tests run for a mutant. The dry run told which tests reach which mutants; a mutant that is reached while a test file is loaded can change
// any test of the file.

/** The longest that the tests of a mutant may take, in milliseconds of the dry run: beyond, only the quickest of them run. */
const kMostMilliseconds = 6000;

/** Tests that take longer are not tried twice in the dry run, in milliseconds. */
export const kQuickMilliseconds = 500;

/**
 * Returns a test file of the dry run as `runsOf` wants it: the answer of a worker (worker.mjs) to a first run, without the tests that
 * failed, and that to a second run of the quick ones in the same opening, which tells which of them can be repeated.
 */
export function coverageOf(path, { milliseconds, reached, results }, again) {
  const failed = new Set(again.results?.filter(({ isFailed }) => isFailed).map(({ name }) => name));
  const tests = results.filter(({ isFailed }) => !isFailed).map((test) => ({ ...test, isRepeatable: !failed.has(test.name) }));
  return { path, loading: milliseconds, reached, tests };
}

/**
 * Returns the quickest tests that can kill a mutant, as many as there is time for, and whether there are others. With `isKept`, what a test has
 * computed by the mutant, as the text of a kernel, may be used by those behind it, which do not reach it.
 */
function quickest(id, files, isKept) {
  const all = files.flatMap(({ path, reached, tests }) => {
    const first = tests.findIndex(({ hits }) => id in hits);
    const isDependent = ({ hits }, k) => id in hits || id in reached || (isKept && first >= 0 && k > first);
    return tests.filter(isDependent).map((test) => ({ path, test, isReaching: id in test.hits }));
  });
  // A test that reaches the mutant itself comes before the others.
  all.sort((a, b) => Number(b.isReaching) - Number(a.isReaching) || a.test.milliseconds - b.test.milliseconds);
  let sum = 0;
  const chosen = all.filter(({ test }, k) => {
    sum += test.milliseconds;
    return k === 0 || sum <= kMostMilliseconds;
  });
  return { chosen, isAll: chosen.length === all.length };
}

/**
 * Returns the runs that can kill a mutant, the quickest first: `{ path, tests, loading, isStatic, milliseconds }`, where `tests` are
 * `{ name, milliseconds, isRepeatable, hits }`, the quickest first, `isStatic` tells that the mutant is reached while the file is loaded,
 * and `milliseconds` is what loading and tests took. `isAll` tells whether all tests that can kill it are in the runs. `isKept` is that of
 * the subject.
 */
export function runsOf(id, files, isKept = false) {
  const { chosen, isAll } = quickest(id, files, isKept);
  const runs = files.flatMap(({ path, loading, reached }) => {
    const tests = chosen.filter((each) => each.path === path).map(({ test }) => ({ ...test, hits: test.hits[id] ?? 0 }));
    const milliseconds = tests.reduce((sum, test) => sum + test.milliseconds, loading);
    return tests.length === 0 ? [] : [{ path, tests, loading, isStatic: id in reached, milliseconds }];
  });
  return { runs: runs.sort((a, b) => a.milliseconds - b.milliseconds), isAll };
}

// Tries a mutant with the tests of one file, as sure as in a process of its own, and mostly without a new one.
//
// A worker has the file open and runs the tests of one mutant after the other in it. What a mutant has left behind, or what was computed once and
// kept, could make that wrong, so that it counts only where it can be trusted:
// - A test that fails counts if it passes right afterwards without the mutant. If not, it runs again in a new opening of the file.
//   Tests that are known to fail when they are repeated run only in a new opening.
// - A test that passes counts if it has reached the mutant at least half as often as in the dry run. If not, or if the mutant is also reached while the
//   file is loaded, it runs again in a new opening.
// - A test that fails in a new opening counts if it passes alone in another one without the mutant.

/** Runs tests of one file by a worker of a pool (pool.mjs). */
class Trials {
  #worker;
  #path;
  /** The milliseconds that the file took to be loaded. */
  #loading = 0;
  /** Whether a test passes alone without a mutant, by its name. */
  #alone = new Map();

  constructor(worker, path) {
    this.#worker = worker;
    this.#path = path;
  }

  /**
   * Tries a mutant with tests, as `runsOf` returns them. Returns "test" if a test fails with it, "time" if one does not end or the process
   * ends, and null if all pass.
   */
  async try(mutant, { tests, loading, isStatic }) {
    this.#loading = loading;
    const reaching = tests.filter(({ hits, isRepeatable }) => hits > 0 && isRepeatable);
    const warm = reaching.length === 0 ? { results: [] } : await this.#run(mutant, reaching, "any");
    if (warm.ended !== undefined) return "time";
    const failed = warm.results.find(({ isFailed }) => isFailed);
    if (failed !== undefined && (await this.#passes(failed.name, reaching, "any"))) return killerOf(failed);
    const isSure = isStatic || failed !== undefined ? () => false : sureBy(warm.results);
    return this.#tryAnew(
      mutant,
      tests.filter((test) => !isSure(test)),
      isStatic,
    );
  }

  async #tryAnew(mutant, tests, isStatic) {
    let rest = tests;
    while (rest.length > 0) {
      const { ended, error, results } = await this.#run(mutant, rest, isStatic ? "mutated" : "new");
      if (ended !== undefined) return "time";
      if (error !== null) return "test";
      const failed = results.find(({ isFailed }) => isFailed);
      if (failed === undefined) return null;
      if (await this.#passesAlone(failed.name, rest)) return killerOf(failed);
      rest = rest.slice(rest.findIndex(({ name }) => name === failed.name) + 1);
    }
    return null;
  }

  async #passesAlone(name, tests) {
    if (!this.#alone.has(name)) this.#alone.set(name, await this.#passes(name, tests, "new"));
    return this.#alone.get(name);
  }

  async #passes(name, tests, opening) {
    const one = tests.filter((test) => test.name === name);
    const { results } = await this.#run(null, one, opening);
    return results?.[0]?.isFailed === false;
  }

  #run(mutant, tests, loading) {
    const isOpen = loading === "any" && this.#worker.has(this.#path);
    return this.#worker.run({ path: this.#path, mutant, tests, loading }, isOpen ? 0 : this.#loading);
  }
}

/** Returns a function that tells whether a test that has passed reached the mutant about as often as in the dry run. */
function sureBy(results) {
  const reached = new Map(results.map(({ name, hits }) => [name, hits]));
  return ({ name, hits }) => reached.has(name) && reached.get(name) >= hits / 2;
}

const killerOf = ({ isOverLimit }) => (isOverLimit ? "time" : "test");

/** Returns a function that gives the trials of a worker with a test file. */
export function trialsBy(worker) {
  const trials = new Map();
  return (path) => {
    if (!trials.has(path)) trials.set(path, new Trials(worker, path));
    return trials.get(path);
  };
}

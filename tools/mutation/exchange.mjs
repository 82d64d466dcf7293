// Where a worker and the environment of the test file that it has open meet: both import this module in one process. The worker sends requests,
// the environment answers them.

/** A request is `{ mutant, tests }`: the id of a mutant or null, and the tests to run, `{ name, milliseconds, hits }` each, or null for all. */
class Exchange {
  /** The mutant that is active while the file is loaded, or null. */
  mutant = null;
  /** Called when a test begins that was asked for, with the milliseconds that it took in the dry run. */
  onTest = () => {};
  #wanting = null;
  #settle = null;

  /** Begins with a file: the promise that is returned is settled when the file is loaded, with what `answer` is given. */
  begin(mutant) {
    this.mutant = mutant;
    this.#wanting = null;
    return this.#answered();
  }

  /** Sends a request to the environment, which waits for one. Returns its answer. */
  send(request) {
    const answered = this.#answered();
    this.#wanting(request);
    return answered;
  }

  /** Lets the file end. */
  end() {
    this.#wanting(null);
  }

  /** Answers the worker, and returns its next request, or null if the file shall end. */
  answer(answer) {
    return new Promise((resolve) => {
      this.#wanting = resolve;
      this.#settle(answer);
    });
  }

  #answered() {
    return new Promise((resolve) => {
      this.#settle = resolve;
    });
  }
}

export const exchange = new Exchange();

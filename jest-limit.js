// Fails tests that take too long for `npm test`: 12,000 tests share 120 s of processor time. Long forms belong to `npm run long`.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/**
 * The most processor time of a test, in milliseconds. A test should take at most 2 s on the machine of docs/contributing/benchmarks.md. It
 * fails at twice that: machines differ by up to two in speed, and programs that compete for caches make a test as much slower. A wall clock
 * would count the time of other programs on a busy machine.
 */
const kMostMilliseconds = 4000;

/** How old a reading of the clock may be, in milliseconds, when a test begins. */
const kFreshMilliseconds = 20;

const kProcessors = availableParallelism();

/** Returns the processor time of this process and, on Linux, of the processes that it has waited for, in milliseconds. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  let ofChildren = 0;
  try {
    // The times of the children are the fields 16 and 17, in units of 10 ms. Field 2, the name of the program, is in parentheses.
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ").at(-1).split(" ");
    ofChildren = 10 * (Number(fields[13]) + Number(fields[14]));
  } catch {
    // Other systems do not tell: there the limit holds for what a test computes in its own process.
  }
  return (user + system) / 1000 + ofChildren;
}

/** Measures each test of a file from the events of Jest's runner. */
export class TestLimit {
  #clock;
  #most;
  #now;
  /** The processor time, and the time of day, when the processor time was last read before the test that runs. */
  #used = 0;
  #readAt = -Infinity;
  #startedAt = 0;

  constructor(clock = processorTime, most = kMostMilliseconds, now = () => performance.now()) {
    this.#clock = clock;
    this.#most = most;
    this.#now = now;
  }

  /** Reading the clock takes as long as a small test, so it is read at most every `kFreshMilliseconds`; the tests since then are counted. */
  #start(now) {
    this.#startedAt = now;
    if (now - this.#readAt < kFreshMilliseconds) return;
    this.#readAt = now;
    this.#used = this.#clock();
  }

  /** Handles an event of the runner: a test that passes, but takes longer than the limit, gets an error. Hooks are not measured. */
  handle({ name, test }) {
    if (name === "test_fn_start") this.#start(this.#now());
    // What ran for a short time cannot have used much on any number of processors: most tests do not need the clock.
    if (name !== "test_fn_success" || (this.#now() - this.#startedAt) * kProcessors <= this.#most) return;
    const used = Math.round(this.#clock() - this.#used);
    if (used <= this.#most) return;
    const error = new Error(`the test took ${used} ms of processor time, more than ${this.#most}: move its long form to npm run long`);
    // The stack would be that of the runner.
    error.stack = `Error: ${error.message}`;
    test.errors.push(error);
  }
}

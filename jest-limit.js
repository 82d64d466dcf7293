// Fails tests that take too long for `npm test`: 12,000 tests share 100 s of processor time. Long forms belong to `npm run long`.
import { readFileSync } from "node:fs";

/**
 * The most processor time of a test, in milliseconds. A test should take at most 2 s on the machine of docs/contributing/benchmarks.md. It
 * fails at twice that: machines differ by up to two in speed, and programs that compete for caches make a test as much slower. A wall clock
 * would count the time of other programs on a busy machine.
 */
const kMostMilliseconds = 4000;

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
  #started = 0;

  constructor(clock = processorTime, most = kMostMilliseconds) {
    this.#clock = clock;
    this.#most = most;
  }

  /** Handles an event of the runner: a test that passes, but takes longer than the limit, gets an error. Hooks are not measured. */
  handle({ name, test }) {
    if (name === "test_fn_start") this.#started = this.#clock();
    if (name !== "test_fn_success") return;
    const used = Math.round(this.#clock() - this.#started);
    if (used <= this.#most) return;
    const error = new Error(`the test took ${used} ms of processor time, more than ${this.#most}: move its long form to npm run long`);
    // The stack would be that of the runner.
    error.stack = `Error: ${error.message}`;
    test.errors.push(error);
  }
}

// Processes that run test files (worker.mjs): one for each file, so that the file stays open. A process that exceeds the time of a run,
// ends, or has grown too large is replaced.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The size of a process after which a new one takes over, in bytes: Jest never frees the modules of a test file. */
const kMostBytes = 6e8;

/** How many processes a worker keeps: beyond, the one that was used longest ago ends. */
const kMostProcesses = 12;

/** Returns the longest that a test, or opening its file, may take, in milliseconds: a mutant that makes it as much slower counts as killed. */
const mostMilliseconds = (expected) => 3000 + 5 * expected;

const kOptions = ["--experimental-vm-modules", "--no-warnings", "--max-old-space-size=3000"];

/** Returns a process that has sent its first message. */
function started(env) {
  const path = fileURLToPath(new URL("worker.mjs", import.meta.url));
  const child = fork(path, { execArgv: kOptions, env, stdio: ["ignore", "ignore", "pipe", "ipc"], serialization: "advanced" });
  let errors = "";
  child.stderr.on("data", (data) => {
    errors = (errors + data).slice(-4000);
  });
  return new Promise((resolve, reject) => {
    child.once("message", () => resolve(child));
    child.once("exit", () => reject(new Error(`a process for tests did not begin: ${errors}`)));
  });
}

/** Some processes, each with a test file, of which one at a time runs. */
export class Worker {
  #env;
  /** By the path of its file, the one that was used last at the end. */
  #children = new Map();

  constructor(folder) {
    this.#env = { ...process.env, ONEBUFFER_MUTATION: folder, NODE_ENV: "test" };
  }

  /** True if there is a process for a file. */
  has(path) {
    return this.#children.has(path);
  }

  /**
   * Sends a run to the process of its file. Until its first test begins, `expected` milliseconds are expected to pass. Returns its answer, or
   * `{ ended: "time" | "process" }`.
   */
  async run(message, expected) {
    const child = await this.#childFor(message.path);
    const answer = await new Promise((resolve) => {
      let timer;
      const expect = (milliseconds) => {
        clearTimeout(timer);
        timer = setTimeout(() => resolve({ ended: "time" }), mostMilliseconds(milliseconds));
      };
      const settle = (value) => {
        clearTimeout(timer);
        resolve(value);
      };
      expect(expected);
      child.removeAllListeners("message").on("message", (value) => (value.next === undefined ? settle(value) : expect(value.next)));
      child.removeAllListeners("exit").once("exit", () => settle({ ended: "process" }));
      child.send(message);
    });
    if (answer.ended !== undefined || answer.size > kMostBytes) this.#end(message.path);
    return answer;
  }

  /** Ends the processes. */
  stop() {
    for (const path of [...this.#children.keys()]) this.#end(path);
  }

  async #childFor(path) {
    const child = this.#children.get(path) ?? (await started(this.#env));
    this.#children.delete(path);
    this.#children.set(path, child);
    if (this.#children.size > kMostProcesses) this.#end(this.#children.keys().next().value);
    return child;
  }

  #end(path) {
    this.#children.get(path)?.kill("SIGKILL");
    this.#children.delete(path);
  }
}

/** Calls `run(worker, item)` for each item, by some workers at a time, until `isOver()`. Returns the results of the items that were tried. */
export async function eachOf(items, workers, run, isOver) {
  const results = [];
  let next = 0;
  const loop = async (worker) => {
    while (next < items.length && !isOver()) results.push(await run(worker, items[next++]));
  };
  await Promise.all(workers.map(loop));
  return results;
}

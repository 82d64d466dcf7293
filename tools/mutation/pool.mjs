// Processes that run test files (worker.mjs). A process that exceeds the time of a run, ends, or has grown too large is replaced.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The size of a process after which a new one takes over, in bytes: Jest never frees the modules of a test file. */
const kMostBytes = 1.2e9;

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

/** One process after the other, of which each runs one test file at a time. */
export class Worker {
  #env;
  #child = null;

  constructor(folder) {
    this.#env = { ...process.env, ONEBUFFER_MUTATION: folder, NODE_ENV: "test" };
  }

  /** Sends a run to the process. Returns its answer, or `{ ended: "time" | "process" }`. */
  async run(message, milliseconds) {
    this.#child ??= await started(this.#env);
    const child = this.#child;
    const answer = await new Promise((resolve) => {
      const timer = setTimeout(() => resolve({ ended: "time" }), milliseconds);
      const settle = (value) => {
        clearTimeout(timer);
        resolve(value);
      };
      child.removeAllListeners("message").once("message", settle);
      child.removeAllListeners("exit").once("exit", () => settle({ ended: "process" }));
      child.send(message);
    });
    if (answer.ended !== undefined || answer.heap > kMostBytes) this.stop();
    return answer;
  }

  /** Ends the process. */
  stop() {
    this.#child?.kill("SIGKILL");
    this.#child = null;
  }
}

/** Calls `run(worker, item)` for each item, by `count` workers at a time, until `isOver()`. Returns the results of the items that were tried. */
export async function eachOf(items, folder, count, run, isOver) {
  const results = [];
  let next = 0;
  const loop = async () => {
    const worker = new Worker(folder);
    try {
      while (next < items.length && !isOver()) results.push(await run(worker, items[next++]));
    } finally {
      worker.stop();
    }
  };
  await Promise.all(Array.from({ length: Math.min(count, items.length) }, loop));
  return results;
}

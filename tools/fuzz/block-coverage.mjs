// Which blocks of the library were executed: V8's precise block coverage, through Node's inspector.
import { Session } from "node:inspector";

/** The compiled library; other code does not count. */
const kLibrary = /\/packages\/[\w-]+\/dist\/src\//;

/** The blocks that were ever executed. */
export class BlockCoverage {
  #session = new Session();
  #seen = new Set();

  constructor() {
    this.#session.connect();
    this.#post("Profiler.enable");
    this.#post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  #post(method, parameters) {
    let result;
    // The inspector of the own thread answers before `post` returns.
    this.#session.post(method, parameters, (error, answer) => {
      if (error) throw error;
      result = answer;
    });
    return result;
  }

  /** The number of blocks that were executed so far. */
  get size() {
    return this.#seen.size;
  }

  /** Returns the names of blocks that were executed since the last call, and never before. With `keeps` false they stay new. */
  takeNew(keeps = true) {
    const fresh = [];
    for (const { scriptId, url, functions } of this.#post("Profiler.takePreciseCoverage").result) {
      if (!kLibrary.test(url)) continue;
      for (const { ranges } of functions) {
        for (const { startOffset, endOffset, count } of ranges) {
          const name = `${scriptId}:${startOffset}:${endOffset}`;
          if (count > 0 && !this.#seen.has(name)) fresh.push(name);
        }
      }
    }
    if (keeps) for (const name of fresh) this.#seen.add(name);
    return fresh;
  }

  end() {
    this.#post("Profiler.stopPreciseCoverage");
    this.#session.disconnect();
  }
}

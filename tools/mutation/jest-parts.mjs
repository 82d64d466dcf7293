// Jest's runner without its command line: one configuration and one resolver for all runs of a process, where the command line would
// need a second to begin.
import { fileURLToPath } from "node:url";
import { readConfig } from "jest-config";
import JestRunner from "jest-runner";
import Runtime from "jest-runtime";
import { TestWatcher } from "jest-watcher";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Runs test files in this process. */
export class TestRunner {
  #context;
  #runner;
  #settle = () => {};

  constructor(globalConfig, context) {
    this.#context = context;
    this.#runner = new JestRunner(globalConfig, {});
    this.#runner.on("test-file-success", ([, result]) => this.#settle(result.testExecError ?? null));
    this.#runner.on("test-file-failure", ([, error]) => this.#settle(error));
  }

  /** Returns a runner with the configuration of jest.config.mjs. */
  static async create() {
    const { globalConfig, projectConfig } = await readConfig(
      { _: [], $0: "", config: "tools/mutation/jest.config.mjs", silent: true },
      root,
    );
    const context = await Runtime.createContext(projectConfig, { maxWorkers: 1, watch: false, watchman: false });
    return new TestRunner(globalConfig, context);
  }

  /** Runs a test file. Returns the milliseconds it took, and as a text the error that kept it from running, or null. */
  async run(path) {
    const started = performance.now();
    const outcome = new Promise((resolve) => {
      this.#settle = resolve;
    });
    await this.#runner.runTests([{ context: this.#context, path }], new TestWatcher({ isWatchMode: false }), { serial: true });
    const error = await outcome;
    return { milliseconds: performance.now() - started, error: error === null ? null : String(error.message ?? error) };
  }
}

// The environment of test files over instrumented modules: activates a mutant and skips what need not run, or, in the dry run, notes which
// tests reach which mutants.
import BinaryEnvironment from "../../jest-env.js";
import { task } from "./task.mjs";

/** Returns the full name of a test: the names of its groups and its own. */
export function fullName(test) {
  const names = [];
  for (let node = test; node.parent !== undefined; node = node.parent) names.unshift(node.name);
  return names.join(" ");
}

export default class MutationEnvironment extends BinaryEnvironment {
  /** StrykerJS's name for what instrumented modules and those who run them share. */
  #shared;
  #startedAt = 0;

  constructor(config, context) {
    super(config, context);
    this.#shared = { activeMutant: task.mutant ?? undefined, mutantCoverage: { static: {}, perTest: {} } };
    if (task.mutant !== null) Object.assign(this.#shared, { hitCount: 0, hitLimit: task.hitLimit });
    this.global.__stryker__ = this.#shared;
  }

  handleTestEvent(event) {
    super.handleTestEvent(event);
    const { name, test } = event;
    if (name === "test_start") this.#start(test);
    if (name === "test_done" || name === "test_skip") this.#end(test);
    if (name === "hook_failure" && test === undefined) task.isKilled = true;
  }

  #start(test) {
    const id = fullName(test);
    if (task.names !== null && !task.names.has(id)) test.mode = "skip";
    // One failure is enough.
    if (task.mutant !== null && (task.isKilled || this.#shared.hitCount > task.hitLimit)) test.mode = "skip";
    this.#shared.currentTestId = id;
    this.#startedAt = performance.now();
  }

  #end(test) {
    const id = this.#shared.currentTestId;
    this.#shared.currentTestId = undefined;
    if (test.errors.length > 0) {
      task.isKilled = true;
      task.failed.push(id);
    }
    if (task.mutant === null) task.tests[id] = { milliseconds: performance.now() - this.#startedAt, hits: {} };
  }

  async teardown() {
    const { static: outside, perTest } = this.#shared.mutantCoverage;
    if (task.mutant === null) {
      task.reached = { ...outside };
      for (const [id, hits] of Object.entries(perTest)) if (id in task.tests) task.tests[id].hits = { ...hits };
    } else task.isOverLimit = this.#shared.hitCount > task.hitLimit;
    await super.teardown();
  }
}

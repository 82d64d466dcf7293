// The environment of test files over instrumented modules. It keeps a loaded file open and runs tests of it, one by one or all, whenever
// the worker asks, each time with another active mutant.
//
// Jest walks through the tests of a file as through a list. Here, the list begins with a pause, a test that is skipped. When Jest arrives
// there, the environment waits for a request, and puts the tests of the request and another pause behind.
import BinaryEnvironment from "../../jest-env.js";
import { exchange } from "./exchange.mjs";
import { kMostMutants } from "./mutants.mjs";

/** How often a mutant may be reached in a test: this many times as often as without it, before the test counts as one without end. */
const kMostHits = 100;

/** Returns the longest that an asynchronous test may take with a mutant, in milliseconds. */
const mostMilliseconds = (expected) => 3000 + 10 * expected;

/** Returns the groups of a test, the innermost first. */
function groupsOf(test) {
  const groups = [];
  for (let group = test.parent; group.parent !== undefined; group = group.parent) groups.push(group);
  return groups;
}

/** Returns the tests below a group that are not skipped, by their names: those of their groups and their own. Equal names are numbered. */
function testsOf(root) {
  const tests = new Map();
  const add = (node, isSkipped) => {
    for (const child of node.children) {
      if (child.type === "describeBlock") add(child, isSkipped || child.mode === "skip");
      else if (!isSkipped && child.mode !== "skip" && child.mode !== "todo") tests.set(nameOf(child, tests), child);
    }
  };
  add(root, false);
  return tests;
}

/** Returns the full name of a test, with a number if others have it already. */
function nameOf(test, others) {
  const name = [test, ...groupsOf(test)]
    .map((each) => each.name)
    .reverse()
    .join(" ");
  let number = 1;
  while (others.has(number === 1 ? name : `${name} (${number})`)) number++;
  return number === 1 ? name : `${name} (${number})`;
}

/** Returns a test within those of its groups that have something to do before or after all of their tests. */
function withGroups(test) {
  const hasHooks = ({ hooks }) => hooks.some(({ type }) => type === "beforeAll" || type === "afterAll");
  return groupsOf(test).reduce((child, group) => (hasHooks(group) ? { ...group, children: [child] } : child), test);
}

export default class MutationEnvironment extends BinaryEnvironment {
  /** StrykerJS's name for what instrumented modules and those who run them share; mutants.mjs has the code that uses it. */
  #shared;
  #openedAt = performance.now();
  #root = null;
  #tests = new Map();
  #names = new Map();
  #queue = [];
  #pause = null;
  #request = null;
  #results = [];
  #current = null;
  #startedAt = 0;
  #hasLoadFailed = false;

  constructor(config, context) {
    super(config, context);
    this.#shared = { activeMutant: exchange.mutant ?? -1, hitCount: 0, hitLimit: Infinity, counts: new Uint32Array(kMostMutants) };
    this.global.__stryker__ = this.#shared;
  }

  handleTestEvent(event, state) {
    super.handleTestEvent(event);
    const { name, test } = event;
    if (name === "run_start") this.#begin(state.rootDescribeBlock);
    if (name === "hook_failure" && test === undefined && this.#request === null) this.#hasLoadFailed = true;
    if (name === "test_start") this.#start(test);
    if (name === "test_done") this.#current.milliseconds = performance.now() - this.#startedAt;
    if (name === "test_skip" && test === this.#pause) return this.#wait();
  }

  #begin(root) {
    this.#root = root;
    this.#tests = testsOf(root);
    this.#names = new Map([...this.#tests].map(([name, test]) => [test, name]));
    // Not skipped yet: Jest calls hooks before all tests only for tests that run.
    this.#pause = { type: "test", name: "pause", parent: root, mode: undefined, errors: [] };
    this.#queue = [this.#pause];
    root.children = this.#queue;
  }

  /** Answers what was asked before, and asks Jest for what the worker wants next. */
  async #wait() {
    const milliseconds = performance.now() - this.#openedAt;
    const loaded = { milliseconds, reached: this.#reached(), isKilled: this.#hasLoadFailed };
    this.#shared.activeMutant = -1;
    this.#request = await exchange.answer(this.#request === null ? loaded : { results: this.#results });
    this.#results = [];
    if (this.#request === null) {
      this.#root.children = [];
      return;
    }
    this.#shared.activeMutant = this.#request.mutant ?? -1;
    this.#shared.counts.fill(0);
    const names = this.#request.tests?.map(({ name }) => name) ?? [...this.#tests.keys()];
    const tests = names.flatMap((name) => this.#tests.get(name) ?? []);
    this.#queue.push(...tests.map((test) => withGroups(renewed(test))), this.#pause);
  }

  #start(test) {
    this.#settle();
    // One failure is enough.
    const isOver = this.#request !== null && this.#request.mutant !== null && this.#results.some(({ isFailed }) => isFailed);
    if (isOver || test === this.#pause) test.mode = "skip";
    if (test.mode === "skip") return;
    const name = this.#names.get(test);
    const expected = this.#request.tests?.find((each) => each.name === name);
    if (expected !== undefined) exchange.onTest(expected.milliseconds);
    this.#shared.hitCount = 0;
    this.#shared.hitLimit = expected === undefined ? Infinity : kMostHits * expected.hits + 1000;
    if (this.#request.mutant !== null) test.timeout = Math.min(test.timeout ?? 30_000, mostMilliseconds(expected.milliseconds));
    this.#current = { name, test, milliseconds: 0 };
    this.#startedAt = performance.now();
  }

  /** Notes what became of the test before: Jest adds errors to a test until the next one begins. */
  #settle() {
    if (this.#current === null) return;
    const { name, test, milliseconds } = this.#current;
    const hits = this.#request.mutant === null ? this.#reached() : this.#shared.hitCount;
    const isOverLimit = this.#shared.hitCount > this.#shared.hitLimit;
    this.#results.push({ name, milliseconds, isFailed: isOverLimit || test.errors.length > 0, isOverLimit, hits });
    this.#current = null;
  }

  /** Returns how often each mutant was reached since the last call. */
  #reached() {
    const { counts } = this.#shared;
    const reached = {};
    for (let id = 0; id < counts.length; id++) if (counts[id] > 0) reached[id] = counts[id];
    counts.fill(0);
    return reached;
  }
}

const timeouts = new WeakMap();

/** Returns a test as it was before it ran. */
function renewed(test) {
  if (!timeouts.has(test)) timeouts.set(test, test.timeout);
  test.unhandledRejectionErrorByPromise?.clear();
  const timeout = timeouts.get(test);
  return Object.assign(test, { mode: undefined, errors: [], timeout, status: null, invocations: 0, retryReasons: [], seenDone: false });
}

// Makes assertions that hold cheap. Jest's `expect(actual)` makes an error with its stack and six functions for each of some forty
// matchers before one of them is called: 10 to 20 µs, which was up to half of a test file's time. Here `expect(actual)` makes one
// small object, and the most frequent matchers are decided by a comparison. Every other matcher, and every assertion that does not
// hold, is Jest's own, so results and messages are Jest's.
import { fileURLToPath } from "node:url";

/** Arrays nested deeper than this are compared by Jest. */
const kMaxDepth = 16;

const isPrimitive = (value) => value === null || (typeof value !== "object" && typeof value !== "function");

/** Returns true if both are arrays, or typed arrays of one class, without properties other than their elements. */
function sameKindOfArray(a, b) {
  if (isPrimitive(a) || isPrimitive(b)) return false;
  // First, because other objects may refuse to be asked for their length.
  if (!(Array.isArray(a) && Array.isArray(b)) && !(ArrayBuffer.isView(a) && ArrayBuffer.isView(b))) return false;
  if (a.length !== b.length || a.constructor !== b.constructor) return false;
  return [a, b].every((array) => Object.keys(array).length === array.length && Object.getOwnPropertySymbols(array).length === 0);
}

/** Returns true if Jest's toEqual certainly holds: equal primitives, and equal arrays of such values. */
function certainlyEqual(a, b, depth = 0) {
  if (isPrimitive(a)) return Object.is(a, b);
  if (depth > kMaxDepth || !sameKindOfArray(a, b)) return false;
  for (let i = 0; i < a.length; i++) if (!certainlyEqual(a[i], b[i], depth + 1)) return false;
  return true;
}

/** Returns true for the operands that Jest's comparisons of size accept. */
const areNumbers = (...values) => values.every((value) => typeof value === "number" || typeof value === "bigint");

/** The matchers that are decided here. Each returns true if the assertion certainly holds; otherwise Jest decides. */
const kQuick = {
  toBe: (actual, expected) => Object.is(actual, expected),
  toEqual: (actual, expected) => certainlyEqual(actual, expected),
  toContain: (actual, expected) =>
    typeof actual === "string"
      ? typeof expected === "string" && actual.includes(expected)
      : Array.isArray(actual) && actual.indexOf(expected) >= 0,
  toHaveLength: (actual, expected) => Number.isInteger(expected) && expected >= 0 && actual?.length === expected,
  toBeLessThan: (actual, expected) => areNumbers(actual, expected) && actual < expected,
  toBeLessThanOrEqual: (actual, expected) => areNumbers(actual, expected) && actual <= expected,
  toBeGreaterThan: (actual, expected) => areNumbers(actual, expected) && actual > expected,
  toBeGreaterThanOrEqual: (actual, expected) => areNumbers(actual, expected) && actual >= expected,
  toBeDefined: (actual) => actual !== undefined,
  toBeUndefined: (actual) => actual === undefined,
  toBeNull: (actual) => actual === null,
};

const kThisFile = fileURLToPath(import.meta.url);

/** Removes the lines of this file from an error's stack, so that the first line is the test's. */
function withoutThisFile(error) {
  if (typeof error?.stack === "string")
    error.stack = error.stack
      .split("\n")
      .filter((line) => !line.includes(kThisFile))
      .join("\n");
  return error;
}

/** Returns an `expect` that does what `jestExpect` does. */
export function quickExpect(jestExpect) {
  // Jest changes the properties of this object, and never replaces it.
  const state = jestExpect.getState();

  class Expectation {
    constructor(actual) {
      this.actual = actual;
    }

    get not() {
      return jestExpect(this.actual).not;
    }

    get resolves() {
      return cleanPromises(jestExpect(this.actual).resolves);
    }

    get rejects() {
      return cleanPromises(jestExpect(this.actual).rejects);
    }
  }

  /** Returns matchers of a promise whose errors do not show this file. */
  function cleanPromises({ not, ...matchers }) {
    const fail = (error) => {
      throw withoutThisFile(error);
    };
    const clean =
      (matcher) =>
      (...args) => {
        try {
          return matcher(...args).catch(fail);
        } catch (error) {
          return fail(error);
        }
      };
    const all = (named) => Object.fromEntries(Object.entries(named).map(([name, matcher]) => [name, clean(matcher)]));
    return { ...all(matchers), not: all(not) };
  }

  /** Adds Jest's matchers. They are getters, so that the test calls Jest's function itself and is the first line of its errors. */
  function addMatchers(names) {
    for (const name of names) {
      Object.defineProperty(Expectation.prototype, name, {
        configurable: true,
        get() {
          return jestExpect(this.actual)[name];
        },
      });
    }
  }

  addMatchers(Object.keys(jestExpect(null).not));
  for (const [name, holds] of Object.entries(kQuick)) {
    Object.defineProperty(Expectation.prototype, name, {
      value(...args) {
        // Jest refuses some calls with a wrong number of arguments.
        if (args.length === holds.length - 1 && holds(this.actual, ...args)) {
          state.assertionCalls++;
          state.numPassingAsserts++;
          return;
        }
        try {
          jestExpect(this.actual)[name](...args);
        } catch (error) {
          throw withoutThisFile(error);
        }
      },
    });
  }

  const expect = (...args) => (args.length > 1 ? jestExpect(...args) : new Expectation(args[0]));
  // Asymmetric matchers and settings are Jest's.
  Object.setPrototypeOf(expect, jestExpect);
  expect.extend = (matchers) => {
    jestExpect.extend(matchers);
    addMatchers(Object.keys(matchers));
  };
  return expect;
}

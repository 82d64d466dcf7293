// The `expect` of all tests (jest-expect.js) gives the same verdicts, messages and counts as Jest's own.
import { expect, test } from "@jest/globals";
import { quickExpect } from "../jest-expect.js";

const jestExpect = Object.getPrototypeOf(expect);
const ours = quickExpect(jestExpect);

const cyclic = [];
cyclic.push(cyclic);
const deep = (levels) => (levels === 0 ? [1] : [deep(levels - 1)]);
const owned = (symbol) => Object.assign(new Float32Array(2), { [symbol]: 1 });
const extra = Object.assign([1, 2], { index: 0 });

const values = [
  ...[undefined, null, 0, -0, 1, 1.5, -1, NaN, Infinity, 1n, 2n ** 70n, true, false, "", "1", "a1", Symbol.iterator],
  ...[
    () => 1,
    {},
    { length: 1 },
    { length: -1 },
    { a: 1 },
    { a: undefined },
    new Date(0),
    new Error("a"),
    /a/,
    new Map([[1, 2]]),
    new Set([1]),
  ],
  ...[[], [1], [1n], [1.5, NaN], [-0], [0], [undefined], new Array(1), [[1], [2]], [[1], [2]], ["a1"], [null], [{ a: 1 }], extra, [1, 2]],
  ...[
    new Uint8Array(2),
    new Float32Array(2),
    owned("x"),
    owned(Symbol("x")),
    new Float32Array([NaN, -0]),
    new DataView(new ArrayBuffer(2)),
  ],
  ...[Object.assign([], { length: 2 }), Object.freeze([1]), new (class extends Array {})(1), deep(3), deep(40), deep(40), cyclic, [cyclic]],
  ...[expect.anything(), expect.any(Number), [expect.anything()], { length: 2, 0: 0, 1: 0 }],
];

const kNames = Object.keys(jestExpect(null).not);

/** The matchers that are decided without Jest. */
const kQuick = [
  ...["toBe", "toEqual", "toContain", "toHaveLength", "toBeDefined", "toBeUndefined", "toBeNull"],
  ...["toBeLessThan", "toBeLessThanOrEqual", "toBeGreaterThan", "toBeGreaterThanOrEqual"],
];

test.each(kNames)("%s holds without Jest only if Jest says so too", (name) => {
  let asked = false;
  const silent = Object.fromEntries(kNames.map((known) => [known, () => {}]));
  const spy = Object.setPrototypeOf(() => {
    asked = true;
    return { ...silent, not: silent };
  }, jestExpect);
  const spied = quickExpect(spy);
  const state = jestExpect.getState();
  const differing = [];
  let quick = 0;
  // Jest is asked about every call of the other matchers, whatever the values are.
  const tried = kQuick.includes(name) ? values : values.slice(0, 9);
  for (const actual of tried) {
    for (const args of [[], ...tried.map((value) => [value]), [1, 1]]) {
      asked = false;
      const { assertionCalls, numPassingAsserts } = state;
      spied(actual)[name](...args);
      if (asked) continue;
      quick++;
      if (state.assertionCalls !== assertionCalls + 1 || state.numPassingAsserts !== numPassingAsserts + 1) differing.push("counts");
      try {
        jestExpect(actual)[name](...args);
      } catch ({ message }) {
        differing.push(message);
      }
    }
  }
  jestExpect(differing).toEqual([]);
  jestExpect(quick > 0).toBe(kQuick.includes(name));
});

test("an assertion that does not hold has Jest's message", () => {
  const message = (tried) => {
    try {
      tried([1, [2]]).toEqual([1, [3]]);
    } catch (error) {
      return error.message;
    }
    return undefined;
  };
  jestExpect(message(ours)).toContain("deep equality");
  jestExpect(message(ours)).toBe(message(jestExpect));
});

test("an error begins at the line of the assertion", async () => {
  const firstLine = (error) => error.stack.split("\n").find((line) => line.startsWith("    at ") && !line.includes("node_modules"));
  const errors = [];
  for (const assertion of [
    () => ours(1).toBe(2),
    () => ours(1).toEqual([2]),
    () => ours(1).not.toBe(1),
    () => ours("a").toMatch(/b/),
    () => ours(1).resolves.toBe(1),
  ]) {
    try {
      assertion();
    } catch (error) {
      errors.push(error);
    }
  }
  for (const assertion of [
    () => ours(Promise.resolve(1)).rejects.toBe(1),
    () => ours(Promise.resolve(1)).resolves.not.toBe(1),
    () => ours(Promise.reject(1)).resolves.toBe(1),
  ]) {
    errors.push(await assertion().catch((error) => error));
  }
  jestExpect(errors.length).toBe(8);
  // In a run of all tests the suite is part of the bundle of its test file.
  for (const error of errors) jestExpect(firstLine(error)).toMatch(/house\/(?:jest-expect\.suite|running-tests\.test)\.js:/);
});

test("matchers can be added, and settings and asymmetric matchers are Jest's", () => {
  ours.extend({ toBeOddHere: (actual) => ({ pass: actual % 2 === 1, message: () => `${actual} is even` }) });
  ours(3).toBeOddHere();
  jestExpect(() => ours(2).toBeOddHere()).toThrow("2 is even");
  jestExpect(ours.objectContaining).toBe(jestExpect.objectContaining);
  jestExpect(() => ours(1, 2)).toThrow("at most one argument");
});

// The store of plans: equal descriptions find a plan, and the oldest plans are dropped when all take too much.
import { expect, test } from "@jest/globals";
import { isLong } from "@onebuffer/test-support";
import { ConstantIndex } from "@onebuffer/compiler/src/plan/constant-index";
import { PlanNumbers } from "@onebuffer/compiler/src/plan/plan-numbers";
import { plans } from "@onebuffer/compiler/src/run/caches";

const described = new PlanNumbers();

/** Describes something by `count` numbers. The first is none that expressions have. */
function describe(count: number, last: number): void {
  described.begin();
  described.encode(-7);
  for (let k = 0; k < count - 2; k++) described.encode(k);
  described.encode(last);
}

test.each([2, 511, 512, 513, 1024, 1025, isLong ? 100_000 : 10_000])("a description of %i numbers is found again", (count) => {
  describe(count, 1);
  expect([described.hasRoom, plans.find(described)]).toEqual([true, undefined]);
  plans.store(described.key(), null, null);
  describe(count, 2);
  expect(plans.find(described)).toBeUndefined();
  describe(count, 1);
  expect(plans.find(described)?.numbers.length).toBe(count);
});

test("a description of more than 2^20 numbers has no room", () => {
  describe(2 ** 20 + 1, 1);
  expect(described.hasRoom).toBe(false);
  describe(5, 1);
  expect(described.hasRoom).toBe(true);
});

test("descriptions of more than 128 MiB together drop the oldest", () => {
  const isStored = (last: number): boolean => {
    describe(5, last);
    return plans.find(described) !== undefined;
  };
  const store = (last: number): void => {
    describe(5, last);
    plans.store(described.key(), null, null);
  };
  const numbers = new Float64Array(2 ** 20);
  const storeLarge = (hash: number): void => plans.store({ numbers, hash }, null, null);
  store(101);
  for (let hash = 0; hash < 8; hash++) storeLarge(hash);
  store(102);
  expect([101, 102].map(isStored)).toEqual([true, true]);
  for (let hash = 8; hash < 16; hash++) storeLarge(hash);
  expect([101, 102].map(isStored)).toEqual([false, true]);
  // A plan with the same hash is replaced, and what it took is free again.
  for (let round = 0; round < 20; round++) storeLarge(15);
  expect([101, 102].map(isStored)).toEqual([false, true]);
});

test("constants are told apart by dtype, sign of zero and value", () => {
  const index = new ConstantIndex();
  const constants: readonly (readonly ["float32" | "float64" | "int64" | "bool", unknown])[] = [
    ["float32", 0],
    ["float32", -0],
    ["float64", 0],
    ["float32", Number.NaN],
    ["float32", 1],
    ["int64", 1n],
    ["bool", true],
  ];
  constants.forEach(([dtype, value], k) => {
    expect(index.get(dtype, value)).toBe(-1);
    index.add(dtype, value, k);
  });
  expect(constants.map(([dtype, value]) => index.get(dtype, value))).toEqual(constants.map((_, k) => k));
  index.clear();
  expect(index.get("float32", 1)).toBe(-1);
});

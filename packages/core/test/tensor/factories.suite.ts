// The factories of tensors: elements of 64 bits, dtypes that round, and elements that they refuse.
import { expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { expectStatus } from "@onebuffer/test-support";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

test("elements of 64 bits are bigints", () => {
  using ones = Tensor.ones([2], { dtype: "int64" });
  using eye = Tensor.eye(2, 2, { dtype: "uint64" });
  using range = Tensor.arange(0, 3, 1, { dtype: "int64" });
  // Numbers beyond 2^53 that are integers are elements as well.
  using large = Tensor.arange(2 ** 60, 2 ** 60 + 1024, 512, { dtype: "int64" });
  using wide = Tensor.arange(2 ** 60, 2 ** 60 + 1024, 512, { dtype: "uint64" });
  const two = 2n ** 60n;
  expect([large.toArray(), wide.toArray()]).toEqual(new Array(2).fill([two, two + 512n]));
  using random = Tensor.random([4], { dtype: "uint64", low: 3, high: 5, seed: 1 });
  expect([ones.toArray(), eye.toArray(), range.toArray()]).toEqual([
    [1n, 1n],
    [
      [1n, 0n],
      [0n, 1n],
    ],
    [0n, 1n, 2n],
  ]);
  for (const element of random.toArray() as bigint[]) expect([3n, 4n]).toContain(element);
});

test("random numbers of a dtype that rounds are drawn again, not set to the lower bound", () => {
  using random = Tensor.random([4000], { dtype: "bfloat16", seed: 7 });
  expect((random.toArray() as number[]).filter((element) => element === 0 || element === 1)).toEqual([]);
  using same = Tensor.random([3], { dtype: "int32", low: 3, high: 3, seed: 7 });
  expect(same.toArray()).toEqual([3, 3, 3]);
});

test("numbers are no strings, and a detached array has no elements", () => {
  expectStatus(() => Tensor.from(Float32Array.of(1), { dtype: "string" } as Any), "INVALID_ARGUMENT");
  expectStatus(() => Tensor.from(Float32Array.of(1), { dtype: "variant" } as Any), "INVALID_ARGUMENT");
  const array = Float32Array.of(1, 2);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  expectStatus(() => Tensor.from(array), "FAILED_PRECONDITION", "detached");
  expect(Tensor.eye(0, 0).shape.dimSizes).toEqual([0, 0]);
  using one = Tensor.from([1]);
  expectStatus(() => one.shaped([-1]), "INVALID_ARGUMENT", "Expected a non-negative size, got -1 among 1 sizes");
});

test("an element that no element of the dtype can hold is refused, and the message has its place", () => {
  const from = (value: unknown, dtype: string) => () => Tensor.from(value as Any, { dtype: dtype as Any });
  expectStatus(from([-129], "int8"), "INVALID_ARGUMENT", "[0] is -129, which no int8 element can hold");
  expectStatus(from([128], "int8"), "INVALID_ARGUMENT", "[0] is 128");
  expectStatus(from([-1], "uint8"), "INVALID_ARGUMENT", "[0] is -1");
  expectStatus(from([1.5], "int64"), "INVALID_ARGUMENT", "[0] is 1.5");
  expectStatus(from([2 ** 60], "int64"), "INVALID_ARGUMENT", "[0] is");
  expectStatus(() => Tensor.full([2], 300, { dtype: "uint8" }), "INVALID_ARGUMENT", "the value is 300, which no uint8 element can hold");
  expectStatus(from(Uint8Array.of(2, 0), "bool"), "INVALID_ARGUMENT", "[0] is 2, a bool element must be 0 or 1");
});

test("random numbers that a dtype rounds stay in their range", () => {
  using low = Tensor.random([20_000], { dtype: "bfloat16", low: 0.7, high: 1 });
  expect([...low.vec()].every((each) => each >= 0.7 && each < 1)).toBe(true);
  // No float16 is in this range: the lower end, rounded.
  using none = Tensor.random([3], { dtype: "float16", low: 1.0001, high: 1.0002 });
  expect(none.toArray()).toEqual([1, 1, 1]);
});

/** Tensor.evaluate, tensorOf, tensorsOf and tensor.assign: expressions over maps of tensors, computed into tensors. */
import { describe, expect, test } from "@jest/globals";
import { bytesCopied, cpuAllocator, defaultAllocator, liveBuffers } from "@onebuffer/allocator";
import { stackTensors, Tensor, tensorOf, tensorsOf, unstackTensor, warmUp } from "@onebuffer/core";
import { constant, holdMemory, iota, select, tensorMap } from "@onebuffer/eigen";
import type { Device } from "@onebuffer/eigen";
import { linearMemory } from "@onebuffer/wasm";
import fc from "fast-check";
import { expectMistakes, refusal } from "@onebuffer/test-support";
import { kernelCounts } from "@onebuffer/kernels/internal";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(value?: T): void => expect(value).toBeUndefined();

test("the result has the expression's dtype and sizes, is in the arena, and nothing else was allocated or copied", () => {
  using a = Tensor.arange(6000);
  using table = a.reshape([100, 60]);
  const expression = table.matrix().mul(2).add(1).greater(table.matrix());
  // The first use of an expression compiles its kernel, which stays allocated.
  Tensor.evaluate(expression).dispose();
  const before = { copied: bytesCopied(), live: liveBuffers(), allocations: defaultAllocator().getStats()?.numAllocs ?? -1 };
  using result = Tensor.evaluate(expression);
  is<Equal<typeof result, Tensor<"bool">>>();
  expect([result.dtype, result.shape.dimSizes]).toEqual(["bool", [100, 60]]);
  expect(result.flat().at(5999)).toBe(true);
  expect(result.buffer?.memory).toBe(linearMemory().buffer);
  expect([bytesCopied() - before.copied, liveBuffers() - before.live]).toEqual([0, 1]);
  expect(defaultAllocator().getStats()?.numAllocs).toBe(before.allocations + 1);
});

test("a chain of operations over tensors is computed by one kernel", () => {
  using x = Tensor.random([64, 33], { seed: 3 });
  const before = kernelCounts();
  using y = tensorOf(x.matrix().mul(0.1234).exp().add(x.matrix()).maximum(0.75).sqrt().squaredDifference(2));
  const after = kernelCounts();
  expect(after.compiled - before.compiled).toBe(1);
  const element = Math.fround(Math.fround(Math.exp(x.matrix().at(5, 7) * 0.1234)) + x.matrix().at(5, 7));
  expect(y.matrix().at(5, 7)).toBeCloseTo((Math.sqrt(Math.max(element, 0.75)) - 2) ** 2, 5);
});

test("after warmUp an assignment compiles nothing, and no result is left", () => {
  using x = Tensor.random([64, 33], { seed: 4 });
  using wide = Tensor.zeros([3, 900]);
  const rows = (of: Tensor<"float32">) => of.matrix().mul(0.7).tanh().squaredDifference(3).max(1);
  const live = liveBuffers();
  const before = kernelCounts().compiled;
  warmUp([rows(x), rows(x).sum()]);
  const { compiled } = kernelCounts();
  expect([compiled > before, liveBuffers() - live]).toEqual([true, 0]);
  using target = Tensor.zeros([3]);
  target.vec().assign(rows(wide)); // other sizes
  expect([kernelCounts().compiled - compiled, target.vec().at(0)]).toEqual([0, 9]);
  expect(refusal(() => warmUp([rows(x), 3 as never])).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => warmUp(rows(x) as never)).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => warmUp(new Array(1e9))).code).toBe("INVALID_ARGUMENT");
  warmUp([]);
});

test("operands may be maps of any memory: strided views, the caller's arrays, slices", () => {
  using t = Tensor.arange(12, undefined, 1, { dtype: "float64" });
  using rows = t.reshape([3, 4]);
  using last = rows.slice(2, 3);
  const own = tensorMap("float64", Float64Array.of(100, 200, 300), [3, 1]);
  using sum = tensorOf(rows.strided(":, ::-2").add(own));
  expect(sum.toArray()).toEqual([
    [103, 101],
    [207, 205],
    [311, 309],
  ]);
  using product = tensorOf(rows.matrix().matMul(last.matrix(), { transposeB: true }));
  expect(product.toArray()).toEqual([[62], [214], [366]]);
});

test("evaluates scalars, empty tensors, generators and other dtypes", () => {
  using scalar = tensorOf(constant("float32", 0.5).exp());
  expect([scalar.dims, scalar.toArray()]).toEqual([0, Math.fround(Math.exp(0.5))]);
  using none = Tensor.zeros([0, 3]);
  using empty = tensorOf(none.matrix().add(1));
  expect([empty.shape.dimSizes, empty.buffer]).toEqual([[0, 3], null]);
  using total = tensorOf(none.matrix().sum([0]));
  expect(total.toArray()).toEqual([0, 0, 0]);
  using counted = Tensor.arange(4, undefined, 1, { dtype: "int64" });
  using big = tensorOf(counted.vec().mul(2n ** 62n));
  expect(big.toArray()).toEqual([0n, 2n ** 62n, -(2n ** 63n), -(2n ** 62n)]);
  using half = tensorOf(iota("int32", [3]).cast("bfloat16").div(3));
  expect([half.dtype, half.totalBytes, half.toArray()]).toEqual(["bfloat16", 6, [0, 0.333984375, 0.66796875]]);
});

test("evaluate equals computing the elements one by one, for random shapes", () => {
  const sizes = fc.array(fc.nat(5), { minLength: 2, maxLength: 2 });
  fc.assert(
    fc.property(sizes, fc.boolean(), fc.boolean(), fc.nat(1000), ([n = 0, m = 0], column, row, seed) => {
      using a = Tensor.random([n, m], { dtype: "int32", low: -50, high: 50, seed });
      using b = Tensor.random([column ? 1 : n, row ? 1 : m], { dtype: "int32", low: -50, high: 50, seed: seed + 1 });
      using out = tensorOf(select(a.matrix().less(b.matrix()), a.matrix().mul(3), b.matrix().sub(a.matrix())));
      expect(out.shape.dimSizes).toEqual([n, m]);
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < m; j++) {
          const x = a.matrix().at(i, j);
          const y = b.matrix().at(column ? 0 : i, row ? 0 : j);
          expect(out.matrix().at(i, j)).toBe(x < y ? x * 3 : y - x);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("an expression that throws leaves nothing allocated", () => {
  using t = Tensor.from([1, 2, 3], { dtype: "int32" });
  const live = liveBuffers();
  const zero = refusal(() => tensorOf(t.vec().div(0)));
  expect([zero.code, zero.message]).toEqual(["INVALID_ARGUMENT", expect.stringContaining("division by zero")]);
  const missing = refusal(() => tensorOf(t.vec().gather(t.vec())));
  expect([missing.code, missing.message]).toEqual(["INVALID_ARGUMENT", expect.stringContaining("3")]);
  const large = refusal(() => tensorOf(constant("float64", 1).broadcast([2 ** 40])));
  expect([large.code, large.message]).toEqual(["RESOURCE_EXHAUSTED", expect.stringContaining("1099511627776")]);
  const ownAllocator = refusal(() => tensorOf(constant("float64", 1).broadcast([2 ** 40]), { allocator: cpuAllocator() }));
  expect(ownAllocator.code).toBe("RESOURCE_EXHAUSTED");
  expect(liveBuffers()).toBe(live);
});

test("a disposed operand throws instead of reading reused memory", () => {
  expectMistakes();
  const t = Tensor.ones([4]);
  const expression = t.vec().add(1);
  t.dispose();
  const live = liveBuffers();
  expect(refusal(() => tensorOf(expression)).code).toBe("FAILED_PRECONDITION");
  expect(liveBuffers()).toBe(live);
});

test.each<[string, unknown, string]>([
  ["a number", 5, "5"],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
  ["an array", [1, 2], "is not a map, an expression or a tensor"],
  [
    "an object whose op is not an operation",
    { op: "toString", dimensions: [], dtype: "float32" },
    "is not a map, an expression or a tensor",
  ],
])("%s is refused as an expression", (_, value, words) => {
  const error = refusal(() => tensorOf(value as never));
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", expect.stringContaining(words)]);
});

test("copies a tensor, and refuses strings", () => {
  using t = Tensor.ones([2]);
  using copy = Tensor.evaluate(t);
  expect([copy.toArray(), copy.sharesBufferWith(t)]).toEqual([[1, 1], false]);
  using words = Tensor.from(["a"]);
  const error = refusal(() => Tensor.evaluate(words.vec()));
  expect([error.code, error.message]).toEqual(["INVALID_ARGUMENT", "Tensor.evaluate: elements of string do not compute"]);
});

test("assign writes into the tensor's own bytes, also a slice's", () => {
  using t = Tensor.zeros([4, 2]);
  using middle = t.slice(1, 3);
  middle.assign(iota("float32", [2]).add(1));
  middle.assign(middle.matrix().mul(10));
  using row = t.subSlice(3);
  row.assign(7);
  expect(t.toArray()).toEqual([
    [0, 0],
    [10, 20],
    [10, 20],
    [7, 7],
  ]);
  t.assign(t.strided("::-1"));
  expect(t.toArray()).toEqual([
    [7, 7],
    [10, 20],
    [10, 20],
    [0, 0],
  ]);
});

test("assign works at an odd byte offset, where no typed array can begin", () => {
  using bytes = Tensor.zeros([13], { dtype: "uint8" });
  using part = bytes.slice(1, 13);
  using t = new Tensor("float32", [3]);
  t.bitcastFrom(part, "float32", [3]);
  expect(refusal(() => t.vec()).code).toBe("FAILED_PRECONDITION");
  t.assign(t.unalignedFlat().add(iota("float32", [3])));
  expect(t.toArray()).toEqual([0, 1, 2]);
  expect([...bytes.tensorData]).toEqual([0, 0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64]);
});

test("assign refuses another dtype, sizes that do not match, and a tensor without data", () => {
  using t = Tensor.zeros([2, 3]);
  using other = Tensor.zeros([2]);
  // @ts-expect-error int32 into float32
  const dtype = refusal(() => t.assign(iota("int32", [3])));
  expect([dtype.code, dtype.message]).toEqual(["INVALID_ARGUMENT", expect.stringMatching(/int32.*float32/)]);
  const sizes = refusal(() => t.assign(other.vec()));
  expect([sizes.code, sizes.message]).toEqual(["INVALID_ARGUMENT", expect.stringMatching(/\[2, 3\].*\[2\].*axis 1/)]);
  using nothing = Tensor.fromBuffer("float32", [2], null);
  expect(refusal(() => nothing.assign(1)).code).toBe("FAILED_PRECONDITION");
  const gone = Tensor.zeros([1]);
  gone.dispose();
  expect(refusal(() => gone.assign(1)).code).toBe("FAILED_PRECONDITION");
});

describe("tensorsOf", () => {
  test("returns tensors of the expressions' own dtypes and sizes", () => {
    using x = Tensor.from([
      [1, 4, 2],
      [8, 5, 5],
    ]);
    const m = x.matrix();
    const all = tensorsOf([m.sum(1), m.argmax(1), m.mean(), m.mul(2)]);
    expect(all.map((tensor) => [tensor.dtype, tensor.toArray()])).toEqual([
      ["float32", [7, 18]],
      ["int64", [1n, 0n]],
      ["float32", Math.fround(25 / 6)],
      [
        "float32",
        [
          [2, 8, 4],
          [16, 10, 10],
        ],
      ],
    ]);
    for (const tensor of all) tensor.dispose();
    expect(tensorsOf([])).toEqual([]);
  });

  test("leaves nothing allocated if one of them throws", () => {
    using x = Tensor.from([[1, 2]]);
    using zeros = Tensor.zeros([1, 2], { dtype: "int32" });
    const live = liveBuffers();
    const divided = x.matrix().cast("int32").div(zeros.matrix());
    expect(refusal(() => tensorsOf([x.matrix().sum(1), divided])).code).toBe("INVALID_ARGUMENT");
    expect(refusal(() => tensorsOf([x.matrix().sum(1), [1] as never])).message).toContain("is not a map, an expression or a tensor");
    expect(refusal(() => tensorsOf([constant("float64", 1).broadcast([2 ** 40]), x.matrix().sum(1)])).code).toBe("RESOURCE_EXHAUSTED");
    expect(refusal(() => tensorsOf(x.matrix() as never)).message).toContain("is not an array of expressions");
    expect(liveBuffers()).toBe(live);
    const [sum, place] = tensorsOf([x.matrix().sum(1), x.matrix().max(1).cast("int64")]);
    is<Equal<typeof sum, Tensor<"float32">>>();
    is<Equal<typeof place, Tensor<"int64">>>();
    expect([sum.refCount, place.refCount, liveBuffers()]).toEqual([1, 1, live + 2]);
    sum.dispose();
    place.dispose();
    expect(liveBuffers()).toBe(live);
  });
});

test("a device computes into a tensor's elements, and holds the bytes until it has finished", async () => {
  const t = Tensor.zeros([2, 3]);
  const later: Device = {
    name: "later",
    async assign(assignments) {
      const release = holdMemory(assignments);
      await Promise.resolve();
      for (const { places } of assignments) new Float32Array(places.buffer, places.byteOffset, 6).fill(4);
      release();
    },
  };
  await t.device(later).assign(1);
  expect(t.toArray()).toEqual([
    [4, 4, 4],
    [4, 4, 4],
  ]);
  const buffers = liveBuffers();
  const done = t.device(later).assign(2);
  t.dispose();
  expect(liveBuffers()).toBe(buffers);
  await done;
  expect(liveBuffers()).toBe(buffers - 1);
  expect(() => t.device(later)).toThrow(expect.objectContaining({ code: "FAILED_PRECONDITION" }));
});

test("copies are counted: of maps and tensors, and of tensors along a new axis", () => {
  using a = Tensor.arange(1000);
  using rows = a.reshape([10, 100]);
  const bytesOf = (copy: () => Disposable | readonly Disposable[]): number => {
    const before = bytesCopied();
    const made = copy();
    const bytes = bytesCopied() - before;
    for (const each of Symbol.dispose in made ? [made] : made) each[Symbol.dispose]();
    return bytes;
  };
  expect(bytesOf(() => tensorOf(a))).toBe(4000);
  expect(bytesOf(() => tensorOf(rows.strided("::-1")))).toBe(4000);
  expect(bytesOf(() => tensorOf(rows.matrix().add(1)))).toBe(0);
  expect(bytesOf(() => tensorsOf([a, rows.matrix(), a.vec().add(1)]))).toBe(8000);
  expect(bytesOf(() => stackTensors([rows, rows]))).toBe(8000);
  expect(bytesOf(() => unstackTensor(rows, 1))).toBe(4000);
});

/** deepCopy, concat, split, makeShape and forwardInput. */
import { describe, expect, test } from "@jest/globals";
import { AllocatorAttributes, bytesCopied, liveBuffers } from "@onebuffer/allocator";
import { concat, deepCopy, forwardInput, forwardInputOrAllocate, makeShape, split, Tensor, Variant } from "@onebuffer/core";
import { thrown } from "@onebuffer/test-support";

describe("deepCopy", () => {
  test("the copy has its own data, also of slices and unaligned tensors", () => {
    using t = Tensor.arange(6, undefined, 1, { dtype: "int32" });
    using tail = t.slice(4, 6);
    const before = bytesCopied();
    using copy = deepCopy(tail);
    expect(bytesCopied() - before).toBe(8);
    tail.flat().set(0, 40);
    expect([copy.toArray(), copy.sharesBufferWith(t), copy.isAligned()]).toEqual([[4, 5], false, true]);
    using empty = new Tensor("int32", [0, 2]);
    using none = deepCopy(empty);
    expect(none.shape.dimSizes).toEqual([0, 2]);
    using strings = Tensor.from(["abc", "", "de"]);
    const beforeStrings = bytesCopied();
    using others = deepCopy(strings);
    expect([bytesCopied() - beforeStrings, others.toArray()]).toEqual([5, ["abc", "", "de"]]);
  });
  test("copies into an existing tensor", () => {
    using t = Tensor.from([1, 2]);
    using out = Tensor.zeros([2, 1]);
    expect(deepCopy(t, out)).toBe(out);
    expect(out.toArray()).toEqual([[1], [2]]);
    using small = Tensor.zeros([1]);
    const error = thrown(() => deepCopy(t, small));
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(String(error)).toMatch(/\[2\].*\[1\]/);
  });
  test("variants are cloned, and the values they overwrite are disposed", () => {
    using inner = Tensor.from([1]);
    using t = new Tensor("variant", [1]);
    using value = new Variant(inner);
    t.vec().set(0, value);
    value.clear();
    using copy = deepCopy(t);
    expect(inner.refCount).toBe(3);
    deepCopy(t, copy);
    expect(inner.refCount).toBe(3);
  });
});

describe("concat and split", () => {
  test("are inverses of each other, and copy", () => {
    using t = Tensor.arange(10);
    using matrix = t.reshape([5, 2]);
    const pieces = split(matrix, [1, 0, 4]);
    expect(pieces.map((piece) => piece.shape.dimSizes)).toEqual([
      [1, 2],
      [0, 2],
      [4, 2],
    ]);
    using whole = concat(pieces);
    expect([whole.equals(matrix), whole.sharesBufferWith(matrix)]).toEqual([true, false]);
    for (const piece of pieces) piece.dispose();
    using strings = Tensor.from(["a", "b"]);
    using twice = concat([strings, strings]);
    strings.vec().set(0, "x");
    expect(twice.toArray()).toEqual(["a", "b", "a", "b"]);
  });
  const cases: [string, () => unknown, string, string][] = [
    ["nothing", () => concat([]), "INVALID_ARGUMENT", "zero tensors"],
    ["a scalar", () => keep([1], (a) => concat([a])), "INVALID_ARGUMENT", "zero-dimensional"],
    ["other sizes", () => keep([[[1, 2]], [[1]]], (a, b) => concat([a, b!])), "INVALID_ARGUMENT", "[1,2] and [1,1]"],
    ["other ranks", () => keep([[[1]], [1]], (a, b) => concat([a, b!])), "INVALID_ARGUMENT", "[1,1] and [1]"],
    ["sizes with another sum", () => keep([[1, 2, 3]], (a) => split(a, [1, 1])), "INVALID_ARGUMENT", "[1,1] sums to 2, not 3"],
    ["negative pieces", () => keep([[1, 2, 3]], (a) => split(a, [4, -1])), "INVALID_ARGUMENT", "-1"],
    ["fractional pieces", () => keep([[1, 2, 3]], (a) => split(a, [1.5, 1.5])), "INVALID_ARGUMENT", "1.5"],
    ["pieces of a scalar", () => keep([1], (a) => split(a, [1])), "INVALID_ARGUMENT", "zero-dimensional"],
  ];
  test.each(cases)("%s", (_, act, code, text) => {
    const error = thrown(act);
    expect(error).toMatchObject({ code });
    expect(String(error)).toContain(text);
  });
  test("refuses different dtypes, and dtypes that cannot be concatenated", () => {
    using a = Tensor.from([1]);
    using b = Tensor.from([1], { dtype: "int32" });
    expect(String(thrown(() => concat<"float32" | "int32">([a, b])))).toContain("different data types. Got float and int32.");
    using v = new Tensor("variant", [1]);
    expect(thrown(() => concat([v]))).toMatchObject({ code: "INTERNAL" });
    expect(thrown(() => split(v, [1]))).toMatchObject({ code: "INTERNAL" });
  });
});

/** Calls `act` with tensors of these values and disposes them afterwards. */
function keep(values: unknown[], act: (a: Tensor<"float32">, b: Tensor<"float32"> | undefined) => unknown): unknown {
  const tensors = values.map((value) => Tensor.from(value as number, { dtype: "float32" }));
  try {
    return act(tensors[0]!, tensors[1]);
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}

test("makeShape reads int32 and int64 vectors and refuses others", () => {
  using ints = Tensor.from([2, 3], { dtype: "int32" });
  using wide = Tensor.from([70000n, 70000n]);
  expect([makeShape(ints).dimSizes, makeShape(wide).dimSizes]).toEqual([
    [2, 3],
    [70000, 70000],
  ]);
  const bad: [Tensor, RegExp][] = [
    [Tensor.from([2, -1], { dtype: "int32" }), /1.*must be >= 0/],
    [Tensor.from([[2]], { dtype: "int32" }), /must be a vector.*\[1,1\]/],
    [Tensor.from([2]), /must be a vector.*float/],
    [Tensor.from([2n ** 62n, 4n]), /4611686018427387904/],
  ];
  for (const [tensor, text] of bad) {
    using t = tensor;
    const error = thrown(() => makeShape(t));
    expect(String(error)).toMatch(text);
    expect((error as { code: string }).code).toMatch(/INVALID_ARGUMENT|OUT_OF_RANGE/);
  }
});

describe("forwardInput", () => {
  test("reuses the buffer only if nobody else can notice", () => {
    using t = Tensor.from([1, 2, 3, 4, 5, 6]);
    const output = forwardInput(t, "float32", [2, 3]);
    expect(output?.sharesBufferWith(t)).toBe(true);
    expect(forwardInput(t, "float32", [2, 3])).toBeNull();
    output?.dispose();
    using other = t.share();
    expect(forwardInput(t, "float32", [6])).toBeNull();
    other.dispose();
    expect([forwardInput(t, "int32", [6]), forwardInput(t, "float32", [5]), forwardInput(null, "float32", [6])]).toEqual([
      null,
      null,
      null,
    ]);
    using wrapped = Tensor.wrap(new Float32Array(2));
    expect(forwardInput(wrapped, "float32", [2])).toBeNull();
    using empty = new Tensor();
    expect(forwardInput(empty, "float32", [0])).toBeNull();
  });
  test("compares kinds of memory and attributes", () => {
    using t = Tensor.from([1]);
    const host = new AllocatorAttributes();
    host.setOnHost(true);
    expect(forwardInput(t, "float32", [1], { outputOnHost: false })).toBeNull();
    expect(forwardInput(t, "float32", [1], { outputAttributes: host })).toBeNull();
    using output = forwardInput(t, "float32", [1], { inputAttributes: host });
    expect(output?.sharesBufferWith(t)).toBe(true);
  });
  test("forwardInputOrAllocate allocates if no candidate can be reused", () => {
    const live = liveBuffers();
    {
      using a = Tensor.from([1, 2]);
      using b = Tensor.from([1, 2]);
      using alias = a.share();
      using reused = forwardInputOrAllocate([null, alias, b], "float32", [2]);
      expect(reused.sharesBufferWith(b)).toBe(true);
      using fresh = forwardInputOrAllocate([a, b], "float32", [2]);
      expect(fresh.refCountIsOne()).toBe(true);
    }
    expect(liveBuffers()).toBe(live);
  });
});

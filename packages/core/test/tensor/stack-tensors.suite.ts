/** stackTensors, unstackTensor and tensor.item, against nested arrays. */
import { describe, expect, test } from "@jest/globals";
import { CPUAllocator, liveBuffers } from "@onebuffer/allocator";
import type { DType } from "@onebuffer/base";
import { item, stack } from "@onebuffer/eigen";
import { stackTensors, Tensor, tensorOf, unstackTensor } from "@onebuffer/core";
import fc from "fast-check";
import { isLong } from "@onebuffer/test-support";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(value?: T): void => expect(value).toBeUndefined();

const product = (sizes: readonly number[]): number => sizes.reduce((a, b) => a * b, 1);

/** Returns a tensor whose elements are distinct numbers from `first` on, or their texts. */
function counted(dtype: DType, sizes: readonly number[], first: number): Tensor {
  const list = Array.from({ length: product(sizes) }, (_, i) => (dtype === "string" ? `${first + i}` : first + i));
  using flat = Tensor.from(list as never, { dtype, shape: [list.length] } as never) as unknown as Tensor;
  return flat.reshape(sizes);
}

/** Returns the element of nested arrays at an index. */
const at = (nested: unknown, index: readonly number[]): unknown => index.reduce((list, i) => (list as unknown[])[i], nested);

/** Returns every index of the sizes, in row-major order. */
const indices = (sizes: readonly number[]): number[][] =>
  sizes.reduce<number[][]>((all, size) => all.flatMap((index) => Array.from({ length: size }, (_, i) => [...index, i])), [[]]);

describe("stackTensors and unstackTensor", () => {
  test("place every element where tf.stack does, along every axis, and give the parts back", () => {
    const before = liveBuffers();
    fc.assert(
      fc.property(
        fc.constantFrom<DType>("float32", "int8", "float16", "float8_e5m2", "string"),
        fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(),
        (dtype, sizes, count, dice) => {
          const axis = (dice % (2 * sizes.length + 2)) - sizes.length - 1;
          const along = axis < 0 ? axis + sizes.length + 1 : axis;
          const parts = Array.from({ length: count }, (_, k) => counted(dtype, sizes, 16 * k));
          using stacked = stackTensors(parts, axis);
          expect(stacked.dtype).toBe(dtype);
          expect(stacked.shape.dimSizes).toEqual(sizes.toSpliced(along, 0, count));
          const nested = stacked.toArray();
          for (const index of indices(stacked.shape.dimSizes)) {
            expect(at(nested, index)).toEqual(at(parts[index[along]!]!.toArray(), index.toSpliced(along, 1)));
          }
          const back = unstackTensor(stacked, axis);
          expect(back.map((part) => [part.shape.dimSizes, part.toArray()])).toEqual(parts.map((part) => [sizes, part.toArray()]));
          expect(back.some((part) => part.sharesBufferWith(stacked))).toBe(false);
          for (const tensor of [...parts, ...back]) tensor.dispose();
        },
      ),
      { numRuns: isLong ? 150 : 15, seed: 5 },
    );
    expect(liveBuffers()).toBe(before);
  });

  test("tensors at odd offsets are operands", () => {
    using bytes = Tensor.zeros([9], { dtype: "uint8" });
    using window = bytes.slice(1, 9);
    using floats = Tensor.zeros([2]);
    window.flat().copyFrom([...new Uint8Array(Float32Array.of(1, 2).buffer)]);
    floats.bitcastFrom(window, "float32", [2]);
    using both = stackTensors([floats, floats], 1);
    expect(both.toArray()).toEqual([
      [1, 1],
      [2, 2],
    ]);
    const parts = unstackTensor(floats);
    expect(parts.map((part) => part.item())).toEqual([1, 2]);
    for (const part of parts) part.dispose();
  });

  test("dtypes are inferred", () => {
    using a = Tensor.from([1n, 2n]);
    using both = stackTensors([a, a]);
    is<Equal<typeof both, Tensor<"int64">>>();
    const parts = unstackTensor(both, 1);
    is<Equal<typeof parts, Tensor<"int64">[]>>();
    expect(parts.map((part) => part.toArray())).toEqual([
      [1n, 1n],
      [2n, 2n],
    ]);
    for (const part of parts) part.dispose();
    using lazily = tensorOf(stack([a.vec(), a.vec().neg()]));
    expect(lazily.toArray()).toEqual([
      [1n, 2n],
      [-1n, -2n],
    ]);
  });

  test.each(["float32", "string"] as const)("parts of %s made before an allocator is full are freed", (dtype) => {
    class Few extends CPUAllocator {
      left = 2;
      override allocateRaw(...args: Parameters<CPUAllocator["allocateRaw"]>): ReturnType<CPUAllocator["allocateRaw"]> {
        this.left -= 1;
        return this.left < 0 ? null : super.allocateRaw(...args);
      }
    }
    using t = counted(dtype, [3, 2], 0);
    const before = liveBuffers();
    expect(() => unstackTensor(t, 0, { allocator: new Few() })).toThrow(expect.objectContaining({ code: "RESOURCE_EXHAUSTED" }) as never);
    expect(liveBuffers()).toBe(before);
  });

  interface Subjects {
    readonly a: Tensor;
    readonly b: Tensor;
    readonly text: Tensor;
    readonly scalar: Tensor;
    readonly variants: Tensor;
    readonly movedNumbers: Tensor;
    readonly movedText: Tensor;
  }

  test.each<[name: string, call: (subjects: Subjects) => unknown, code: string, ...parts: string[]]>([
    ["no tensors", () => stackTensors([]), "INVALID_ARGUMENT", "zero tensors"],
    ["one tensor that is not in a list", ({ a }) => stackTensors(a as never), "INVALID_ARGUMENT", "an array of tensors"],
    ["different shapes", ({ a, b }) => stackTensors([a, b]), "INVALID_ARGUMENT", "float [3] and float [2]"],
    ["different dtypes", ({ b, text }) => stackTensors([b, text]), "INVALID_ARGUMENT", "float [2] and string [2]"],
    ["an axis above the rank", ({ a }) => stackTensors([a], 2), "INVALID_ARGUMENT", "axis 2 is not in [-2, 2)"],
    ["a fractional axis", ({ a }) => unstackTensor(a, 0.5), "INVALID_ARGUMENT", "axis 0.5"],
    ["an axis below minus the rank", ({ text }) => unstackTensor(text, -2), "INVALID_ARGUMENT", "axis -2 is not in [-1, 1)"],
    ["a scalar", ({ scalar }) => unstackTensor(scalar), "INVALID_ARGUMENT", "zero-dimensional"],
    ["variants", ({ variants }) => stackTensors([variants]), "INTERNAL", "variant"],
    ["parts of variants", ({ variants }) => unstackTensor(variants), "INTERNAL", "variant"],
    ["texts that are moved away", ({ text, movedText }) => stackTensors([text, movedText]), "FAILED_PRECONDITION", "not initialized"],
    ["parts of moved texts", ({ movedText }) => unstackTensor(movedText), "FAILED_PRECONDITION", "not initialized"],
    ["numbers that are moved away", ({ b, movedNumbers }) => stackTensors([b, movedNumbers]), "FAILED_PRECONDITION"],
    ["parts of moved numbers", ({ movedNumbers }) => unstackTensor(movedNumbers), "FAILED_PRECONDITION"],
  ])("%s: refused, and nothing stays allocated", (_, call, code, ...parts) => {
    using a = Tensor.from([1, 2, 3]);
    using b = Tensor.from([1, 2]);
    using text = Tensor.from(["x", "y"]) as unknown as Tensor;
    using scalar = Tensor.from(1);
    using variants = Tensor.zeros([1], { dtype: "variant" });
    using movedNumbers = Tensor.from([1, 2]);
    movedNumbers.move().dispose();
    using movedText = Tensor.from(["x", "y"]) as unknown as Tensor;
    movedText.move().dispose();
    const before = liveBuffers();
    let error: unknown;
    try {
      call({ a, b, text, scalar, variants, movedNumbers, movedText });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({ code });
    for (const part of parts) expect((error as Error).message).toContain(part);
    expect(liveBuffers()).toBe(before);
  });
});

describe("item", () => {
  test("returns the one element of a tensor of any rank and dtype", () => {
    for (const [value, dtype] of [
      [7, "float32"],
      [7n, "int64"],
      [true, "bool"],
      ["text", "string"],
      [[1, 2], "complex64"],
    ] as const) {
      using tensor = Tensor.full([1, 1], value as never, { dtype: dtype as DType });
      using scalar = tensor.reshape([]);
      expect([tensor.item(), scalar.item()]).toEqual([value, value]);
    }
    using long = Tensor.from([1n]);
    const one = long.item();
    is<Equal<typeof one, bigint>>();
    using text = Tensor.from(["a"]);
    const letter = text.item();
    is<Equal<typeof letter, string>>();
    using t = Tensor.arange(10);
    expect([item(t.vec().sum()), one, letter]).toEqual([45, 1n, "a"]);
  });

  test("refuses any other number of elements, and a tensor without data", () => {
    using t = Tensor.from([1, 2]);
    using none = Tensor.zeros([0]);
    using moved = Tensor.from([1]);
    moved.move().dispose();
    expect(() => t.item()).toThrow("item() of a tensor of shape [2]: needs exactly one element, there are 2");
    expect(() => none.item()).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }) as never);
    expect(() => moved.item()).toThrow(expect.objectContaining({ code: "FAILED_PRECONDITION" }) as never);
    t.dispose();
    expect(() => t.item()).toThrow(expect.objectContaining({ code: "FAILED_PRECONDITION" }) as never);
  });
});

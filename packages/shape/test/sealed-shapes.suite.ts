// Sealed shapes, which tensors have: they are used again for equal sizes, and slices are made of them without checks.
import { describe, expect, test } from "@jest/globals";
import { PartialTensorShape, TensorShape } from "@onebuffer/shape";
import { expectStatus } from "@onebuffer/test-support";

describe("sealed shapes, which Tensor uses", () => {
  test("sealed returns the last shape again for a list with the same sizes and data type", () => {
    const lists = [[], [0], [1], [2, 3], [3, 2], [2, 3, 1], [1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 6, 7], [65533], [65534], [2 ** 33], [-0]];
    for (const list of lists) {
      for (const other of lists) {
        const [first, second] = [TensorShape.sealed(list, 1), TensorShape.sealed(other, 1)];
        expect([first.dimSizes, second.dimSizes]).toEqual([list.map((size) => size + 0), other.map((size) => size + 0)]);
        expect([first.isSealed, second.isSealed, first.dataType, second.dataType]).toEqual([true, true, 1, 1]);
      }
    }
    const shape = TensorShape.sealed([2, 3], 1);
    expect(TensorShape.sealed([2, 3], 1)).toBe(shape);
    expect(TensorShape.sealed([2, 3], 2).dataType).toBe(2);
    expect(TensorShape.sealed([2, 3], 1)).not.toBe(TensorShape.sealed([6], 1));
    for (const bad of [[-1], [0.5], [Number.NaN], ["2", "3"] as never, [65535.5]]) expect(() => TensorShape.sealed(bad, 1)).toThrow();
  });

  test("sealed returns a shape that is sealed and has the data type", () => {
    const sealed = TensorShape.sealed([2, 3], 1);
    expect(TensorShape.sealed(sealed, 1)).toBe(sealed);
    const other = TensorShape.sealed(sealed, 9);
    expect([other === sealed, other.dataType, other.isSealed, other.dimSizes]).toEqual([false, 9, true, [2, 3]]);
    const mine = new TensorShape([1, 2, 3, 4, 5, 6, 7]);
    const theirs = TensorShape.sealed(mine, 1);
    mine.setDim(0, 9);
    expect([theirs.dimSize(0), mine.isSealed, mine.dataType]).toEqual([1, false, 0]);
    expectStatus(() => TensorShape.sealed([1], 256), "INVALID_ARGUMENT", 256);
  });

  test.each<number[]>([
    [5],
    [5, 0],
    [0, 3],
    [4, 3, 2, 1, 5, 6],
    [70000, 3],
    [2 ** 40],
    [2 ** 40, 0],
    [40000, 40000],
    [3, 1, 1, 1, 1, 1, 1],
    [65533, 2],
  ])("withDimSize0 and withoutDim0 of %p, %p...", (...dims) => {
    const shape = TensorShape.sealed(dims, 3);
    for (const size of [0, 1, Math.floor((dims[0] ?? 0) / 2), dims[0] ?? 0, 70001]) {
      const slice = shape.withDimSize0(size);
      const expected = shape.clone();
      expected.setDim(0, size);
      expect([slice.bytes(), slice.numElements, slice.dimSizes, slice.isSealed]).toEqual([
        expected.bytes(),
        expected.numElements,
        expected.dimSizes,
        true,
      ]);
    }
    expect(shape.withDimSize0(1, 9).dataType).toBe(9);
    const row = shape.withoutDim0();
    const expected = shape.clone();
    expected.removeDim(0);
    expect([row.bytes(), row.numElements, row.dimSizes, row.isSealed]).toEqual([
      expected.bytes(),
      expected.numElements,
      expected.dimSizes,
      true,
    ]);
    expect(shape.dimSizes).toEqual(dims);
  });

  test("a size of minus zero is stored as zero", () => {
    for (const dims of [[70000, -0], [-0, 70000, 2], [-0], [-0, 3], [2 ** 40, -0], [1, 2, 3, 4, -0]]) {
      const shape = new TensorShape(dims);
      const words = Object.values(shape as unknown as Record<string, unknown>).filter((field) => typeof field === "number");
      expect([...words, ...shape.dimSizes, shape.numElements].filter((value) => Object.is(value, -0))).toEqual([]);
    }
  });

  test("an argument that is not a shape is refused, and changes nothing", () => {
    for (const wrong of [null, undefined, 5, "2,3", {}, [2, 3], { dims: 2 }] as never[]) {
      const shown =
        wrong === "2,3"
          ? '"2,3"'
          : Array.isArray(wrong)
            ? "an array of 2"
            : typeof wrong === "object" && wrong !== null
              ? "an object"
              : String(wrong);
      const shape = new TensorShape([2, 70000]);
      const partial = new PartialTensorShape([2, -1]);
      const calls: (() => unknown)[] = [
        () => shape.assign(wrong),
        () => shape.appendShape(wrong),
        () => TensorShape.from(wrong),
        () => partial.assign(wrong),
        () => partial.appendShape(wrong),
        () => PartialTensorShape.from(wrong),
        () => partial.mergeWith(wrong),
        () => partial.isCompatibleWith(wrong),
        () => partial.mostSpecificCompatibleShape(wrong),
        ...(wrong === 5 ? [] : [() => partial.concatenate(wrong)]),
      ];
      for (const call of calls) expectStatus(call, "INVALID_ARGUMENT", `Expected a shape, got ${shown}`);
      if (!Array.isArray(wrong))
        expectStatus(() => TensorShape.sealed(wrong, 1), "INVALID_ARGUMENT", `Expected a shape or an array of sizes, got ${shown}`);
      expect([shape.dimSizes, partial.dimSizes]).toEqual([
        [2, 70000],
        [2, -1],
      ]);
    }
  });

  test("a shape with unknown sizes cannot become a TensorShape", () => {
    for (const partial of [new PartialTensorShape([2, -1]), new PartialTensorShape()] as unknown as TensorShape[]) {
      const shape = new TensorShape([2]);
      expectStatus(() => shape.assign(partial), "INVALID_ARGUMENT", partial.debugString());
      expectStatus(() => TensorShape.sealed(partial, 1), "INVALID_ARGUMENT", partial.debugString());
      expect(shape.dimSizes).toEqual([2]);
    }
  });

  test("withDimSize0 and withoutDim0 refuse a scalar and an invalid size", () => {
    expectStatus(() => TensorShape.scalar().withDimSize0(1), "INVALID_ARGUMENT", 0);
    expectStatus(() => TensorShape.scalar().withoutDim0(), "INTERNAL", 0);
    expectStatus(() => TensorShape.vector(3).withDimSize0(-1), "INVALID_ARGUMENT", -1);
    expectStatus(() => TensorShape.vector(3).withDimSize0(1.5), "INVALID_ARGUMENT", 1.5);
  });

  test("a sealed shape of a list is never one whose later sizes are alike", () => {
    for (const [first, second] of [
      [
        [2, 3, 4, 5],
        [2, 3, 0, 0],
      ],
      [
        [1, 1, 2, 3, 4, 5],
        [1, 1, 4, 5, 4, 5],
      ],
      [
        [1, 1, 4, 5, 9, 5],
        [1, 1, 4, 5, 4, 5],
      ],
      [
        [1, 1, 4, 5, 4, 9],
        [1, 1, 4, 5, 4, 5],
      ],
    ] as const) {
      expect(TensorShape.sealed(first, 1).dimSizes).toEqual(first);
      expect(TensorShape.sealed(second, 1).dimSizes).toEqual(second);
    }
  });
});

// Typed arrays that misreport themselves (a subclass that overrides `length`, `byteLength` and the class name), at every function
// that takes a caller's array: only the memory that they really view may be used. packages/base/test/typed-array-view.suite.ts is the generic test.
import { describe, expect, test } from "@jest/globals";
import { concat, split, Tensor } from "@onebuffer/core";
import { constStridedMap, stridedMap, tensorMap } from "@onebuffer/eigen";
import { runInNewContext } from "node:vm";
import { refusal } from "@onebuffer/test-support";

class Boastful extends Float32Array {
  override get length(): number {
    return 1e9;
  }
  override get byteLength(): number {
    return 4e9;
  }
  override get byteOffset(): number {
    return 4096;
  }
  override fill(): this {
    throw new Error("foreign code ran");
  }
  override subarray(): Float32Array<ArrayBuffer> {
    throw new Error("foreign code ran");
  }
}

const others: readonly [string, () => Float32Array][] = [
  ["a subclass that lies", () => new Boastful([1, 2, 3, 4])],
  ["an array of another realm", () => runInNewContext("Float32Array.of(1, 2, 3, 4)") as Float32Array],
];

describe.each(others)("%s", (_, make) => {
  test("is copied by Tensor.from and wrapped by Tensor.wrap with its real bytes", () => {
    using copy = Tensor.from(make());
    expect([copy.dtype, copy.toArray()]).toEqual(["float32", [1, 2, 3, 4]]);
    using wide = Tensor.from(make(), { dtype: "float64", shape: [2, 2] });
    expect(wide.toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]); // prettier-ignore
    const memory = make();
    using wrapped = Tensor.wrap(memory, [2, 2]);
    wrapped.matrix().set(1, 1, 9);
    expect([memory[3], wrapped.totalBytes]).toEqual([9, 16]);
    expect(refusal(() => Tensor.wrap(make(), [1e9])).code).toBe("INVALID_ARGUMENT");
  });

  test("is mapped with its real bytes, and none of its overridden members is called", () => {
    const memory = make();
    const map = tensorMap("float32", memory, [2, 2]);
    map.fill(5);
    expect([memory[0], memory[3]]).toEqual([5, 5]);
    expect(stridedMap("float32", memory, [2, 2], [1, 2]).toArray()).toEqual([
      [5, 5],
      [5, 5],
    ]); // prettier-ignore
    expect(constStridedMap("float32", memory, [3], [0]).toArray()).toEqual([5, 5, 5]);
    map.copyFrom(make());
    expect(map.toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]); // prettier-ignore
    expect(refusal(() => tensorMap("float32", make(), [1e9])).code).toBe("INVALID_ARGUMENT");
    expect(refusal(() => stridedMap("float32", make(), [5], [1])).code).toBe("INVALID_ARGUMENT");
  });
});

describe("slices and pieces", () => {
  test("slice with one number goes from that row to the end", () => {
    using t = Tensor.from([
      [1, 2],
      [3, 4],
      [5, 6],
    ]); // prettier-ignore
    using rest = t.slice(1);
    expect([rest.toArray(), rest.sharesBufferWith(t)]).toEqual([
      [
        [3, 4],
        [5, 6],
      ],
      true,
    ]); // prettier-ignore
    using all = t.slice(0);
    expect(all.shape).toBe(t.shape);
    using none = t.slice(3);
    expect(none.shape.dimSizes).toEqual([0, 2]);
    expect(refusal(() => t.slice(4)).message).toContain("slice(4, 3)");
    expect(refusal(() => t.slice(-1)).code).toBe("OUT_OF_RANGE");
    for (const limit of ["2", null, {}, 2n]) expect(refusal(() => t.slice(0, limit as number)).code).toBe("INVALID_ARGUMENT");
    expect(refusal(() => t.slice("0" as never, "1" as never)).message).toContain("TensorSlice");
  });

  test("split accepts many pieces whose rows have the right sum", () => {
    using t = Tensor.arange(180);
    const pieces = split(t, new Array<number>(60).fill(3));
    using again = concat(pieces);
    expect([pieces.length, again.equals(t)]).toEqual([60, true]);
    for (const piece of pieces) piece.dispose();
    expect(refusal(() => split(t, [180.5])).code).toBe("INVALID_ARGUMENT");
  });

  test("the error for a wrong argument names Tensor as the expected class", () => {
    using t = Tensor.from([1, 2]);
    for (const act of [
      () => t.equals(5 as never),
      () => t.isClose(null as never),
      () => t.copyFrom(5 as never, [2]),
      () => concat(5 as never),
      () => concat([5 as never]),
      () => split([1] as never, [1]),
    ])
      expect(refusal(act).message).toMatch(/^Expected (a Tensor|an array of tensors), got /);
  });
});

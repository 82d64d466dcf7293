/** tensor.strided: a map with strides over the tensor's bytes, valid as long as a handle holds them. */
import { expect, test } from "@jest/globals";
import { bytesCopied } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import type { StridedMap } from "@onebuffer/eigen";
import { thrown } from "@onebuffer/test-support";

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(value?: T): void => expect(value).toBeUndefined();

test("strided views of a slice write into the tensor and copy nothing", () => {
  using t = Tensor.arange(24, undefined, 1, { dtype: "int64" });
  using cube = t.reshape([4, 2, 3]);
  using part = cube.slice(1, 4);
  const before = bytesCopied();
  const map = part.strided("::-1, 0, 1:");
  is<Equal<typeof map, StridedMap<"int64", number>>>();
  expect([map.dimensions, map.strides, map.offset]).toEqual([[3, 2], [-6, 1], 19]);
  expect(map.toArray()).toEqual([
    [19n, 20n],
    [13n, 14n],
    [7n, 8n],
  ]);
  map.set(2, 0, -7n);
  expect(t.vec().at(7)).toBe(-7n);
  part.strided().chip(2, 2).fill(0n);
  expect(cube.strided("1:, :, 2").toArray()).toEqual([
    [0n, 0n],
    [0n, 0n],
    [0n, 0n],
  ]);
  expect(bytesCopied()).toBe(before);
});

test("a transposed view is copied into a fresh tensor", () => {
  using t = Tensor.from([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  using out = Tensor.zeros([3, 2]);
  out.matrix().copyFrom(t.strided().transpose());
  expect(out.toArray()).toEqual([
    [1, 4],
    [2, 5],
    [3, 6],
  ]);
});

test("strings, scalars and tensors without elements have strided views", () => {
  using words = Tensor.from(["a", "b", "c"]);
  words.strided("::-2").set(0, "z");
  expect(words.toArray()).toEqual(["a", "b", "z"]);
  using scalar = Tensor.from(3);
  expect([scalar.strided().toArray(), scalar.strided("None").dimensions]).toEqual([3, [1]]);
  using empty = Tensor.zeros([0, 3]);
  expect(empty.strided(":, 1").toArray()).toEqual([]);
});

test("every access throws after the last handle is disposed", () => {
  const t = Tensor.arange(6);
  const map = t.strided("::-1");
  t.dispose();
  expect(thrown(() => map.at(0))).toMatchObject({ code: "FAILED_PRECONDITION" });
  expect(thrown(() => map.transpose())).toMatchObject({ code: "FAILED_PRECONDITION" });
  expect(thrown(() => t.strided())).toMatchObject({ code: "FAILED_PRECONDITION" });
});

test("refuses invalid index texts and indices outside", () => {
  using t = Tensor.arange(6);
  expect(thrown(() => t.strided("1:2:3:4"))).toMatchObject({ code: "INVALID_ARGUMENT" });
  expect(thrown(() => t.strided("6"))).toMatchObject({ code: "OUT_OF_RANGE" });
});

test("bytes at an odd offset have strided views through unalignedShaped", () => {
  const memory = new Uint8Array(17);
  using bytes = Tensor.wrap(memory);
  using odd = bytes.slice(1, 17);
  using floats = new Tensor("float32");
  floats.bitcastFrom(odd, "float32", [2, 2]);
  expect(thrown(() => floats.strided())).toMatchObject({ code: "FAILED_PRECONDITION" });
  const map = floats.unalignedShaped([2, 2]).strided().transpose();
  map.set(1, 0, 0.5);
  expect([map.toArray(), new DataView(memory.buffer).getFloat32(5, true)]).toEqual([
    [
      [0, 0],
      [0.5, 0],
    ],
    0.5,
  ]);
});

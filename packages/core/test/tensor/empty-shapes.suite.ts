// Tensors without elements whose other sizes are huge: every function that takes sizes multiplies them in order, up to 2^63 - 1, so that
// [0, 2^40, 2^40] and [2^31, 2^27, 0] make a tensor and [2^40, 2^40, 0] is refused.
import { expect, test } from "@jest/globals";
import { cpuAllocator } from "@onebuffer/allocator";
import { Buffer, makeShape, Tensor } from "@onebuffer/core";
import type { ShapeLike } from "@onebuffer/core";
import { TensorShape } from "@onebuffer/shape";
import { refusal } from "@onebuffer/test-support";

const kHuge = 2 ** 40;
const message = (sizes: readonly number[]) => ({ dtype: 3, tensorShape: { dim: sizes.map((size) => ({ size })) } });

/** Calls `make` with an empty tensor, which is disposed afterwards. */
function of<T>(make: (t: Tensor<"int32">) => T): T {
  using t = new Tensor("int32", [0]);
  return make(t);
}

const kRoutes: Readonly<Record<string, (sizes: readonly number[]) => Tensor>> = {
  "new": (sizes) => new Tensor("int32", sizes),
  build: (sizes) => Tensor.build("int32", sizes),
  "a shape": (sizes) => new Tensor("int32", new TensorShape(sizes)),
  "a string tensor": (sizes) => new Tensor("string", sizes),
  zeros: (sizes) => Tensor.zeros(sizes),
  ones: (sizes) => Tensor.ones(sizes),
  full: (sizes) => Tensor.full(sizes, 7),
  random: (sizes) => Tensor.random(sizes),
  "from nested": (sizes) => Tensor.from([], { shape: sizes }),
  "from an array of its kind": (sizes) => Tensor.from(new Int32Array(0), { shape: sizes }),
  "from an array of another kind": (sizes) => Tensor.from(new Int8Array(0), { shape: sizes, dtype: "float32" }),
  wrap: (sizes) => Tensor.wrap(new Int32Array(0), sizes),
  fromProto: (sizes) => Tensor.fromProto(message(sizes)),
  fromBuffer: (sizes) => {
    const buffer = new Buffer("int32", cpuAllocator(), 4);
    try {
      return Tensor.fromBuffer("int32", sizes, buffer);
    } finally {
      buffer.unref();
    }
  },
  reshape: (sizes) => of((t) => t.reshape(sizes)),
  copyFrom: (sizes) =>
    of((t) => {
      const copy = new Tensor("int32", [0]);
      try {
        expect(copy.copyFrom(t, sizes)).toBe(true);
        return copy.share();
      } finally {
        copy.dispose();
      }
    }),
  bitcastFrom: (sizes) =>
    of((t) => {
      const copy = new Tensor("float32", [0]);
      try {
        copy.bitcastFrom(t, "float32", sizes);
        return copy.share();
      } finally {
        copy.dispose();
      }
    }),
  makeShape: (sizes) => {
    using list = Tensor.from(BigInt64Array.from(sizes, BigInt));
    return new Tensor("int8", makeShape(list));
  },
};

test.each(Object.entries(kRoutes))("%s accepts a zero before huge sizes and refuses a zero after them", (_, route) => {
  for (const sizes of [
    [0, kHuge, kHuge],
    [kHuge, 0, kHuge],
    [0, 9, 55108, 55108, 55108, 55108],
    [2 ** 31 - 1, 2 ** 31 - 1, 0],
    [2 ** 31, 2 ** 27, 0],
    [55108, 55108, 55108, 55108, 0],
  ]) {
    using made = route(sizes);
    expect([made.shape.dimSizes, made.numElements]).toEqual([sizes, 0]);
  }
  for (const sizes of [
    [kHuge, kHuge, 0],
    [2 ** 32, 2 ** 31, 0],
    [55109, 55109, 55109, 55109, 0],
    [55108, 55108, 55108, 55108, 9, 0],
  ]) {
    expect(refusal(() => route(sizes).dispose()).code).toBe("INVALID_ARGUMENT");
  }
});

test.each<[string, (t: Tensor<"int32">, sizes: readonly number[]) => ShapeLike]>([
  ["shaped", (t, sizes) => t.shaped(sizes).dimensions],
  ["unalignedShaped", (t, sizes) => t.unalignedShaped(sizes).dimensions],
])("%s multiplies in order, too", (_, view) => {
  using t = new Tensor("int32", [0]);
  expect(view(t, [0, kHuge, kHuge])).toEqual([0, kHuge, kHuge]);
  expect(view(t, [kHuge, 2 ** 20, 0])).toEqual([kHuge, 2 ** 20, 0]);
  expect(refusal(() => view(t, [kHuge, kHuge, 0])).code).toBe("INVALID_ARGUMENT");
});

test("a tensor without elements has the rows and columns of its sizes", () => {
  for (const [dims, inner, outer] of [
    [
      [3, 0],
      [3, 0],
      [3, 0],
    ],
    [
      [0, 3],
      [0, 3],
      [0, 3],
    ],
    [
      [2, 0, 3],
      [0, 3],
      [2, 0],
    ],
  ] as const) {
    using tensor = Tensor.zeros(dims);
    expect([tensor.flatInnerDims().dimensions, tensor.flatOuterDims().dimensions]).toEqual([inner, outer]);
  }
});

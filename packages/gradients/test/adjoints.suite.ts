// Linear operations and their gradients are exact adjoints: <A x, y> = <x, A' y>, with small integers as elements, for every dtype that has
// gradients. No sum here rounds, not even in bfloat16, which has the integers up to 256.
import { expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import { avgPool, concatenate, constant, convolve, einsum, evaluate, extractPatches, select, stack, tensorMap } from "@onebuffer/eigen";
import { unsortedSegmentSum } from "@onebuffer/eigen";
import { Dice } from "@onebuffer/eigen/test/kernel/kernel-subjects";
import { gradients } from "@onebuffer/gradients";
import { sampled } from "@onebuffer/test-support";
import type { Built } from "./differences/subject.ts";

const kDTypes = ["float16", "bfloat16", "float32", "float64", "complex64", "complex128"] as const;

const int32 = (...values: number[]): Built => tensorMap("int32", Int32Array.from(values), [values.length]);

/** Returns a map of integers from -2 to 2, complex ones with an imaginary part. */
function integers(dtype: DType, dims: readonly number[], dice: Dice): Built {
  const map: Built = evaluate(constant(dtype as "float32", 0, dims));
  const draw = (): number => dice.below(5) - 2;
  map.copyFrom(Array.from({ length: map.size }, () => (dtype.startsWith("complex") ? [draw(), draw()] : draw())));
  return map;
}

/** A linear function of operands: their sizes, and the function; it may use constants of the dtype. */
type Linear = readonly [
  name: string,
  dims: readonly (readonly number[])[],
  make: (xs: readonly Built[], constantOf: (dims: readonly number[]) => Built) => Built,
];

const kFlags = [false, true] as const;

const linear: readonly Linear[] = [
  ["neg", [[5]], ([x]) => x.neg()],
  [
    "add",
    [
      [2, 3],
      [3, 1],
    ],
    ([x, z]) => x.expandDims(1).add(z),
  ],
  ["sub", [[2, 3], []], ([x, z]) => x.sub(z)],
  ["mul by constants", [[2, 3]], ([x], c) => x.mul(c([3]))],
  ["reshape", [[2, 6]], ([x]) => x.mul(1).reshape([4, 3])],
  ["shuffle", [[2, 3, 2]], ([x]) => x.shuffle([2, 0, 1])],
  ["slice", [[5, 4]], ([x]) => x.mul(1).slice([1, 4], [0, 3])],
  ["slice with steps", [[9, 4]], ([x]) => x.mul(1).slice([1, 9, 3], [3, null, -2])],
  ["chip", [[3, 4]], ([x]) => x.mul(1).chip(1, 1)],
  ["reverse", [[3, 4]], ([x]) => x.mul(1).reverse([1])],
  ["broadcast", [[3, 1]], ([x]) => x.mul(1).broadcast([2, 3, 4])],
  ["patches that overlap", [[2, 7]], ([x]) => extractPatches(x, [3], { axes: [1], strides: 2 })],
  ["patches apart", [[7]], ([x]) => extractPatches(x, [2], { axes: [0], strides: 3 })],
  ["dilated patches", [[8]], ([x]) => extractPatches(x, [3], { axes: [0], dilations: 2 })],
  ["concatenate", [[2], [3]], ([x, z]) => concatenate([x, z, x], 0)],
  ["stack", [[2], [2]], ([x, z]) => stack([x, z], 1)],
  ["gather", [[3, 2]], ([x]) => x.gather(int32(2, 0, 2, 1), 0)],
  [
    "scatter add",
    [
      [4, 2],
      [3, 2],
    ],
    ([x, u]) => x.scatter(int32(2, 0, 2), u, 0, { reduction: "add" }),
  ],
  ["scatter update", [[4], [3]], ([x, u]) => x.scatter(int32(2, 0, 2), u, 0, { reduction: "update" })],
  ["segment sums", [[4, 2]], ([x]) => unsortedSegmentSum(x, int32(1, -1, 0, 1), 3)],
  ["select", [[4], [4]], ([x, z]) => select(int32(0, 1, 0, 1).cast("bool"), x, z)],
  ["sum", [[2, 3, 2]], ([x]) => x.sum([0, 2])],
  ["mean", [[2, 4]], ([x]) => x.mul(4).mean([1])],
  ...kFlags.flatMap((exclusive) =>
    kFlags.map((reverse): Linear => [`cumsum ${exclusive} ${reverse}`, [[2, 4]], ([x]) => x.cumsum(1, { exclusive, reverse })]),
  ),
  ...kFlags.flatMap((transposeA) =>
    kFlags.flatMap((transposeB): Linear[] => [
      [
        `matMul ${transposeA} ${transposeB}, the first factor`,
        [transposeA ? [4, 2] : [2, 4]],
        ([x], c) => x.matMul(c(transposeB ? [3, 4] : [4, 3]), { transposeA, transposeB }),
      ],
      [
        `matMul ${transposeA} ${transposeB}, the second factor`,
        [transposeB ? [2, 3, 4] : [2, 4, 3]],
        ([x], c) => c(transposeA ? [4, 2] : [2, 4]).matMul(x, { transposeA, transposeB }),
      ],
    ]),
  ),
  ["einsum", [[2, 3, 2]], ([x], c) => einsum("ijk,kj->ik", x, c([2, 3]))],
  ["diagonals", [[3, 3]], ([x]) => einsum("ii->i", x)],
  ["convolve, the images", [[1, 4, 4, 2]], ([x], c) => convolve(x, c([2, 2, 2, 3]), { padding: "same" })],
  // A product of patches with filters, whose gradient is a convolution again.
  ["convolve by a product, the images", [[1, 40, 1]], ([x], c) => convolve(x, c([3, 1, 8]))],
  ["convolve, the filters", [[2, 2, 2, 3]], ([w], c) => convolve(c([1, 4, 4, 2]), w, { strides: 2 })],
  ["tile", [[2, 2]], ([x]) => x.tile([2, 3])],
  ["roll", [[2, 5]], ([x]) => x.roll([1, -2], [0, 1])],
  ["triangles", [[3, 4]], ([x]) => x.tril().add(x.triu(1))],
  ["diag", [[3]], ([x]) => x.diag(-1)],
];

const ofReals: readonly Linear[] = [
  ["pad", [[3]], ([x]) => x.pad([[2, 1]], { mode: "reflect" })],
  ["avgPool", [[1, 4, 4, 1]], ([x]) => avgPool(x.mul(4), 2)],
];

/** Returns the sum of x times the conjugate of y, as a text that is the same for equal numbers. */
function inner(xs: readonly Built[], ys: readonly Built[]): string {
  let [re, im] = [0, 0];
  for (const [k, x] of xs.entries()) {
    const other = [...ys[k]];
    for (const [i, each] of [...x].entries()) {
      const [[a, b], [c, d]] = [each, other[i]].map((z) => (Array.isArray(z) ? z : [z, 0])) as [[number, number], [number, number]];
      re += a * c + b * d;
      im += b * c - a * d;
    }
  }
  return `${re} + ${im}i`;
}

test.each(kDTypes)("linear operations and their gradients are adjoint, %s", (dtype) => {
  const dice = new Dice(7);
  const all = [...linear, ...(dtype.startsWith("complex") ? [] : ofReals)];
  const failures = (dtype === "float32" ? all : sampled(all, 4)).flatMap(([name, dims, make]) => {
    const xs = dims.map((each) => integers(dtype, each, dice));
    const e = make(xs, (each) => integers(dtype, each, dice));
    const y = integers(dtype, e.dimensions, dice);
    const gs = (gradients(e, xs as never, { outputGradients: y }) as readonly Built[]).map((g) => evaluate(g));
    const [left, right] = [inner([evaluate(e)], [y]), inner(xs, gs)];
    return left === right ? [] : [`${name}: ${left} is not ${right}`];
  });
  expect(failures).toEqual([]);
});

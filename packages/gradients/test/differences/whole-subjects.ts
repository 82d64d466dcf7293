// Subjects of the operations that are not elementwise. Reductions and scans follow from the op table; the others are listed here, and the
// test of what is covered finds an operation that is missing.
import { concatenate, constant, extractPatches, iota, nthElements, opNames, select, tensorMap } from "@onebuffer/eigen";
import { markedCumsum, scaledCumsum } from "@onebuffer/expression/internal";
import type { Built, OperandSpec, Subject } from "./subject.ts";
import { isDifferentiable, of } from "./subject.ts";

const int32 = (...values: number[]): Built => tensorMap("int32", Int32Array.from(values), [values.length]);

const reductions: readonly Subject[] = opNames("reduction")
  .filter(isDifferentiable)
  .flatMap((op) =>
    (
      [
        [[2, 3, 2], [1], false],
        [[2, 3, 2], [0, 2], true],
        [[2, 3], [1, 0], false],
        [[5], null, false],
        [[3, 1], [1], false],
        [[0, 3], [1], false],
        [[2, 0], [1], false],
        [[], null, false],
      ] as const
    ).map(([dims, axes, keepDims]) => ({
      name: `${op} of [${dims}] over ${axes}`,
      operands: [of(dims)],
      make: (x: Built) => x[op](axes, { keepDims }),
    })),
  );

const kFlags = [false, true] as const;

/** Returns a scan; all operands of one that has three are the elements, or every other element is marked. */
function scanned(op: string, x: Built, axis: number, flags: object): Built {
  if (op === "scaledCumsum") return scaledCumsum(x, x, x, axis, flags);
  if (op !== "markedCumsum") return x[op](axis, flags);
  const odd: Built = iota("int32", x.dimensions, axis).mod(2).cast("float64");
  return markedCumsum(x, constant("float64", 1, x.dimensions) as never, odd, axis, flags);
}

const scans: readonly Subject[] = opNames("scan").flatMap((op) =>
  kFlags.flatMap((exclusive) =>
    kFlags.flatMap((reverse) =>
      (
        [
          [[2, 4, 2], 1],
          [[5], 0],
          [[3, 1], 1],
          [[2, 0], 1],
          [[0, 3], 1],
        ] as const
      ).map(([dims, axis]) => ({
        name: `${op} of [${dims}] along ${axis}${exclusive ? ", exclusive" : ""}${reverse ? ", reverse" : ""}`,
        operands: [of(dims)],
        // The running extreme of no elements is infinite.
        make: (x: Built) => scanned(op, x, axis, { exclusive, reverse }).maximum(-5).minimum(5),
      })),
    ),
  ),
);

const products: readonly Subject[] = kFlags.flatMap((transposeA) =>
  kFlags.flatMap((transposeB) =>
    (
      [
        [[3, 4], [4, 2], "two matrices"],
        [[2, 3, 2], [2, 4], "a batch and a matrix"],
        [[2, 1, 3, 2], [3, 2, 4], "batches that are broadcast"],
        [[1, 3], [3, 1], "a row and a column"],
        [[2, 0], [0, 3], "sums of nothing"],
        [[0, 2], [2, 3], "no rows"],
      ] as const
    ).map(([a, b, name]) => {
      const turned = (dims: readonly number[]): readonly number[] => [...dims.slice(0, -2), dims.at(-1)!, dims.at(-2)!];
      return {
        name: `matMul of ${name}${transposeA ? ", first transposed" : ""}${transposeB ? ", second transposed" : ""}`,
        operands: [of(transposeA ? turned(a) : a), of(transposeB ? turned(b) : b)],
        make: (x: Built, z: Built) => x.matMul(z, { transposeA, transposeB }),
      };
    }),
  ),
);

/** A slice, of maps as an operation and not as a view. */
const sliced = (x: Built, ...ranges: readonly unknown[]): Built => x.mul(1).slice(...ranges);

const movements: readonly Subject[] = [
  { name: "reshape", operands: [of([2, 6])], make: (x) => x.mul(1).reshape([3, 4]).square() },
  { name: "shuffle", operands: [of([2, 3, 2])], make: (x) => x.shuffle([2, 0, 1]).square() },
  { name: "slice of parts", operands: [of([4, 5])], make: (x) => sliced(x, [1, 3], [0, 4]) },
  { name: "slice with steps", operands: [of([7, 5])], make: (x) => sliced(x, [1, 7, 3], [0, 5, 2]) },
  { name: "slice backwards", operands: [of([4, 3])], make: (x) => sliced(x, [3, 0, -1], [2, null, -2]) },
  { name: "slice backwards with steps", operands: [of([8])], make: (x) => sliced(x, [6, 1, -3]) },
  { name: "slice of one", operands: [of([5, 2])], make: (x) => sliced(x, [2, 3, 4]) },
  { name: "slice of nothing", operands: [of([5, 2])], make: (x) => sliced(x, [2, 2]) },
  { name: "chip", operands: [of([3, 4])], make: (x) => x.mul(1).chip(2, 1) },
  { name: "chip of the first axis", operands: [of([3, 2])], make: (x) => x.mul(1).chip(0, 0) },
  { name: "reverse", operands: [of([3, 2, 2])], make: (x) => x.mul(1).reverse([0, 2]) },
  { name: "broadcast", operands: [of([3, 1])], make: (x) => x.mul(1).broadcast([2, 3, 4]) },
  { name: "broadcast of a scalar", operands: [of([])], make: (x) => x.mul(1).broadcast([3]) },
  { name: "broadcast to nothing", operands: [of([1, 2])], make: (x) => x.mul(1).broadcast([0, 2]) },
  ...(
    [
      ["apart", [2, 7], [2], [1], 2, 1],
      ["with gaps", [9, 2], [2], [0], 3, 1],
      ["that overlap", [2, 7], [3], [1], 1, 1],
      ["that overlap in steps", [2, 9], [3], [1], 2, 1],
      ["dilated", [9], [3], [0], 1, 3],
      ["dilated in steps", [11, 2], [3], [0], 2, 2],
      ["of one element", [4, 3], [1], [1], 2, 1],
      ["of two axes", [4, 5], [2, 3], [0, 1], 1, 1],
      ["of two axes in steps", [5, 7], [2, 3], [0, 1], [1, 2], [3, 2]],
    ] as const
  ).map(([name, dims, sizes, axes, strides, dilations]) => ({
    name: `extractPatches ${name}`,
    operands: [of(dims)],
    make: (x: Built) => (extractPatches(x, sizes, { axes, strides, dilations }) as Built).square(),
  })),
  { name: "concatenate", operands: [of([2, 3]), of([2, 2])], make: (x, z) => concatenate([x, z, x], 1) },
  { name: "concatenate with nothing", operands: [of([2, 3]), of([0, 3])], make: (x, z) => concatenate([x, z], 0) },
  { name: "gather", operands: [of([3, 4])], make: (x) => x.gather(int32(2, 0, 2), 0) },
  { name: "gather along the last axis", operands: [of([2, 2, 3])], make: (x) => x.gather(int32(0, 2, 2, 1).reshape([2, 2]), 2) },
  { name: "gather of rows without elements, whose indices nobody checks", operands: [of([1, 0])], make: (x) => x.gather(int32(-9), 0) },
  { name: "gather of no rows", operands: [of([3, 2])], make: (x) => x.gather(int32(), 0) },
  ...(["update", "add", "mul", "min", "max"] as const).flatMap((reduction) => [
    {
      name: `scatter ${reduction}`,
      operands: [of([4, 2]), of([3, 2])],
      make: (x: Built, u: Built) => x.scatter(int32(2, 0, 2), u, 0, { reduction }).square(),
    },
    {
      name: `scatter ${reduction} along the last axis`,
      operands: [of([2, 3]), of([2, 2])],
      make: (x: Built, u: Built) => x.scatter(int32(1, 0), u, 1, { reduction }).square(),
    },
    {
      name: `scatter ${reduction} of no rows`,
      operands: [of([2, 3]), of([0, 3])],
      make: (x: Built, u: Built) => x.scatter(int32(), u, 0, { reduction }),
    },
  ]),
  {
    name: "select",
    operands: [of([3, 4]), of([4])],
    make: (x, z) => select(x.greater(0), x, z.mul(x)),
  },
  { name: "cast", operands: [of([3])], make: (x) => x.cast("complex128").cast("float64") },
  { name: "cast of complex numbers", operands: [{ dims: [3], dtype: "complex128" }], make: (x) => x.cast("float64").cast("complex128") },
  { name: "saturateCast", operands: [of([3])], make: (x) => x.saturateCast("float64") },
];

const orderings: readonly Subject[] = [
  { name: "sort", operands: [of([2, 5])], make: (x) => x.sort() },
  { name: "sort backwards along the first axis", operands: [of([5, 2])], make: (x) => x.sort(0, { descending: true }) },
  { name: "sort of one element", operands: [of([3, 1])], make: (x) => x.sort() },
  { name: "sort of nothing", operands: [of([3, 0])], make: (x) => x.sort() },
  { name: "topK", operands: [of([3, 5])], make: (x) => x.topK(2).values },
  { name: "topK of none", operands: [of([3, 5])], make: (x) => x.topK(0).values },
  { name: "nthElements", operands: [of([2, 5])], make: (x) => nthElements(x, [1, 3]) },
];

const complex = (dims: readonly number[]): OperandSpec => ({ dims, dtype: "complex128" });

/** Where a factor of a gradient is conjugated. */
const ofComplex: readonly Subject[] = [
  { name: "complex sum", operands: [complex([2, 3])], make: (x) => x.sum([1]) },
  { name: "complex mean", operands: [complex([2, 3])], make: (x) => x.mean([0]) },
  { name: "complex prod", operands: [complex([2, 3])], make: (x) => x.prod([1]) },
  { name: "complex cumsum", operands: [complex([5])], make: (x) => x.cumsum(0, { exclusive: true }) },
  ...kFlags.flatMap((exclusive) =>
    kFlags.map((reverse) => ({
      name: `complex cumprod${exclusive ? ", exclusive" : ""}${reverse ? ", reverse" : ""}`,
      operands: [complex([2, 4])],
      make: (x: Built) => x.cumprod(1, { exclusive, reverse }),
    })),
  ),
  ...kFlags.flatMap((transposeA) =>
    kFlags.map((transposeB) => ({
      name: `complex matMul${transposeA ? ", first transposed" : ""}${transposeB ? ", second transposed" : ""}`,
      operands: [complex([2, 2]), complex([2, 2])],
      make: (x: Built, z: Built) => x.matMul(z, { transposeA, transposeB }),
    })),
  ),
  { name: "complex slice with steps", operands: [complex([7])], make: (x) => sliced(x, [6, 1, -2]) },
  { name: "complex gather", operands: [complex([3, 2])], make: (x) => x.gather(int32(2, 0, 2), 0) },
  { name: "complex select", operands: [complex([3]), complex([3])], make: (x, z) => select(x.real().greater(0), x, z) },
  ...(["update", "add", "mul"] as const).map((reduction) => ({
    name: `complex scatter ${reduction}`,
    operands: [complex([3]), complex([3])],
    make: (x: Built, u: Built) => x.scatter(int32(2, 0, 2), u, 0, { reduction }),
  })),
];

/** The subjects of all operations that are not elementwise. */
export const wholeSubjects: readonly Subject[] = [...reductions, ...scans, ...products, ...movements, ...orderings, ...ofComplex];

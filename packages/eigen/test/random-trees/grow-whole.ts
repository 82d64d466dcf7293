// Adds operations whose elements depend on many elements of the operand to a random tree: reductions, scans, orderings, matrix products,
// and the composed operations that use them.
import { opNames, opTable } from "@onebuffer/eigen";
import type { Growth } from "./growth.ts";
import { accepts, isFloatDType } from "./growth.ts";
import { product } from "../row-major.ts";
import { wrapping } from "../wrapping.ts";

const reductionNames = opNames("reduction");

/** Adds a reduction; null if it could not. */
export function growReduction(g: Growth): number | null {
  const { dice } = g;
  const x = g.pick((i) => reductionNames.some((op) => accepts(op, g.dtype(i))));
  if (x === null) return null;
  const dims = g.dims(x);
  const op = dice.pick(reductionNames.filter((name) => accepts(name, g.dtype(x))));
  if (op === "argmax" || op === "argmin") {
    const axes = dims.map((_, d) => d).filter((d) => (dims[d] as number) > 0);
    return axes.length === 0 ? null : g.apply(op, [x], [dice.pick(axes), { outputType: dice.pick(["int32", "int64"]) }]);
  }
  const axes = dims.map((_, d) => d).filter(() => dice.below(2) === 0);
  const reduced = dice.below(5) === 0 ? null : axes.map((d) => (dice.below(4) === 0 ? d - dims.length : d));
  return g.apply(op, [x], [reduced, { keepDims: dice.below(2) === 0, ...wrapping(op) }]);
}

/** Adds a cumulative sum or product; null if it could not. */
export function growScan(g: Growth): number | null {
  const { dice } = g;
  const x = g.pick((i) => accepts("cumsum", g.dtype(i)) && g.dims(i).length > 0);
  if (x === null) return null;
  const scans = opNames("scan").filter((op) => opTable[op].arity === 1 && accepts(op, g.dtype(x)));
  const flags = { exclusive: dice.below(2) === 0, reverse: dice.below(2) === 0 };
  if (accepts("scaledCumsum", g.dtype(x)) && dice.below(5) === 0) {
    const other = (): number => (dice.below(3) === 0 ? x : g.leaf(g.dtype(x), g.dims(x)));
    const op = accepts("markedCumsum", g.dtype(x)) && dice.below(3) === 0 ? "markedCumsum" : "scaledCumsum";
    return g.apply(op, [x, other(), other()], [dice.below(g.dims(x).length), flags]);
  }
  const op = dice.pick(scans);
  const options = { ...flags, ...wrapping(op) };
  // Adjacent lines as vectors, with an edge.
  if (dice.below(12) === 0) {
    const line = g.leaf(g.dtype(x), [1 + dice.below(4), 16 + dice.below(9)]);
    return g.apply(op, [line], [0, options]);
  }
  return g.apply(op, [x], [dice.below(g.dims(x).length), options]);
}

/** Adds a sort, argsort or topK; null if it could not. */
export function growOrdering(g: Growth): number | null {
  const { dice } = g;
  const x = g.pick((i) => accepts("sort", g.dtype(i)) && g.dims(i).length > 0);
  if (x === null) return null;
  // A row from which few elements are selected without sorting it.
  if (dice.below(12) === 0)
    return g.apply(dice.pick(["topKValues", "topKIndices"]), [g.leaf(g.dtype(x), [2050 + dice.below(99)])], [1 + dice.below(9)]);
  const op = dice.pick([...opNames("ordering"), "topKValues", "topKIndices"]);
  const width = g.dims(x).at(-1) as number;
  if (op === "nthElements") {
    const places = [...new Set(Array.from({ length: 1 + dice.below(3) }, () => dice.below(width)))].sort((a, b) => a - b);
    return width === 0 ? null : g.apply(op, [x], [places]);
  }
  if (op.startsWith("topK")) return g.apply(op, [x], [dice.below(width + 1)]);
  return g.apply(op, [x], [dice.below(3) === 0 ? dice.below(g.dims(x).length) : -1, { descending: dice.below(2) === 0 }]);
}

/** The most multiplications of one matMul. */
const kMostProducts = 30_000;

/** Adds a matrix product; null if it could not. */
export function growProduct(g: Growth): number | null {
  const { dice } = g;
  const x = g.pick((i) => accepts("matMul", g.dtype(i)) && g.dims(i).length > 1);
  if (x === null) return null;
  const dims = g.dims(x);
  const [rows, inner] = dims.slice(-2) as [number, number];
  const [transposeA, transposeB] = [dice.below(3) === 0, dice.below(3) === 0];
  const along = transposeA ? rows : inner;
  // The other factor is the same node, transposed, or a new leaf.
  const squared = dice.below(3) === 0;
  const columns = 1 + dice.below(9);
  const other = squared ? x : g.leaf(g.dtype(x), transposeB ? [columns, along] : [along, columns]);
  if (product(dims) * (squared ? Math.max(rows, inner) : columns) > kMostProducts) return null;
  return g.apply("matMul", [x, other], [{ transposeA, transposeB: squared ? !transposeA : transposeB }]);
}

/** Adds a contraction over up to two pairs of axes with a new leaf, whose axes are in any order; null if it could not. */
export function growContraction(g: Growth): number | null {
  const { dice } = g;
  const x = g.pick((i) => accepts("matMul", g.dtype(i)) && g.dims(i).length > 0);
  if (x === null) return null;
  const dims = g.dims(x);
  const axes = dims
    .map((_, d) => d)
    .filter(() => dice.below(2) === 0)
    .slice(0, 2);
  const free = Array.from({ length: dice.below(3) }, () => 1 + dice.below(5));
  if (product(dims) * product(free) > kMostProducts || dims.length - axes.length + free.length > 6) return null;
  const inner = axes.map((d) => dims[d] as number);
  const at = dice.below(2) === 0 ? 0 : free.length;
  const sizes = at === 0 ? [...inner, ...free] : [...free, ...inner];
  return g.apply("contract", [x, g.leaf(g.dtype(x), sizes)], [axes.map((d, k) => [dice.below(4) === 0 ? d - dims.length : d, at + k])]);
}

/** Returns the composed operations that only floats have. */
function ofFloats(g: Growth, x: number): readonly (() => number | null)[] {
  const { dice } = g;
  const dims = g.dims(x);
  const elementwise = [
    () => g.apply("silu", [x]),
    () => g.apply("gelu", [x], [{ approximate: dice.below(2) === 0 }]),
    () => g.apply("leakyRelu", [x], [dice.pick([0.2, 0.01])]),
  ];
  if (dims.length === 0) return elementwise;
  const axis = dice.below(dims.length);
  const axes = dims.map((_, d) => d).filter((d) => d === axis || dice.below(3) === 0);
  const keep = { keepDims: dice.below(2) === 0 };
  return [
    ...elementwise,
    () => g.apply("softmax", [x], [axis]),
    () => g.apply("softmax", [x], [-1]),
    () => g.apply("logSoftmax", [x], [axis]),
    () => g.apply("layerNorm", [x]),
    () => g.apply("layerNorm", [x, ...[0, 1].map(() => g.leaf(g.dtype(x), dims.slice(-1)))]),

    () => g.apply("logSumExp", [x], [axes, keep]),
    () => g.apply("variance", [x], [axes, keep]),
    () => g.apply("norm", [x], [axes, keep]),
    () => g.apply("l2Normalize", [x], [axes]),
  ];
}

/** Adds a composed operation; null if it could not. */
export function growComposite(g: Growth): number | null {
  const { dice } = g;
  const x = g.pick((i) => opTable.minimum.dtypes.includes(g.dtype(i)));
  if (x === null) return null;
  const dtype = g.dtype(x);
  const bound = (n: number): unknown => (dtype.endsWith("int64") ? BigInt(n) : n);
  const makers = [
    () => g.apply("relu", [x]),
    () => g.apply("clip", [x], dtype.startsWith("u") ? [bound(1), bound(6)] : [bound(-2), bound(3)]),
  ];
  if (dtype.startsWith("uint")) makers.push(() => g.apply("bincount", [x], [dice.below(20)]));
  if (dtype === "int32" || dtype === "int64" || dtype === "uint8") {
    makers.push(() => g.apply("oneHot", [x], [1 + dice.below(5), dice.pick(["float32", "int8", "bool"])]));
  }
  return dice.pick(isFloatDType(dtype) ? [...makers, ...ofFloats(g, x)] : makers)();
}

// Adds movements to a random tree.
import { adapted, equalPartner } from "./grow-partner.ts";
import type { Growth } from "./growth.ts";
import { accepts } from "./growth.ts";
import { product } from "../row-major.ts";

/** Returns other sizes with the same number of elements. */
function otherSizes(g: Growth, dims: readonly number[]): readonly number[] {
  const { dice } = g;
  const count = product(dims);
  if (dims.length > 1 && dice.below(2) === 0) {
    const d = dice.below(dims.length - 1);
    return dims.toSpliced(d, 2, (dims[d] as number) * (dims[d + 1] as number));
  }
  const divisors = [1, 2, 3, 4, 5, 7, 8, 16].filter((n) => count % n === 0);
  const first = dice.pick(divisors);
  return dice.pick([[count], [first, count / first], [count / first, first], [count, 1]]);
}

/** Returns a random range of a dimension for `slice`. */
function someRange(g: Growth, size: number): readonly (number | null)[] | null {
  const { dice } = g;
  if (dice.below(3) === 0) return null;
  const [a, b] = [dice.below(size + 1), dice.below(size + 1)];
  const step = dice.pick([1, 1, 1, 2, 3, -1, -2]);
  return step > 0 ? [Math.min(a, b), Math.max(a, b), step] : [Math.max(a, b), Math.min(a, b) === 0 ? null : Math.min(a, b), step];
}

/** Adds a concatenation of two or three operands; some are the same node, or made from it. */
function joined(g: Growth, x: number, axis: number): number | null {
  const dims = g.dims(x);
  const dtype = g.dtype(x);
  const others = Array.from({ length: 1 + g.dice.below(2) }, () => {
    if (g.dice.below(4) === 0) return x;
    const moved = g.dice.below(3) === 0 ? adapted(g, x, dtype, dims) : null;
    const same = moved !== null && g.dims(moved).length === dims.length && g.dims(moved).every((size, d) => size === dims[d]);
    return same ? moved : equalPartner(g, dtype, g.dice.below(3) > 0 ? dims : dims.with(axis, g.dice.below(4)));
  });
  return g.apply("concatenate", g.dice.below(2) === 0 ? [x, ...others] : [...others, x], [axis]);
}

/** Adds indices of rows: a leaf, or computed integers modulo the size. Some leaves are not reduced, so that indices are out of range. */
function indices(g: Growth, count: readonly number[], size: number): number | null {
  const { dice } = g;
  const dtype = dice.pick(["int32", "int64"] as const);
  const value = (n: number): unknown => (dtype === "int64" ? BigInt(n) : n);
  const known = g.pick((i) => /^int(32|64)$/.test(g.dtype(i)) && g.dims(i).length <= 2 && product(g.dims(i)) <= 64);
  if (dice.below(3) === 0 && known !== null && count.length !== 1)
    return g.apply("mod", [known], [g.dtype(known) === "int64" ? BigInt(size) : size]);
  const leaf = g.leaf(dtype, count, "ordinary");
  return dice.below(40) === 0 ? leaf : g.apply("mod", [leaf], [value(size)]);
}

function gathered(g: Growth, x: number, axis: number): number | null {
  const size = g.dims(x)[axis] as number;
  if (size === 0) return null;
  const at = indices(g, g.dice.pick([[], [g.dice.below(9)], [2, 3]]), size);
  return at === null ? null : g.apply("gather", [x, at], [axis]);
}

function scattered(g: Growth, x: number, axis: number): number | null {
  const dims = g.dims(x);
  const dtype = g.dtype(x);
  if (dims[axis] === 0) return null;
  const rows = g.dice.below(5);
  const at = indices(g, [rows], dims[axis] as number);
  const updates = equalPartner(g, dtype, dims.with(axis, rows));
  const reductions = ["update", ...(accepts("add", dtype) ? ["add", "mul"] : []), ...(accepts("min", dtype) ? ["min", "max"] : [])];
  return at === null ? null : g.apply("scatter", [x, at, updates], [axis, { reduction: g.dice.pick(reductions) }]);
}

/** Adds rows combined by the numbers of their segments, some of them dropped. */
function segments(g: Growth, x: number): number | null {
  const dims = g.dims(x);
  if (!accepts("max", g.dtype(x)) || dims[0] === 0) return null;
  const count = 1 + g.dice.below(4);
  const at = indices(g, [dims[0] as number], count + 1);
  const ids = at === null ? null : g.apply("sub", [at], [g.dtype(at) === "int64" ? 1n : 1]);
  return ids === null ? null : g.apply(g.dice.pick(["unsortedSegmentMax", "unsortedSegmentSum"]), [x, ids], [count]);
}

/** Adds elements at places of their own for each row; sizes of 1 are repeated. */
function taken(g: Growth, x: number, axis: number): number | null {
  const dims = g.dims(x);
  if (dims[axis] === 0) return null;
  const sizes = dims.map((size, d) => (d === axis ? g.dice.below(5) : g.dice.below(4) === 0 ? 1 : size));
  const at = g.apply("mod", [equalPartner(g, "int32", sizes)], [dims[axis] as number]);
  return at === null ? null : g.apply("takeAlongAxis", [x, at], [axis]);
}

/** Adds the places of elements in the sorted rows of others. */
function searched(g: Growth, x: number): number | null {
  const dims = g.dims(x);
  if (!accepts("sort", g.dtype(x)) || dims.length === 0) return null;
  const values = equalPartner(g, g.dtype(x), dims.with(-1, g.dice.below(6)));
  const sorted = g.apply("sort", [x], [-1]);
  return sorted === null ? null : g.apply("searchSorted", [sorted, values], [{ side: g.dice.pick(["left", "right"]) }]);
}

function padded(g: Growth, x: number): number | null {
  const dims = g.dims(x);
  const mode = g.dice.pick(["constant", "reflect", "symmetric"]);
  if (mode === "constant" && /^(complex|q|float8)/.test(g.dtype(x))) return null;
  const most = (size: number): number => (mode === "constant" ? 3 : Math.min(mode === "reflect" ? size : size + 1, 4));
  return g.apply(
    "pad",
    [x],
    [dims.map((size) => (most(size) < 1 ? [0, 0] : [g.dice.below(most(size)), g.dice.below(most(size))])), { mode }],
  );
}

function patches(g: Growth, x: number, axis: number): number | null {
  const size = g.dims(x)[axis] as number;
  const [window, dilations] = [1 + g.dice.below(3), 1 + g.dice.below(2)];
  if ((window - 1) * dilations >= size || g.dims(x).length > 4) return null;
  return g.apply("extractPatches", [x], [[window], { axes: [axis], strides: 1 + g.dice.below(2), dilations }]);
}

/** Returns every kind of movement of a node with one dimension or more. */
function movements(g: Growth, x: number): readonly (() => number | null)[] {
  const { dice } = g;
  const dims = g.dims(x);
  const axis = dice.below(dims.length);
  const order = dims.map((_, d) => d).sort(() => dice.below(3) - 1);
  return [
    () => g.apply("reshape", [x], [otherSizes(g, dims)]),
    () => g.apply("shuffle", [x], [order]),
    () => g.apply("transpose", [x]),
    () =>
      g.apply(
        "slice",
        [x],
        dims.map((size) => someRange(g, size)),
      ),
    () =>
      g.apply(
        "slice",
        [x],
        dims.map((size) => someRange(g, size)),
      ),
    () => (dims[axis] === 0 ? null : g.apply("chip", [x], [dice.below(dims[axis] as number), axis])),
    () => g.apply("reverse", [x], [dims.map((_, d) => d).filter((d) => d === axis || dice.below(2) === 0)]),
    () => g.apply("broadcast", [x], [[...dice.pick([[], [2], [3, 1]]), ...dims.map((size) => (size === 1 ? 1 + dice.below(4) : size))]]),
    () => patches(g, x, axis),
    () => joined(g, x, axis),
    () => joined(g, x, axis),
    () => gathered(g, x, axis),
    () => scattered(g, x, axis),
    () => segments(g, x),
    () => searched(g, x),
    () => taken(g, x, axis),
    () => g.apply("roll", [x], [dice.below(9) - 4, axis]),
    () => g.apply("roll", [x], [dims.map(() => dice.below(9) - 4), dims.map((_, d) => d)]),
    () => padded(g, x),
    () => g.apply("tile", [x], [dims.map(() => 1 + dice.below(2))]),
    () => (dims.length > 3 ? null : g.apply("expandDims", [x], [dice.below(dims.length + 1)])),
    () => g.apply("squeeze", [x]),
  ];
}

/** Adds a movement; null if it could not. */
export function growMovement(g: Growth): number | null {
  const x = g.pick((i) => g.dims(i).length > 0);
  if (x === null) return g.apply("broadcast", [g.last], [[1 + g.dice.below(5)]]);
  return g.dice.pick(movements(g, x))();
}

// Chooses second operands: an existing node, a node moved, reduced or cast until it fits (so that a shared node is read in
// several orders), a new leaf, or a generator.
import type { RawDType } from "@onebuffer/base";
import type { OpName } from "@onebuffer/eigen";
import { opTable } from "@onebuffer/eigen";
import type { Growth } from "./growth.ts";
import { accepts, broadcastSizes, isFloatDType } from "./growth.ts";
import { product } from "../row-major.ts";
import { wrapping } from "../wrapping.ts";

/** Returns sizes with some leading dimensions removed or some dimensions set to 1. */
function narrowed(g: Growth, dims: readonly number[]): readonly number[] {
  switch (g.dice.below(4)) {
    case 0:
      return dims.slice(g.dice.below(dims.length + 1));
    case 1:
      return dims.map((size) => (g.dice.below(2) === 0 ? 1 : size));
    default:
      return dims;
  }
}

/** Adds a generator or random numbers; null if there are none for the dtype and sizes. */
export function generated(g: Growth, dtype: RawDType, dims: readonly number[]): number | null {
  const { dice } = g;
  const seed = [dice.below(1000), dice.below(1000)];
  const makers: (() => number | null)[] = [];
  if (accepts("constant", dtype) && dtype !== "int2" && !/complex/.test(dtype)) {
    const value =
      dtype === "bool" ? dice.below(2) === 1 : /^u?int64$/.test(dtype) ? BigInt(dice.below(6)) : dice.below(isFloatDType(dtype) ? 6 : 2);
    makers.push(() => g.apply("constant", [], [dtype, value, dims]));
  }
  if (accepts("iota", dtype) && dims.length > 0) makers.push(() => g.apply("iota", [], [dtype, dims, dice.below(dims.length)]));
  if (accepts("linspace", dtype) && dims.length === 1 && (dims[0] as number) > 0)
    makers.push(() => g.apply("linspace", [], [dtype, dice.below(9) - 4, dice.below(9) / 3, dims[0]]));
  if (accepts("randomUniform", dtype)) {
    makers.push(() => g.apply("statelessUniform", [], [dtype, dims, seed]));
    makers.push(() => g.apply("statelessNormal", [], [dtype, dims, seed]));
  }
  if (accepts("randomUniformInt", dtype)) {
    const value = (n: number): unknown => (dtype.endsWith("64") ? BigInt(n) : n);
    const bounds = dice.below(2) === 0 ? [null, null] : [value(dice.below(5)), value(5 + dice.below(1000))];
    makers.push(() => g.apply("statelessUniform", [], [dtype, dims, seed, { minval: bounds[0], maxval: bounds[1] }]));
  }
  return makers.length === 0 ? null : dice.pick(makers)();
}

/** Adds a node of compatible sizes made from a node by moving or combining its elements. */
function rearranged(g: Growth, node: number): number | null {
  const { dice } = g;
  const dims = g.dims(node);
  const dtype = g.dtype(node);
  if (dims.length === 0) return node;
  const axis = dice.below(dims.length);
  const makers: (() => number | null)[] = [
    () => g.apply("roll", [node], [1 + dice.below(3), axis]),
    () => g.apply("reverse", [node], [[axis]]),
  ];
  const reducers = (["sum", "max", "min", "mean", "any", "all"] as const).filter((op) => accepts(op, dtype));
  if (reducers.length > 0) {
    const op = dice.pick(reducers);
    makers.push(() => g.apply(op, [node], [[axis], { keepDims: true, ...wrapping(op) }]));
  }
  if (accepts("cumsum", dtype)) makers.push(() => g.apply("cumsum", [node], [axis, { wraps: true }]));
  if (accepts("sort", dtype)) makers.push(() => g.apply("sort", [node], [-1, { descending: dice.below(2) === 0 }]));
  if (isFloatDType(dtype)) makers.push(() => g.apply("softmax", [node], [axis]));
  return dice.pick(makers)();
}

/** Slices and pads a node to other sizes of the same rank. */
function fitted(g: Growth, node: number, dims: readonly number[]): number | null {
  const from = g.dims(node);
  const cut = g.apply(
    "slice",
    [node],
    from.map((size, d) => [0, Math.min(size, dims[d] as number)]),
  );
  if (cut === null) return null;
  const paddings = g.dims(cut).map((size, d) => {
    const before = g.dice.below((dims[d] as number) - size + 1);
    return [before, (dims[d] as number) - size - before];
  });
  return g.apply("pad", [cut], [paddings]);
}

/** Adds operations that give a node a dtype and sizes that fit; null if that is not possible. */
export function adapted(g: Growth, node: number, dtype: RawDType, dims: readonly number[]): number | null {
  let made: number | null = node;
  if (g.dtype(made) !== dtype) {
    const castable = opTable.cast.dtypes;
    if (!castable.includes(g.dtype(made)) || !castable.includes(dtype)) return null;
    made = g.apply("cast", [made], [dtype]);
    if (made === null) return null;
  }
  const from = g.dims(made);
  if (from.length === dims.length && from.every((size, d) => size === dims[d])) return rearranged(g, made);
  if (product(from) === product(dims)) return g.apply("reshape", [made], [dims]);
  if (from.length === dims.length && !(dtype.startsWith("q") || dtype.startsWith("complex") || dtype.startsWith("float8")))
    return fitted(g, made, dims);
  const reducers = (["max", "min", "sum", "prod", "any", "all"] as const).filter((op) => accepts(op as OpName, dtype));
  if (reducers.length === 0) return null;
  const op = g.dice.pick(reducers);
  return g.apply(op, [made], [null, wrapping(op)]);
}

/** Returns a node of a dtype whose sizes are compatible with `dims`. */
export function partner(g: Growth, dtype: RawDType, dims: readonly number[]): number {
  const { dice } = g;
  const roll = dice.below(20);
  if (roll < 7) {
    const known = g.pick((i) => g.dtype(i) === dtype && g.goTogether(g.dims(i), dims));
    if (known !== null) return known;
  } else if (roll < 12) {
    const made = adapted(g, dice.below(g.nodes.length), dtype, dims);
    if (made !== null && g.goTogether(g.dims(made), dims)) return made;
  } else if (roll < 14) {
    const made = generated(g, dtype, narrowed(g, dims));
    if (made !== null) return made;
  }
  return g.leaf(dtype, narrowed(g, dims));
}

/** Returns a node of a dtype with exactly these sizes. */
export function equalPartner(g: Growth, dtype: RawDType, dims: readonly number[]): number {
  const made = partner(g, dtype, dims);
  const sizes = g.dims(made);
  if (sizes.length === dims.length && sizes.every((size, d) => size === dims[d])) return made;
  const together = broadcastSizes(sizes, dims) as number[];
  const fits = together.length === dims.length && together.every((size, d) => size === dims[d]);
  return (fits ? g.apply("broadcast", [made], [dims]) : null) ?? g.leaf(dtype, dims);
}

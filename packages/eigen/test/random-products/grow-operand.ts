// Adds an operand of given sizes to a random tree: a leaf of any layout below movements, from the root down. Each step turns the wanted
// sizes into those that its operand must have, so reshapes that join axes, tiles and repeats come out at the sizes of a product.
import type { RawDType } from "@onebuffer/base";
import { opTable } from "@onebuffer/eigen";
import type { Growth } from "../random-trees/growth.ts";
import { product } from "../row-major.ts";

/** Adds an operand of these sizes. Returns its number; null if it would be too large. */
type Grow = (g: Growth, dtype: RawDType, dims: readonly number[], depth: number) => number | null;

/** Returns the divisors of a size other than 1 and itself. */
const divisors = (size: number): number[] => Array.from({ length: Math.max(0, size - 2) }, (_, k) => k + 2).filter((n) => size % n === 0);

function shuffled(g: Growth, count: number): number[] {
  const order = Array.from({ length: count }, (_, d) => d);
  for (let d = count - 1; d > 0; d--) {
    const other = g.dice.below(d + 1);
    [order[d], order[other]] = [order[other] as number, order[d] as number];
  }
  return order;
}

/** Adds `op` with arguments on an operand of other sizes. */
const on = (g: Growth, node: number | null, op: string, ...args: readonly unknown[]): number | null =>
  node === null ? null : g.apply(op, [node], args);

const permuted: Grow = (g, dtype, dims, depth) => {
  const order = shuffled(g, dims.length);
  const before = dims.map((_, d) => dims[order.indexOf(d)] as number);
  return on(g, growOperand(g, dtype, before, depth), "shuffle", order);
};

/** Joins axes: each is made of up to three, which a permutation has moved apart. */
const joined: Grow = (g, dtype, dims, depth) => {
  const parts = dims.flatMap((size) => {
    const [first, second] = [divisors(size), divisors(size)].map((list) =>
      list.length === 0 || g.dice.below(3) === 0 ? 1 : g.dice.pick(list),
    );
    if (first === 1) return [size];
    const rest = size / (first as number);
    return rest % (second as number) === 0 && second !== rest
      ? [first as number, second as number, rest / (second as number)]
      : [first as number, rest];
  });
  if (parts.length === dims.length || parts.length > 8) return null;
  const grow = g.dice.below(4) === 0 ? growOperand : permuted;
  return on(g, grow(g, dtype, parts, depth), "reshape", dims);
};

/** Splits an axis in two. */
const split: Grow = (g, dtype, dims, depth) => {
  if (dims.length < 2) return null;
  const d = g.dice.below(dims.length - 1);
  return on(g, growOperand(g, dtype, dims.toSpliced(d, 2, (dims[d] as number) * (dims[d + 1] as number)), depth), "reshape", dims);
};

/** Repeats whole axes, leading ones also by having none. */
const repeated: Grow = (g, dtype, dims, depth) => {
  const narrow = dims.map((size) => (g.dice.below(3) === 0 ? 1 : size));
  const from = g.dice.below(3) === 0 ? narrow.slice(g.dice.below(narrow.length)) : narrow;
  return on(g, growOperand(g, dtype, from, depth), "broadcast", dims);
};

const tiled: Grow = (g, dtype, dims, depth) => {
  const times = dims.map((size) => (g.dice.below(2) === 0 ? g.dice.pick([1, ...divisors(size), size]) : 1));
  const from = dims.map((size, d) => size / (times[d] as number));
  return on(g, growOperand(g, dtype, from, depth), "tile", times);
};

const reversed: Grow = (g, dtype, dims, depth) =>
  on(
    g,
    growOperand(g, dtype, dims, depth),
    "reverse",
    dims.map((_, d) => d).filter(() => g.dice.below(2) === 0),
  );

const sliced: Grow = (g, dtype, dims, depth) => {
  const ranges: (readonly (number | null)[])[] = [];
  const from = dims.map((size) => {
    const step = g.dice.pick([1, 1, 1, 1, 2, 3, -1, -2]);
    const [before, behind] = [g.dice.below(3), g.dice.below(3)];
    const span = (size - 1) * Math.abs(step) + 1;
    ranges.push(step > 0 ? [before, before + span, step] : [before + span - 1, before === 0 ? null : before - 1, step]);
    return before + span + behind;
  });
  return on(g, growOperand(g, dtype, from, depth), "slice", ...ranges);
};

const chipped: Grow = (g, dtype, dims, depth) => {
  const axis = g.dice.below(dims.length + 1);
  const size = 1 + g.dice.below(3);
  return on(g, growOperand(g, dtype, dims.toSpliced(axis, 0, size), depth), "chip", g.dice.below(size), axis);
};

/** Windows of an axis that overlap in memory. */
const patched: Grow = (g, dtype, dims, depth) => {
  const d = dims.length - 2;
  if (d < 0) return null;
  const [count, window] = [dims[d] as number, dims[d + 1] as number];
  const stride = 1 + g.dice.below(2);
  const whole = growOperand(g, dtype, [...dims.slice(0, d), (count - 1) * stride + window], depth);
  const windows = on(g, whole, "extractPatches", [window], { strides: stride, axes: [d] });
  if (windows === null) return null;
  return String(g.dims(windows)) === String(dims) ? windows : null;
};

const computed: Grow = (g, dtype, dims, depth) => {
  const { dice } = g;
  const other = dice.pick(["neg", "add", "cast", "concatenate", "roll"]);
  if (other === "neg" && dtype.startsWith("uint")) return null;
  if (other === "add") {
    const [x, y] = [growOperand(g, dtype, dims, depth), growOperand(g, dtype, dims.map((size) => (dice.below(3) === 0 ? 1 : size)), 0)]; // biome-ignore format: one line
    return x === null || y === null ? null : g.apply("add", [x, y]);
  }
  if (other === "concatenate") {
    const axis = dice.below(dims.length);
    const size = dims[axis] as number;
    if (size < 2) return null;
    const first = 1 + dice.below(size - 1);
    const both = [first, size - first].map((each) => growOperand(g, dtype, dims.with(axis, each), 0));
    return both.includes(null) ? null : g.apply("concatenate", both as number[], [axis]);
  }
  if (other === "cast") {
    if (dtype.startsWith("complex")) return null;
    const from = dice.pick(
      dtype.startsWith("uint") ? (["uint8", "bool", "uint16"] as const) : (["int8", "uint8", "bool", "float32"] as const),
    );
    return on(g, growOperand(g, from, dims, depth), "cast", dtype);
  }
  const node = growOperand(g, dtype, dims, depth);
  return other === "neg" ? on(g, node, "neg") : on(g, node, "roll", 1 + dice.below(3), dice.below(dims.length));
};

/** The forms of an operand; a form that is listed twice is twice as frequent. */
const kForms: readonly Grow[] = [
  ...[joined, joined, joined, joined, permuted, permuted, repeated, repeated, tiled, tiled],
  ...[split, reversed, sliced, sliced, chipped, patched, computed, computed],
];

/** Adds an operand of these sizes with at most `depth` operations above a leaf. Returns its number; null if it would be too large. */
export function growOperand(g: Growth, dtype: RawDType, dims: readonly number[], depth: number): number | null {
  const { dice } = g;
  if (product(dims) > kMostElements) return null;
  if (depth > 0 && dims.length > 0 && opTable.matMul.dtypes.includes(dtype as "float32") && dice.below(6) > 0) {
    const made = dice.pick(kForms)(g, dtype, dims, depth - 1);
    if (made !== null) return made;
  }
  const known = dice.below(4) > 0 ? null : g.pick((node) => g.dtype(node) === dtype && String(g.dims(node)) === String(dims));
  // Sums that overflow hide other errors, so most leaves have ordinary elements.
  return known ?? g.leaf(dtype, dims, dice.below(4) > 0 ? "ordinary" : undefined);
}

/** The most elements of an operand. */
const kMostElements = 200_000;

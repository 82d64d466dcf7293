// Makes a random leaf of a dtype and sizes: its elements, the place of its memory, and the views that make the operand.
import type { RawDType } from "@onebuffer/base";
import type { Dice } from "../kernel/kernel-subjects.ts";
import type { Sprinkling } from "./random-elements.ts";
import { randomElements, someSprinkling } from "./random-elements.ts";
import type { Call, LeafSpec, Place } from "./tree-spec.ts";

/** Sizes of the whole memory, and the views that make a map of the requested sizes from it. */
export interface Layout {
  readonly dims: readonly number[];
  readonly views: readonly Call[];
}

const dense = (dims: readonly number[]): Layout => ({ dims, views: [] });

/** Returns a layout that takes a range of an axis, or every second or third element, forwards or backwards. */
function sliced(dims: readonly number[], dice: Dice): Layout {
  const axis = dice.below(dims.length);
  const size = dims[axis] as number;
  const step = dice.pick([1, 1, 2, 3, -1, -2]);
  const [before, behind] = [dice.below(3), dice.below(3)];
  const span = Math.max((size - 1) * Math.abs(step) + 1, 0);
  const range = step > 0 ? [before, before + span, step] : [before + span - 1, before === 0 ? null : before - 1, step];
  if (size === 0) return dense(dims);
  const ranges = dims.map((_, d) => (d === axis ? range : null));
  return { dims: dims.with(axis, before + span + behind), views: [["strided"], ["slice", ...ranges]] };
}

function permuted(dims: readonly number[], dice: Dice): Layout {
  const order = dims.map((_, d) => d);
  for (let d = order.length - 1; d > 0; d--) {
    const other = dice.below(d + 1);
    [order[d], order[other]] = [order[other] as number, order[d] as number];
  }
  const whole = dims.map((_, d) => dims[order.indexOf(d)] as number);
  return { dims: whole, views: [["strided"], ["permute", order]] };
}

function layoutOf(dims: readonly number[], dice: Dice): Layout {
  if (dims.length === 0) return dense(dims);
  switch (dice.below(12)) {
    case 0:
    case 1:
      return sliced(dims, dice);
    case 2:
      return permuted(dims, dice);
    case 3:
      return { dims, views: [["strided"], ["reverse", dims.map((_, d) => d).filter(() => dice.below(2) === 0)]] };
    case 4:
      return { dims: dims.map((size) => (dice.below(2) === 0 ? 1 : size)), views: [["strided"], ["broadcast", dims]] };
    case 5: {
      const chosen = dice.below(dims.length + 1);
      const whole = dims.toSpliced(chosen, 0, 2 + dice.below(2));
      return { dims: whole, views: [["strided"], ["chip", dice.below(whole[chosen] as number), chosen]] };
    }
    default:
      return dense(dims);
  }
}

/** Returns the place of a map; one of `oneIn` maps is not aligned in the linear memory. */
export const randomPlace = (dice: Dice, oneIn: number): Place =>
  dice.below(oneIn) > 0 ? "arena" : dice.pick(["outside", "outside", "unaligned", "unaligned outside"]);

/** Returns a leaf whose operand has these sizes. */
export function randomLeaf(dtype: RawDType, dims: readonly number[], dice: Dice, sprinkling?: Sprinkling): LeafSpec {
  const layout = layoutOf(dims, dice);
  return {
    kind: "leaf",
    dtype,
    dims: layout.dims,
    data: randomElements(dtype, layout.dims, sprinkling ?? someSprinkling(dice), dice),
    views: layout.views,
    place: randomPlace(dice, 8),
  };
}

/** Returns the layout of a target in new memory; most are dense. */
export function randomTargetLayout(dims: readonly number[], dice: Dice): Layout {
  if (dims.length === 0 || dice.below(3) > 0) return dense(dims);
  const layout = layoutOf(dims, dice);
  return layout.views.some(([method]) => method === "broadcast") ? dense(dims) : layout;
}

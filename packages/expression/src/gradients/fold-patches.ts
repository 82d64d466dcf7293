/**
 * fold-patches: the opposite of extractPatches: the elements of patches added at the places that they were read from.
 *
 *     [[a, b], [c, d]] in steps of 1 into 3   ->   a  b + c  d
 */
import type { GradientValue } from "../tree/gradient-rule.ts";
import type { OpAttributes } from "../tree/op-attributes.ts";
import { sizesOf } from "../tree/node-lists.ts";
import { foldedByWindows } from "./fold-by-windows.ts";
import { filled, joined, partAlong, placedAlong, reshaped, shuffled } from "./gradient-nodes.ts";

/** Returns patches added up in zeros of these sizes. Their windows are the last axes, one for each axis of the attributes. */
export function foldPatches(patches: GradientValue, sizes: readonly number[], attributes: OpAttributes<"extractPatches">): GradientValue {
  const { axes, strides, dilations } = attributes;
  const byWindows = foldedByWindows(
    patches,
    sizes,
    attributes,
    axes.map(() => 0),
  );
  if (byWindows !== null) return byWindows;
  let folded = patches;
  for (let k = axes.length - 1; k >= 0; k--) {
    const axis = axes[k]!;
    const windows = { axis, stride: strides[k]!, dilation: dilations[k]!, size: sizes[axis]! };
    folded = isApart(folded, windows) ? tiledAlong(folded, windows) : addedAlong(folded, windows);
  }
  return folded;
}

/** Windows along one axis of `size` elements; the elements of a window are along the last axis. */
interface WindowsAlong {
  readonly axis: number;
  readonly stride: number;
  readonly dilation: number;
  readonly size: number;
}

/** Returns true if no two windows have an element in common, and windows have no gaps. */
function isApart(patches: GradientValue, { stride, dilation }: WindowsAlong): boolean {
  const window = sizesOf(patches).at(-1)!;
  return window === 1 || (dilation === 1 && stride >= window);
}

/** Returns the windows one behind the other, with zeros between them. */
function tiledAlong(patches: GradientValue, { axis, stride, size }: WindowsAlong): GradientValue {
  const sizes = sizesOf(patches);
  const last = sizes.length - 1;
  const order = sizes.flatMap((_, d) => (d === last ? [] : d === axis ? [axis, last] : [d]));
  const beside = shuffled(patches, order);
  const gap = filled(patches.dtype, 0, sizesOf(beside).with(axis + 1, Math.max(0, stride - sizes[last]!)));
  const count = sizes[axis]!;
  const tiles = reshaped(sizesOf(gap)[axis + 1] === 0 ? beside : joined([beside, gap], axis + 1), [
    ...sizes.slice(0, axis),
    count * Math.max(stride, sizes[last]!),
    ...sizes.slice(axis + 1, last),
  ]);
  const length = sizesOf(tiles)[axis]!;
  return length > size ? partAlong(tiles, axis, 0, size) : placedAlong(tiles, axis, 0, 1, size);
}

/** Returns the sum of as many pieces as a window has elements: the elements at one place of all windows, each where it was read. */
function addedAlong(patches: GradientValue, { axis, stride, dilation, size }: WindowsAlong): GradientValue {
  const last = sizesOf(patches).length - 1;
  let sum: GradientValue | null = null;
  for (let j = 0; j < sizesOf(patches)[last]!; j++) {
    const piece = reshaped(partAlong(patches, last, j, j + 1), sizesOf(patches).slice(0, last));
    const placed = placedAlong(piece, axis, j * dilation, stride, size);
    sum = sum === null ? placed : sum.add(placed);
  }
  return sum ?? filled(patches.dtype, 0, sizesOf(patches).slice(0, last).with(axis, size));
}

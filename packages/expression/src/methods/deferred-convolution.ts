/**
 * deferred-convolution: a convolution as one node, whose fourteen others are made when something first reads them (deferred-inputs.ts).
 *
 *     convolve(x[1, 8, 8, 4], w[3, 3, 4, 8])      reshape [1, 8, 8, 8] of the product of 64 places and 36 elements with 8 filters
 *
 * What the others check is checked here first, so that a convolution throws where it is written. One that has another form, or does not
 * pass, is made at once.
 */
import { product } from "@onebuffer/storage/internal";
import { DeferredInputs } from "../tree/deferred-inputs.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import { makeDeferredReshape } from "./expression-node.ts";
import { hasFewLines } from "./general-product.ts";
import type { SpatialWindows } from "./window-options.ts";

/**
 * Returns a convolution, whose form is a reshape of a product of matrices: channels last, one group. `make` makes it as a whole. Returns null
 * if it has another form, or would throw.
 */
export function deferredConvolution(
  x: ExpressionTree,
  filters: ExpressionTree,
  windows: SpatialWindows,
  make: () => ExpressionTree,
): ExpressionTree | null {
  const { axes, sizes, strides, dilations, paddings } = windows;
  const dimensions = sizesOf(x).slice();
  const numbers: number[] = [];
  let paddedAxes = 0;
  let paddedCount = dimensions[0]! * dimensions[windows.channels]!;
  for (let k = 0; k < axes.length; k++) {
    const axis = axes[k]!;
    const [pair, stride, dilation] = [paddings[k]!, strides[k]!, dilations[k]!];
    const all = pair[0] + pair[1];
    const room = dimensions[axis]! + all - ((sizes[k]! - 1) * dilation + 1);
    if (dimensions[axis] === 0 || room < 0) return null;
    if (all > 0) paddedAxes++;
    paddedCount *= dimensions[axis]! + all;
    numbers.push(stride, dilation, pair[0], pair[1]);
    dimensions[axis] = Math.floor(room / stride) + 1;
  }
  const numFilters = sizesOf(filters)[axes.length + 1]!;
  const rows = product(dimensions) / dimensions[windows.channels]!;
  const inner = product(sizesOf(filters)) / numFilters;
  const isSafe = rows * inner * numFilters <= Number.MAX_SAFE_INTEGER && paddedCount <= Number.MAX_SAFE_INTEGER;
  if (!isSafe || hasFewLines(rows, numFilters, inner)) return null;
  dimensions[windows.channels] = numFilters;
  // Each padded axis is a concatenation, whose other operands are broadcast; then there are patches, their order, and matrices.
  const left = Math.max(x.depth, paddedAxes > 0 ? 1 : 0) + paddedAxes + 3;
  const depth = Math.max(left, filters.depth + 1) + 2;
  const deferred = new DeferredInputs("convolve", [x, filters], numbers, () => inputsOf(make()));
  return makeDeferredReshape(deferred, x.dtype, dimensions, depth);
}

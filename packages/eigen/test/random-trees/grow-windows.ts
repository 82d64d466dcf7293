// Adds operations over the windows of images to a random tree: pooling and convolutions. Padding may reach some windows, all or none, so
// that parts of a result may be computed on their own (compiler/windows).
import { product } from "../row-major.ts";
import type { Growth } from "./growth.ts";
import { accepts, isFloatDType } from "./growth.ts";

/** The most products of a convolution. */
const kMostProducts = 30_000;

/** Adds a reduction or a convolution over the windows of new images, or of a node that has their rank; null if it could not. */
export function growWindows(g: Growth): number | null {
  const { dice } = g;
  const like = g.pick((i) => accepts("max", g.dtype(i)) && g.dtype(i) !== "bool");
  if (like === null) return null;
  const dtype = g.dtype(like);
  const numAxes = 1 + dice.below(2);
  const isImage = g.dims(like).length === numAxes + 2 && dice.below(2) === 0;
  const spatial = Array.from({ length: numAxes }, () => dice.pick([1, 2, 3, 4, 5, 7, 9, 16, 20]));
  const images = isImage ? like : g.leaf(dtype, [1 + dice.below(2), ...spatial, dice.pick([1, 1, 2, 3, 4, 8])]);
  const dims = g.dims(images);
  const sizes = spatial.map(() => 1 + dice.below(3));
  const padding = sizes.map((size) => [dice.below(size), dice.below(size)] as const);
  const fits = sizes.every((size, d) => (dims[d + 1] as number) + padding[d]![0] + padding[d]![1] >= size);
  if (!fits || product(dims) === 0) return null;
  const options = { strides: sizes.map((size) => 1 + dice.below(size)), padding: dice.pick([padding, padding, "same"]) };
  if (accepts("matMul", dtype) && dice.below(3) === 0) return convolution(g, images, sizes, options);
  return g.apply(isFloatDType(dtype) && dice.below(3) === 0 ? "avgPool" : "maxPool", [images], [sizes, options]);
}

/** Adds a convolution with new filters, of all channels or of each. */
function convolution(g: Growth, images: number, sizes: readonly number[], options: object): number | null {
  const { dice } = g;
  const dims = g.dims(images);
  const channels = dims.at(-1) as number;
  const isDepthwise = dice.below(2) === 0;
  const filters = isDepthwise ? channels * (1 + dice.below(2)) : 1 + dice.below(5);
  const inputs = isDepthwise ? 1 : channels;
  if (product(dims) * product(sizes) * filters > kMostProducts) return null;
  const weights = g.leaf(g.dtype(images), [...sizes, inputs, filters]);
  return g.apply("convolve", [images, weights], [{ ...options, ...(isDepthwise ? { groups: channels } : {}) }]);
}

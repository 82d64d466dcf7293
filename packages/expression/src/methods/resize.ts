/**
 * resize: images of another size (tf.image.resize of TensorFlow 2), by gathers along the rows and the columns.
 *
 *     4 pixels to 2      centers at 0.5 and 1.5 of the result are at 1 and 3 of the image: half_pixel_centers, the rule of TensorFlow 2
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { checkDType, checkTree } from "../inference/elementwise-inference.ts";
import type { RealDType } from "../tree/dtype-groups.ts";
import type { Expression } from "../tree/expression.ts";
import type { OperandLike, OperandSource } from "../tree/operand.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import { makeDeferred } from "./expression-node.ts";
import { iota } from "./generators.ts";

/**
 * Options of `resize`: `method` is "bilinear", the default, or "nearest".
 *
 * @example
 * const options: ResizeOptions<"nearest"> = { method: "nearest" };
 * resize(iota("int8", [1, 4, 4, 1], 1), [2, 2], options).dtype; // => "int8"
 */
export interface ResizeOptions<M extends "bilinear" | "nearest" = "bilinear" | "nearest"> {
  readonly method?: M;
}

type Image = Expression<"float32", 4>;

/** The largest size: below it float32 has every index and its half. */
const kMaxSize = 2 ** 22;

/**
 * Returns images with another height and width (`tf.image.resize` without antialiasing, `size` is [height, width]). Images are
 * [batch, height, width, channels]. Pixels are squares whose centers lie at halves (`half_pixel_centers`): "nearest" takes the pixel in which the
 * center lies, "bilinear" interpolates between the centers around it, and beyond the outermost ones repeats them. As in TensorFlow the
 * result of "bilinear" is float32, that of "nearest" has the dtype of the images. The places are computed in float32, as there.
 *
 * Throws INVALID_ARGUMENT unless the images have four dimensions, at least one pixel, and the size is positive.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(0, 10), [1, 1, 2, 1]);
 * [...evaluate(resize(x, [1, 4]))]; // => [0, 2.5, 7.5, 10]
 * [...evaluate(resize(x, [1, 4], { method: "nearest" }))]; // => [0, 0, 10, 10]
 * using image = Tensor.from([[0, 10]]);
 * using batch = image.reshape([1, 1, 2, 1]); // a tensor of one image
 * [...evaluate(resize(batch, [1, 4]))]; // => [0, 2.5, 7.5, 10]
 * resize(x, [0, 4]); // throws INVALID_ARGUMENT
 */
export function resize<D extends RealDType, M extends "bilinear" | "nearest" = "bilinear">(
  images: OperandLike<D, 4> | OperandSource<D, number>,
  size: readonly [height: number, width: number],
  options: ResizeOptions<M> = {},
): Expression<M extends "nearest" ? D : "float32", 4> {
  const tree = checkTree("resize", images);
  checkOptions("resize", options, ["method"]);
  checkDType("max", tree, "resize");
  const shown = `resize(${shownOperand(tree)})`;
  const method: unknown = options.method ?? "bilinear";
  if (method !== "bilinear" && method !== "nearest") {
    throw new InvalidArgumentError(`${shown}: the method is bilinear or nearest, got ${shownValue(method)}`);
  }
  const sizes = sizesOf(tree);
  if (sizes.length !== 4)
    throw new InvalidArgumentError(
      `${shown}: images are [batch, height, width, channels]; one image first gets a batch of 1: reshape([1, height, width, channels])`,
    );
  const isSize = (each: unknown): boolean => Number.isSafeInteger(each) && (each as number) > 0 && (each as number) <= kMaxSize;
  if (!isArray(size) || size.length !== 2 || !size.every(isSize)) {
    throw new InvalidArgumentError(`${shown}: the size is [height, width], integers from 1 to ${kMaxSize}, got ${shownValue(size)}`);
  }
  const height = sizes[1] as number;
  const width = sizes[2] as number;
  if (!isSize(height) || !isSize(width)) {
    throw new InvalidArgumentError(`${shown}: the images have from 1 to ${kMaxSize} pixels along height and width`);
  }
  const [toHeight, toWidth] = size;
  const make = (): ExpressionTree => resized(tree, toHeight, toWidth, method);
  const result: unknown = makeDeferred("resize", [tree], [toHeight, toWidth, method === "nearest" ? 1 : 0], make);
  return result as Expression<M extends "nearest" ? D : "float32", 4>;
}

/** Returns images with another height and width. */
function resized(images: ExpressionTree, height: number, width: number, method: "nearest" | "bilinear"): ExpressionTree {
  const [, fromHeight, fromWidth] = sizesOf(images) as [number, number, number];
  const image = images as unknown as Image;
  const isSquare = fromHeight === fromWidth && height === width;
  let result: Image;
  if (method === "nearest") {
    const columns = nearestPixels(fromWidth, width);
    result = image.gather(columns, 2).gather(isSquare ? columns : nearestPixels(fromHeight, height), 1);
  } else {
    const wide = image.dtype === "float32" ? image : image.cast("float32");
    const columns = pixelPairs(fromWidth, width);
    result = blended(blended(wide, 2, columns), 1, isSquare ? columns : pixelPairs(fromHeight, height));
  }
  return result as unknown as ExpressionTree;
}

/** Returns the place in the image, along an axis of `from` pixels, of each of `to` centers. */
function centers(from: number, to: number): Expression<"float32", 1> {
  return iota("float32", to)
    .add(0.5)
    .mul(Math.fround(from / to));
}

/** Returns the pixel in which each of `to` centers lies. */
function nearestPixels(from: number, to: number): Expression<"int32", 1> {
  return centers(from, to)
    .floor()
    .clip(0, from - 1)
    .cast("int32");
}

/** The pixels around each of `to` centers along an axis, and the share of the second one. */
interface PixelPairs {
  readonly to: number;
  readonly before: Expression<"int32", 1>;
  readonly after: Expression<"int32", 1>;
  readonly share: Expression<"float32", 1>;
}

/** Returns the pixels around each center; null if the size stays. */
function pixelPairs(from: number, to: number): PixelPairs | null {
  if (from === to) return null;
  const places = centers(from, to).sub(0.5);
  const low = places.floor();
  // The places are above -1 and below `from`, so that each index can leave the image on one side only.
  const before = low.maximum(0).cast("int32");
  const after = places
    .ceil()
    .minimum(from - 1)
    .cast("int32");
  return { to, before, after, share: places.sub(low) };
}

/** Returns the image interpolated along an axis. */
function blended(image: Image, axis: 1 | 2, pairs: PixelPairs | null): Image {
  if (pairs === null) return image;
  const before = image.gather(pairs.before, axis);
  const after = image.gather(pairs.after, axis);
  const { to } = pairs;
  const share = pairs.share.reshape(axis === 1 ? [1, to, 1, 1] : [1, 1, to, 1]);
  return before.add(after.sub(before).mul(share));
}

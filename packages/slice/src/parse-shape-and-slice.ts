/**
 * The "shape and slice" text of TensorFlow's save and restore ops (checkpoint::ParseShapeAndSlice in
 * tensorflow/core/util/saved_tensor_slice_util.h).
 *
 *     "4 5 0,2:-"     a tensor of shape [4,5], of which the slice 0,2:- , which has shape [2,5]
 *
 * Words stand one single space apart: the last is the slice, those before it are the dimensions.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import { checkText } from "./argument-check.ts";
import { readDecimalInt64 } from "@onebuffer/base/internal";
import { TensorSlice } from "./tensor-slice.ts";

/**
 * What a "shape and slice" text says.
 *
 * @example
 * const parsed: ShapeAndSlice = parseShapeAndSlice("4 5 0,2:-");
 * parsed.sliceShape.debugString(); // => "[2,5]"
 */
export interface ShapeAndSlice {
  /** The whole tensor's shape. */
  readonly shape: TensorShape;
  /** The region of it. */
  readonly slice: TensorSlice;
  /** The region's own shape. */
  readonly sliceShape: TensorShape;
}

/**
 * Reads a shape, a slice of it, and computes the slice's shape.
 *
 * Throws INVALID_ARGUMENT for fewer than two words, a dimension that is no number, is negative or above 2^53 - 1, and a
 * malformed slice; INTERNAL when the slice does not fit the shape. Quirk: two spaces in a row hold an empty word, which
 * is no number, and a space at the end makes the slice empty, of rank 0.
 *
 * @example
 * parseShapeAndSlice("4 5 0,2:-").shape.debugString(); // => "[4,5]"
 * parseShapeAndSlice("4 x -:-"); // throws INVALID_ARGUMENT
 * parseShapeAndSlice("4 0,5"); // throws INTERNAL
 */
export function parseShapeAndSlice(text: string): ShapeAndSlice {
  checkText(text, "a shape and slice");
  const words = text.split(" ");
  const last = words.pop();
  if (last === undefined || words.length === 0) {
    throw new InvalidArgumentError(`Need at least two elements in shape_and_slice specification: ${text}`);
  }
  const slice = TensorSlice.parse(last);
  const shape = new TensorShape();
  for (const word of words) {
    const size = readDecimalInt64(word);
    if (size === null) throw new InvalidArgumentError(`Non numerical dimension in shape_and_slice: ${text}`);
    if (typeof size === "bigint")
      throw new InvalidArgumentError(`Dimension ${size} exceeds ${Number.MAX_SAFE_INTEGER} in shape_and_slice: ${text}`);
    shape.addDim(size);
  }
  return { shape, slice, sliceShape: slice.sliceTensorShape(shape) };
}

/**
 * Parses the "shape and slice" text of TensorFlow's save and restore ops (checkpoint::ParseShapeAndSlice in
 * tensorflow/core/util/saved_tensor_slice_util.h).
 *
 *     "4 5 0,2:-"     the slice 0,2:- , of shape [2,5], of a tensor of shape [4,5]
 *
 * Words are separated by one space. The last word is the slice, the others are the dimensions.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import { checkText } from "./argument-check.ts";
import { readDecimalInt64 } from "@onebuffer/base/internal";
import { TensorSlice } from "./tensor-slice.ts";

/**
 * The result of parsing a "shape and slice" text.
 *
 * @example
 * const parsed: ShapeAndSlice = parseShapeAndSlice("4 5 0,2:-");
 * parsed.sliceShape.debugString(); // => "[2,5]"
 */
export interface ShapeAndSlice {
  /** The whole tensor's shape. */
  readonly shape: TensorShape;
  /** The slice of the tensor. */
  readonly slice: TensorSlice;
  /** The slice's shape. */
  readonly sliceShape: TensorShape;
}

/**
 * Parses a shape and a slice, and computes the slice's shape.
 *
 * Throws INVALID_ARGUMENT for fewer than two words, a dimension that is not a number, is negative or above 2^53 - 1, and a
 * malformed slice; INTERNAL if the slice does not fit the shape. Quirk: two spaces in a row have an empty word between them, which
 * is not a number; a space at the end makes an empty slice of rank 0.
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

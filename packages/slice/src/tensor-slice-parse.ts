/**
 * Parses the text form of a slice (TensorSlice::Parse in tensorflow/core/framework/tensor_slice.cc).
 *
 *     slice = dim *(":" dim)        "-:0,10:14,1" is rank 3: all of dim 0, ten of dim 1 from 0, one of dim 2 from 14
 *     dim   = "-" | start "," length
 *
 * Quirk: empty pieces are ignored, both between colons ("::-:" is "-") and between commas (",1,,2" is "1,2"). A number may have
 * white space around it and a plus sign. "-" may not have white space: " -" is refused.
 * This file only reads extents; TensorSlice makes the slice.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkText } from "./argument-check.ts";
import type { ExactInt64 } from "@onebuffer/base/internal";
import { readDecimalInt64 } from "@onebuffer/base/internal";
import { kFullExtent } from "./extent-check.ts";

/**
 * Reads slice text and appends each dimension's start and length to the two lists.
 *
 * Throws INVALID_ARGUMENT for anything but the grammar above, for a negative start, a length below 1, and for starts,
 * lengths and ends above 2^53 - 1 (TensorFlow reads all of int64 and does not check the end).
 */
export function parseExtents(text: string, starts: number[], lengths: number[]): void {
  checkText(text, "a slice");
  for (const piece of text.split(":")) {
    if (piece === "") continue;
    if (piece === "-") {
      starts.push(0);
      lengths.push(kFullExtent);
      continue;
    }
    const [start, length] = parsePair(piece, text);
    if (start < 0 || length <= 0) {
      throw new InvalidArgumentError(
        `Expected non-negative start and positive length but got start = ${start}, length = ${length}: string = ${text}`,
      );
    }
    if (typeof start === "bigint" || typeof length === "bigint" || start + length > Number.MAX_SAFE_INTEGER) {
      throw new InvalidArgumentError(
        `Extent end exceeds the maximum possible size ${Number.MAX_SAFE_INTEGER}: start = ${start}, length = ${length}: string = ${text}`,
      );
    }
    starts.push(start);
    lengths.push(length);
  }
}

/** Reads the two numbers of a "start,length" piece, exactly for all values of int64. */
function parsePair(piece: string, text: string): readonly [ExactInt64, ExactInt64] {
  const [first, second, ...more] = piece.split(",").filter((part) => part !== "");
  const start = first === undefined ? null : readDecimalInt64(first);
  const length = second === undefined ? null : readDecimalInt64(second);
  if (start === null || length === null || more.length > 0) {
    throw new InvalidArgumentError(`Expected a pair of numbers or '-' but got '${piece}': string = ${text}`);
  }
  return [start, length];
}

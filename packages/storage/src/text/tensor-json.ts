/**
 * The form in which `JSON.stringify` writes a tensor or map. JSON has no 64-bit integers, no NaN and no infinities; those elements become
 * strings, so that no value is rounded or lost.
 */
import type { DType } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { product } from "../geometry/map-geometry.ts";
import { nestedElements } from "./nested-elements.ts";
import type { PrintedArray } from "./numpy-print.ts";
import { decodeUtf8 } from "./utf8.ts";

/** The most elements that are written. A text of a million numbers is about 20 MB, and the whole text is held in memory at once. */
const kMaxElements = 1_000_000;

/** An element in JSON, or a list of elements: a complex number is a pair, a 64-bit integer or non-finite number is a string. */
export type JsonElements = number | string | boolean | readonly JsonElements[];

/**
 * The result of `toJSON` of a tensor or map.
 *
 * @example
 * const json: TensorJson = tensorMap("int64", BigInt64Array.of(1n, 2n), [2]).toJSON();
 * json; // => { dtype: "int64", shape: [2], values: ["1", "2"] }
 */
export interface TensorJson {
  /** The element type's name. */
  readonly dtype: DType;
  /** All sizes, outermost first. */
  readonly shape: readonly number[];
  /** The elements as nested arrays; a scalar's one element without an array. */
  readonly values: JsonElements;
}

function numberInJson(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}

function elementInJson(element: unknown): unknown {
  if (typeof element === "number") return numberInJson(element);
  if (typeof element === "bigint") return String(element);
  if (Array.isArray(element)) return (element as readonly number[]).map(numberInJson);
  if (!ArrayBuffer.isView(element)) return element;
  const text = decodeUtf8(element as Uint8Array);
  if (text === null) throw new FailedPreconditionError("a string element is not UTF-8 and has no JSON form; at() gives its bytes");
  return text;
}

/**
 * Returns an array's dtype, sizes and elements for `JSON.stringify`. Throws INVALID_ARGUMENT for more than 1,000,000 elements and for
 * variant and resource elements, FAILED_PRECONDITION for a string that is not UTF-8. Copies: the elements.
 */
export function tensorJson({ dims, dtype, at }: PrintedArray): TensorJson {
  if (dtype === "variant" || dtype === "resource") throw new InvalidArgumentError(`JSON of ${dtype} elements: they have no JSON form`);
  const count = product(dims);
  if (count > kMaxElements)
    throw new InvalidArgumentError(
      `JSON of [${dims.join(",")}]: ${count} elements are more than ${kMaxElements}; stringify a slice, or write the bytes to a file`,
    );
  let i = 0;
  return { dtype, shape: [...dims], values: nestedElements(dims, () => elementInJson(at(i++))) as JsonElements };
}

/**
 * Compares the elements of two tensors: exactly (test::ExpectEqual) or with a tolerance (test::IsClose of
 * tensorflow/core/framework/tensor_testutil.h, but with NumPy's rule and defaults).
 */

import type { Complex, DType } from "@onebuffer/base";
import { InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import type { TensorShape } from "@onebuffer/shape";
import { bytesEqual } from "./bytes-equal.ts";

/** Returns true if two tensors have the same dtype and sizes. */
export function isAlike(a: { readonly shape: TensorShape }, b: { readonly shape: TensorShape }): boolean {
  return a.shape.dataType === b.shape.dataType && a.shape.isSameSize(b.shape);
}

/** Reads element `i` of a tensor in row-major order. */
export type ElementReader = (index: number) => unknown;

/**
 * The tolerance of isClose: a is close to b if |a - b| <= atol + rtol * |b|.
 *
 * @example
 * const tolerance: Tolerance = { atol: 0.1 };
 * using a = Tensor.from([1, 2]);
 * using b = Tensor.from([1.05, 2]);
 * [a.isClose(b), a.isClose(b, tolerance)]; // => [false, true]
 */
export interface Tolerance {
  /** Absolute tolerance, 1e-8 unless given. */
  readonly atol?: number;
  /** Tolerance relative to the other tensor's element, 1e-5 unless given. */
  readonly rtol?: number;
  /** True if two NaNs count as close; false unless given. */
  readonly equalNan?: boolean;
}

function numbersEqual(a: unknown, b: unknown, equalNan: boolean): boolean {
  return a === b || (equalNan && Number.isNaN(a) && Number.isNaN(b));
}

/** Returns true if two elements are equal; objects other than byte strings are compared by identity. */
function elementEqual(a: unknown, b: unknown, equalNan: boolean): boolean {
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return bytesEqual(a as Uint8Array, b as Uint8Array);
  if (Array.isArray(a) && Array.isArray(b)) return numbersEqual(a[0], b[0], equalNan) && numbersEqual(a[1], b[1], equalNan);
  return numbersEqual(a, b, equalNan);
}

/** Returns true if all `count` elements are equal. 0 equals -0; NaN equals NaN only with `equalNan`. */
export function elementsEqual(count: number, a: ElementReader, b: ElementReader, equalNan: boolean): boolean {
  for (let i = 0; i < count; i += 1) if (!elementEqual(a(i), b(i), equalNan)) return false;
  return true;
}

function close(a: number, b: number, atol: number, rtol: number, equalNan: boolean): boolean {
  if (!Number.isFinite(a) || !Number.isFinite(b)) return numbersEqual(a, b, equalNan);
  return Math.abs(a - b) <= atol + rtol * Math.abs(b);
}

function complexClose(a: Complex, b: Complex, atol: number, rtol: number, equalNan: boolean): boolean {
  const finite = a.every(Number.isFinite) && b.every(Number.isFinite);
  if (!finite) {
    const nan = (c: Complex): boolean => c.some(Number.isNaN);
    return (equalNan && nan(a) && nan(b)) || (a[0] === b[0] && a[1] === b[1]);
  }
  return Math.hypot(a[0] - b[0], a[1] - b[1]) <= atol + rtol * Math.hypot(b[0], b[1]);
}

/**
 * Returns true if all elements are close. Throws INVALID_ARGUMENT for object dtypes, whose elements have no distance, and for
 * negative or NaN tolerances.
 */
export function elementsClose(dtype: DType, count: number, a: ElementReader, b: ElementReader, tolerance: Tolerance): boolean {
  const { atol = 1e-8, rtol = 1e-5, equalNan = false } = tolerance;
  if (isObjectDType(dtype)) throw new InvalidArgumentError(`elements of ${dtype} cannot be close`);
  if (!(atol >= 0) || !(rtol >= 0)) throw new InvalidArgumentError(`tolerances must not be negative, got atol ${atol}, rtol ${rtol}`);
  for (let i = 0; i < count; i += 1) {
    const x = a(i);
    const y = b(i);
    if (typeof x === "bigint" && typeof y === "bigint") {
      // The difference is computed exactly; converting both to numbers first would round them.
      const difference = Number(x > y ? x - y : y - x);
      if (!(difference <= atol + rtol * Math.abs(Number(y)))) return false;
    } else if (Array.isArray(x) && Array.isArray(y)) {
      if (!complexClose(x as unknown as Complex, y as unknown as Complex, atol, rtol, equalNan)) return false;
    } else if (!close(Number(x), Number(y), atol, rtol, equalNan)) return false;
  }
  return true;
}

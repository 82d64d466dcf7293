/**
 * Matchers for tests of programs that use tensors: ExpectEqual and ExpectClose of tensorflow/core/framework/tensor_testutil.h,
 * without a test framework. Published as `@onebuffer/core/testing`.
 *
 *     expectClose: 2 of 6 elements are not close, float32 [2,3]
 *       at [0, 1]: 2.5 is not close to 2: they differ by 0.5, allowed is 0.0000021
 *       at [1, 2]: NaN is not close to 6
 *
 * The dtypes are compared first, then the shapes, then the elements; as in TensorFlow the first ten differences are listed. A
 * mismatch throws FAILED_PRECONDITION, which every test runner reports; INVALID_ARGUMENT means that the matcher was used wrongly.
 */
import type { Complex, DType } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { checkOptions } from "@onebuffer/base/internal";
import type { Operand } from "@onebuffer/eigen";
import { operandTree } from "@onebuffer/expression/internal";
import { floatSteps, stepDTypes } from "./float-steps.ts";
import { bytesEqual } from "../element/bytes-equal.ts";
import type { TensorLike } from "../element/nested-array.ts";
import { elementReader } from "../tensor/tensor-elements.ts";
import { Tensor } from "../tensor/tensor.ts";
import { decodeUtf8 } from "@onebuffer/storage/internal";

/** The value under test: a tensor, or a map or expression, which is computed. */
export type Actual = Tensor | Operand<DType, number>;

/**
 * The expected value: a tensor, map or expression, or values as Tensor.from accepts them, which take the dtype of the value under
 * test.
 */
export type Expected = Actual | TensorLike;

/** Options of expectEqual. */
export interface EqualOptions {
  /** The most representable numbers that two floats may be apart: 4 unless given, as in TensorFlow; 0 is its `Tolerance::kNone`. */
  readonly ulps?: number;
}

/** Options of expectClose: |x - y| <= atol + rtol * |x|. */
export interface CloseOptions {
  /** The absolute tolerance, 5 times the dtype's epsilon unless given. */
  readonly atol?: number;
  /** The relative tolerance, 5 times the dtype's epsilon unless given. */
  readonly rtol?: number;
}

/** The gap between 1 and the next number, for an element or for the parts of a complex one. */
const kEpsilon: Readonly<Partial<Record<DType, number>>> = {
  float16: 2 ** -10,
  bfloat16: 2 ** -7,
  float32: 2 ** -23,
  float64: 2 ** -52,
  complex64: 2 ** -23,
  complex128: 2 ** -52,
};
/** The number of differences that are listed one by one. */
const kTold = 10;

/** Returns the reason why two elements do not match, or null if they do. */
type Compare = (x: unknown, y: unknown) => string | null;

function isTensor(value: unknown): value is Tensor {
  return typeof value === "object" && value !== null && "sharesBufferWith" in value && "share" in value;
}

/** Returns a tensor that the matcher disposes: a second handle, or a fresh tensor. */
function tensorFrom(value: Expected, dtype: DType | null, matcher: string): Tensor {
  if (isTensor(value)) return value.share();
  const operand: unknown = operandTree(matcher, value);
  if (operand !== null) return Tensor.evaluate(operand as Operand<DType, number>);
  if (dtype === null) throw new InvalidArgumentError(`${matcher}: the first argument must be a tensor, a map or an expression`);
  return Tensor.from(value as TensorLike, { dtype });
}

function shown(value: unknown): string {
  if (ArrayBuffer.isView(value)) {
    const text = decodeUtf8(value as Uint8Array);
    return text === null ? `bytes [${Array.from(value as Uint8Array).join(", ")}]` : JSON.stringify(text);
  }
  if (Array.isArray(value)) return `(${value.map(shown).join(", ")})`;
  return Object.is(value, -0) ? "-0" : String(value);
}

/** Returns the row-major index as text, with one number per dimension. */
function placeOf(index: number, dims: readonly number[]): string {
  const place: number[] = [];
  let rest = index;
  for (let d = dims.length - 1; d >= 0; d -= 1) {
    const size = dims[d] as number;
    place.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return `[${place.join(", ")}]`;
}

/**
 * Compares dtype, shape and elements of two tensors; `compareOf` returns the comparison for a dtype. Throws FAILED_PRECONDITION on
 * a mismatch.
 */
function match(matcher: string, words: string, actual: Actual, expected: Expected, compareOf: (dtype: DType) => Compare): void {
  using x = tensorFrom(actual, null, matcher);
  const compare = compareOf(x.dtype);
  using y = tensorFrom(expected, x.dtype, matcher);
  if (x.dtype !== y.dtype) throw new FailedPreconditionError(`${matcher}: tensors have different dtypes (${x.dtype} vs ${y.dtype})`);
  const [shape, other] = [x.shape.debugString(), y.shape.debugString()];
  if (!x.isSameSize(y)) throw new FailedPreconditionError(`${matcher}: tensors have different shapes (${shape} vs ${other})`);
  const count = x.numElements;
  const [readX, readY] = [elementReader(x), elementReader(y)];
  const lines: string[] = [];
  let wrong = 0;
  for (let i = 0; i < count; i += 1) {
    const [a, b] = [readX(i), readY(i)];
    const why = compare(a, b);
    if (why === null) continue;
    wrong += 1;
    if (wrong <= kTold) lines.push(`  at ${placeOf(i, x.shape.dimSizes)}: ${shown(a)} is ${words} ${shown(b)}${why}`);
  }
  if (wrong === 0) return;
  if (wrong > kTold) lines.push(`  and ${wrong - kTold} more`);
  const are = wrong === 1 ? "is" : "are";
  throw new FailedPreconditionError(
    `${matcher}: ${wrong} of ${count} elements ${are} ${words.replace(/ to$/, "")}, ${x.dtype} ${shape}\n${lines.join("\n")}`,
  );
}

/** Returns a comparison that applies `compare` to the parts of complex elements, or to the elements themselves. */
function byParts(compare: (x: number, y: number) => string | null): Compare {
  return (x, y) => {
    if (!Array.isArray(x)) return compare(x as number, y as number);
    const [a, b] = [x as unknown as Complex, y as Complex];
    return compare(a[0], b[0]) ?? compare(a[1], b[1]);
  };
}

/**
 * Throws unless both have the same dtype, shape and elements: ExpectEqual. Floats (float16, float32, float64 and the parts of
 * complex numbers) may be `ulps` representable numbers apart, 4 unless given. NaN equals NaN, 0 equals -0. Quirk: bfloat16, float8
 * and float4 must be equal, and the largest float is one step from Infinity.
 *
 * Throws FAILED_PRECONDITION with the first places and both values; INVALID_ARGUMENT for variants and resources, for negative or
 * NaN `ulps`, and for values that Tensor.from refuses. Copies: values that are not a tensor.
 *
 * @example
 * using t = Tensor.from([[1, 2], [3, 4]]);
 * expectEqual(t, [[1, 2], [3, 4]]);
 * expectEqual(t.matrix().sum([0]), [4, 6]);
 * expectEqual(t, [[1, 2], [3, 5]]); // throws FAILED_PRECONDITION
 * expectEqual(t, [[1, 2], [3, 4 + 2 ** -21]], { ulps: 0 }); // throws FAILED_PRECONDITION
 */
export function expectEqual(actual: Actual, expected: Expected, options: EqualOptions = {}): void {
  checkOptions("expectEqual", options, ["ulps"]);
  const { ulps = 4 } = options;
  if (!(ulps >= 0)) throw new InvalidArgumentError(`expectEqual: ulps must not be negative, got ${String(ulps)}`);
  match("expectEqual", "not equal to", actual, expected, (dtype) => {
    if (dtype === "variant" || dtype === "resource") throw new InvalidArgumentError(`expectEqual: elements of ${dtype} are not compared`);
    if (dtype === "string") return (x, y) => (bytesEqual(x as Uint8Array, y as Uint8Array) ? null : "");
    const inSteps = stepDTypes.includes(dtype);
    return byParts((x, y) => {
      if (x === y || (Number.isNaN(x) && Number.isNaN(y))) return null;
      if (!inSteps || Number.isNaN(x) || Number.isNaN(y)) return "";
      const steps = floatSteps(dtype, x, y);
      return steps <= ulps ? null : `, ${steps} ulps apart`;
    });
  });
}

/**
 * Throws unless both have the same floating dtype and shape and all elements are close: ExpectClose. The rule is |x - y| <= atol +
 * rtol * |x|, for each part of complex numbers. NaN is close to NaN, an infinity only to itself. `tensor.isClose` instead follows
 * NumPy: it scales by |y| and has wider defaults. Computed in doubles.
 *
 * Throws FAILED_PRECONDITION with the first places and both values; INVALID_ARGUMENT for dtypes that are not float16, bfloat16,
 * float32, float64 or complex, and for tolerances that are negative or NaN. Copies: values that are not a tensor.
 *
 * @example
 * using t = Tensor.from([0.1, 0.2, 0.3]);
 * expectClose(t.vec().add(t.vec()), [0.2, 0.4, 0.6]);
 * expectClose(t, [0.1, 0.2, 0.31], { atol: 0.02 });
 * expectClose(t, [0.1, 0.2, 0.31]); // throws FAILED_PRECONDITION
 * expectClose(t.vec().cast("int32"), [0, 0, 0]); // throws INVALID_ARGUMENT
 */
export function expectClose(actual: Actual, expected: Expected, options: CloseOptions = {}): void {
  checkOptions("expectClose", options, ["atol", "rtol"]);
  match("expectClose", "not close to", actual, expected, (dtype) => {
    const epsilon = kEpsilon[dtype];
    if (epsilon === undefined) throw new InvalidArgumentError(`expectClose: elements of ${dtype} have no tolerance, use expectEqual`);
    const { atol = 5 * epsilon, rtol = 5 * epsilon } = options;
    if (!(atol >= 0) || !(rtol >= 0)) {
      throw new InvalidArgumentError(`expectClose: tolerances must not be negative, got atol ${String(atol)}, rtol ${String(rtol)}`);
    }
    return byParts((x, y) => {
      if (x === y || (Number.isNaN(x) && Number.isNaN(y))) return null;
      const difference = Math.abs(x - y);
      if (!Number.isFinite(difference)) return "";
      const allowed = atol + rtol * Math.abs(x);
      return difference <= allowed ? null : `: they differ by ${difference}, allowed is ${allowed}`;
    });
  });
}

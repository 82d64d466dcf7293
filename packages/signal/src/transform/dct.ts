/** dct: discrete cosine transforms, by transforms of real rows. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { tensorMap } from "@onebuffer/eigen";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { joined, made, partAlong, shownCall, sizesOf, sliceFields } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { complexOf, realNode, spectrumNode } from "./real-records.ts";
import { checkLength, checkSignal, scaledBy, withSize } from "./transform-options.ts";
import type { RealSignalDType } from "./transform-options.ts";

/**
 * The options of cosine transforms.
 *
 * @example
 * const options: DctOptions = { type: 4, norm: "ortho" };
 * dct(constant("float32", 1, [3]), options).dimensions; // => [3]
 */
export interface DctOptions {
  /** The type; the default is 2. */
  readonly type?: 1 | 2 | 3 | 4;
  /** The number of elements that are transformed: the operand is cropped, or filled up with zeros at its end. */
  readonly dctLength?: number;
  /** `ortho` for an orthonormal transform of type 2 to 4; the default is null. */
  readonly norm?: "ortho" | null;
}

/** The most elements of a transform of type 2 to 4, whose factors are computed when the expression is written. */
const kMaxLength = 2 ** 24;

/** The type of the transform that, but for a factor, is the inverse of one. */
const kInverse = { 1: 1, 2: 3, 3: 2, 4: 4 } as const;

function checkDct(call: string, x: OperandLike<RealSignalDType>, options: DctOptions) {
  checkOptions(call, options, ["type", "dctLength", "norm"]);
  const { type = 2, dctLength, norm = null } = options;
  const tree = checkSignal(call, x, ["float32", "float64"], 1);
  const fail = (reason: string): never => {
    throw new InvalidArgumentError(`${shownCall(call, [tree])}: ${reason}`);
  };
  if (![1, 2, 3, 4].includes(type)) fail(`Types I, II, III and IV (I)DCT are supported, got ${shownValue(type)}`);
  if (norm !== null && norm !== "ortho") fail(`norm is ortho or null, got ${shownValue(norm)}`);
  if (type === 1 && norm !== null) fail("Normalization is not supported for the Type-I DCT");
  const sized = withSize(tree, sizesOf(tree).length - 1, dctLength === undefined ? undefined : checkLength(call, dctLength));
  if (type !== 1 && sizesOf(sized).at(-1)! > kMaxLength) fail(`a transform of more than ${kMaxLength} elements`);
  if (type === 1 && sizesOf(sized).at(-1)! < 2) fail("the Type-I DCT needs at least 2 elements");
  return { value: sized, type, isOrtho: norm === "ortho" };
}

/** Returns factor exp(sign pi i k / (2 n)) for k = 0 .. n - 1. */
function turns(dtype: string, length: number, sign: number, factor: number): GradientValue {
  const parts = new Float64Array(2 * length);
  for (let k = 0; k < length; k++) {
    const angle = (sign * Math.PI * k) / (2 * length);
    parts[2 * k] = factor * Math.cos(angle);
    parts[2 * k + 1] = factor * Math.sin(angle);
  }
  return tensorMap("complex128", parts, [length])
    .mul(1)
    .cast(dtype as "complex128") as unknown as GradientValue;
}

/** Returns element 0 multiplied by one factor and the others by another. */
function weighted(value: GradientValue, length: number, first: number, others: number): GradientValue {
  const factors = new Float64Array(length).fill(others);
  factors[0] = first;
  return value.mul(
    tensorMap("float64", factors, [length])
      .mul(1)
      .cast(value.dtype as "float64") as unknown as GradientValue,
  );
}

function transformed(value: GradientValue, type: 1 | 2 | 3 | 4, isOrtho: boolean): GradientValue {
  const axis = sizesOf(value).length - 1;
  const length = sizesOf(value)[axis]!;
  if (sizesOf(value).includes(0)) return value;
  const complex = complexOf(value.dtype);
  if (type === 1) {
    const inside = partAlong(value, axis, 1, length - 1);
    const mirrored = length === 2 ? value : joined([value, reversed(inside, axis)], axis);
    return spectrumNode(mirrored).real();
  }
  if (type === 2) {
    const spectrum = partAlong(spectrumNode(withSize(value, axis, 2 * length)), axis, 0, length);
    const result = spectrum.mul(turns(complex, length, -1, 2)).real();
    return isOrtho ? weighted(result, length, 0.5 * length ** -0.5, (2 * length) ** -0.5) : result;
  }
  if (type === 3) {
    const scaled = isOrtho ? weighted(value, length, length ** 0.5, (length / 2) ** 0.5) : value.mul(length);
    const spectrum = withSize(scaled.cast(complex).mul(turns(complex, length, 1, 2)), axis, length + 1);
    return partAlong(realNode(spectrum, 2 * length), axis, 0, length);
  }
  const longer = transformed(withSize(value, axis, 2 * length), 2, false);
  const odd = made(
    sliceFields(longer, [
      ...sizesOf(value)
        .slice(0, -1)
        .map(() => null),
      [1, 2 * length, 2],
    ]),
  );
  return scaledBy(odd, isOrtho ? (2 * length) ** -0.5 : 1);
}

/** Returns the elements of an axis in the opposite order. */
function reversed(value: GradientValue, axis: number): GradientValue {
  const size = sizesOf(value)[axis]!;
  return made(sliceFields(value, sizesOf(value).map((_, d) => (d === axis ? [size - 1, null, -1] : null)) as never));
}

/**
 * Returns the discrete cosine transform along the last axis (`tf.signal.dct`, `scipy.fft.dct`), by default of type 2: twice the sum of
 * x[j] cos(pi k (2 j + 1) / (2 n)).
 *
 * Throws INVALID_ARGUMENT for a scalar, for other dtypes and types, for `ortho` with type 1, for fewer than 2 elements with
 * type 1, and for more than 2^24 with the others. Copies: the
 * operand, twice as long, into scratch memory.
 *
 * @example
 * const x = tensorMap("float64", Float64Array.of(1, 1), [2]);
 * evaluate(dct(x)).toArray().map((y) => Math.round(y)); // => [4, 0]
 * dct(x, { type: 5 as 4 }); // throws INVALID_ARGUMENT
 */
export function dct<D extends RealSignalDType, R extends number>(x: OperandLike<D, R>, options: DctOptions = {}): Expression<D, R> {
  const { value, type, isOrtho } = checkDct("dct", x, options);
  return transformed(value, type, isOrtho) as unknown as Expression<D, R>;
}

/**
 * Returns the inverse of the cosine transform of a type (`tf.signal.idct`). As in TensorFlow it is not divided: without `ortho`,
 * idct(dct(x)) is 2 n x, or 2 (n - 1) x for type 1. Throws and copies as `dct`.
 *
 * @example
 * const x = tensorMap("float64", Float64Array.of(1, 2), [2]);
 * evaluate(idct(dct(x, { norm: "ortho" }), { norm: "ortho" })).toArray().map((y) => Math.round(y)); // => [1, 2]
 */
export function idct<D extends RealSignalDType, R extends number>(x: OperandLike<D, R>, options: DctOptions = {}): Expression<D, R> {
  const { value, type, isOrtho } = checkDct("idct", x, options);
  return transformed(value, kInverse[type], isOrtho) as unknown as Expression<D, R>;
}

// Units in the last place, and comparison of floats within an error.
import type { DType } from "@onebuffer/base";

/** The bits of the fraction, the exponent of the smallest normal number, and the largest number. */
const formats: Readonly<Partial<Record<DType, readonly [bits: number, least: number, largest: number]>>> = {
  float64: [52, -1022, Number.MAX_VALUE],
  float32: [23, -126, 3.4028234663852886e38],
  float16: [10, -14, 65504],
  bfloat16: [7, -126, 3.3895313892515355e38],
};

const formatOf = (dtype: DType): readonly [bits: number, least: number, largest: number] => formats[dtype] ?? [0, 0, Infinity];

/** Returns the largest finite number of a float dtype. */
export const largestOf = (dtype: DType): number => formatOf(dtype)[2];

/** Returns the dtype in which a float dtype is computed. */
export const computedIn = (dtype: DType): DType => (dtype === "float64" ? "float64" : "float32");

const words = new DataView(new ArrayBuffer(8));

/** Returns the distance between neighboring floats of a dtype near `size`; for larger sizes that at the largest number, NaN for NaN. */
export function unitAt(dtype: DType, size: number): number {
  const [bits, least, largest] = formatOf(dtype);
  if (size !== size) return NaN;
  words.setFloat64(0, Math.min(Math.abs(size), largest));
  const exponent = ((words.getUint32(0) >>> 20) & 0x7ff) - 1023;
  return 2 ** (Math.max(exponent, least) - bits);
}

/** Returns true if `got` equals `wanted` or differs by at most `error`. If the error is 0, zeros of different signs differ. */
export function isNear(dtype: DType, got: number, wanted: number, error: number): boolean {
  if (Object.is(got, wanted) || error === Infinity) return true;
  if (error === 0 || got !== got || wanted !== wanted) return got !== got && wanted !== wanted;
  if (Math.abs(got) !== Infinity && Math.abs(wanted) !== Infinity) return Math.abs(got - wanted) <= error;
  // One of the two has overflowed, so the other must be close to overflow.
  const finite = Math.abs(got) === Infinity ? wanted : got;
  const infinite = Math.abs(got) === Infinity ? got : wanted;
  return Math.sign(finite) === Math.sign(infinite) && Math.abs(finite) + error >= largestOf(dtype);
}

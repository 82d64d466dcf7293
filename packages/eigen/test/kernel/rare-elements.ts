// Elements of every dtype for which an operation may take a rare branch. They are given as bits in memory, so that a NaN has a
// payload and a zero has a sign.
import type { DType, RawDType } from "@onebuffer/base";
import { dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { tensorMap } from "@onebuffer/eigen";

/** An element as an unsigned integer of its size; a bigint if it has 8 bytes. */
export type Bits = number | bigint;
/** Memory as such integers. */
export type BitsArray = Uint8Array | Uint16Array | Uint32Array | BigUint64Array;

const kBitsArrays = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: BigUint64Array } as const;

/** Returns memory as unsigned integers of the size of a dtype's elements, without copying. */
export function bitsIn(buffer: ArrayBufferLike, byteOffset: number, count: number, dtype: DType): BitsArray {
  return new kBitsArrays[dtypeSize(dtype) as 1 | 2 | 4 | 8](buffer as ArrayBuffer, byteOffset, count);
}

/** Returns the bits of numbers, rounded to a dtype. */
export function bitsOf(dtype: RawDType, values: readonly (number | bigint | boolean)[]): Bits[] {
  const array = new (typedArrayConstructor(dtype))(values.length);
  tensorMap(dtype as DType, array as never, [values.length]).copyFrom(values as never);
  return [...bitsIn(array.buffer, array.byteOffset, values.length, dtype)];
}

const bothSigns = (values: readonly number[]): number[] => values.flatMap((value) => [value, -value]);

/** Integers h 2^32 + l. As 64-bit integers, the lower word alone looks ordinary; if h is below 2^11, both words do. */
const wideIntegers: readonly number[] = [1, 2, 1022, 2044].flatMap((h) => [-1022, -5, 0, 1, 1021].map((l) => h * 2 ** 32 + l));

/** Returns the x at which the approximate gelu computes e^t: 2 sqrt(2 / pi) (x + 0.044715 x^3) = -t. */
function geluArgument(t: number): number {
  const c = 2 * Math.sqrt(2 / Math.PI);
  let x = -Math.cbrt(t / (c * 0.044715));
  for (let i = 0; i < 4; i++) x -= (c * (x + 0.044715 * x ** 3) + t) / (c * (1 + 3 * 0.044715 * x * x));
  return x;
}

const floats: readonly number[] = [
  0,
  -0,
  ...bothSigns([
    // Ties and their neighbors, for small numbers and at the end of the mantissa.
    ...[0.25, 0.5, 1, 1.5, 2, 2.5, 3.5, 0.49999999999999994, 0.49999997, 8388607.5, 8388609, 4503599627370495.5],
    // The limits of the integer dtypes.
    ...[255.5, 127.5, 32767.5, 65535.5, 2 ** 24 + 1, 2 ** 31 - 128, 2 ** 31 - 0.5, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32],
    ...[2 ** 53 - 1, 2 ** 53, 2 ** 53 + 2, 2 ** 63 - 1024, 2 ** 63, 2 ** 64],
    // The limits of the floats of each size; ties of float16 and bfloat16.
    ...[
      2 ** -24,
      2 ** -25,
      2 ** -25 * 1.001,
      2 ** -14,
      65504,
      65519.996,
      65520,
      1 + 2 ** -11,
      1 + 3 * 2 ** -11,
      1 + 2 ** -8,
      1 + 3 * 2 ** -8,
    ],
    ...[2 ** -149, 2 ** -150, 2 ** -130, 2 ** -126 - 2 ** -149, 2 ** -126, 2 ** 127, 3.4028234663852886e38, 3.4028235677973366e38],
    ...[5e-324, 1e-310, 2 ** -1022, 2 ** 1023, Number.MAX_VALUE, Number.POSITIVE_INFINITY],
    // The limits of the exponential functions.
    ...[87.3, 87.5, 88, 88.72, 88.73, 89, 89.5, 103.9, 104, 707.7, 708.5, 709.78, 709.79, 710.4, 710.5, 745.1, 745.2, 746],
    ...[126, 127, 128, 128.5, 149, 150, 151, 1021, 1022.5, 1023, 1024, 1074, 1075, 1076, 9.25, 17, 18.5, 20, 37, 38, 1.15, 6],
    // Angles from which on range reduction changes, and one that is almost a multiple of pi/2.
    ...[3, Math.PI, 2 ** 20 - 0.5, 2 ** 20, 2 ** 28 - 16, 2 ** 28, 16367173 * 2 ** 72, 6381956970095103 * 2 ** 797, 2 ** 100, 2 ** 1000],
    // Dividends for quotients at the limits of the remainders' fast path.
    ...[2 ** 25 * 3, 2 ** 26 * 3, 2 ** 29 * 3, 1e10, 1e22, 1e30, 1e300],
    ...wideIntegers.flatMap((n) => [n, n * Math.LN2, n * (Math.LN2 / 2), n * (Math.PI / 2)]),
  ]),
  ...wideIntegers.map((n) => geluArgument(n * Math.LN2)),
];

/** NaN of both signs, quiet and signaling, with payloads. */
const nans: Partial<Record<DType, readonly Bits[]>> = {
  float64: [0x7ff8000000000000n, 0xfff8000000000001n, 0x7ff0000000000001n, 0xfff0000100000000n, 0x7fffffffffffffffn],
  float32: [0x7fc00000, 0xffc00001, 0x7f800001, 0xff812345, 0x7fffffff],
  float16: [0x7e00, 0xfe01, 0x7c01, 0xfd55, 0x7fff],
  bfloat16: [0x7fc0, 0xffc1, 0x7f81, 0xff95, 0x7fff],
};

function integers(dtype: DType): bigint[] {
  const bits = BigInt(8 * dtypeSize(dtype));
  const powers = [4n, 7n, 8n, 15n, 16n, 24n, 31n, 32n, 53n, 63n].filter((power) => power < bits);
  const sizes = [0n, 1n, 2n, 5n, bits - 1n, bits, bits + 1n, ...powers.flatMap((power) => [-1n, 0n, 1n].map((more) => 2n ** power + more))];
  const wide = bits === 64n ? wideIntegers.map(BigInt) : [];
  return [...sizes, ...sizes.map((size) => -size), ...wide, 2n ** bits - 2n].map((value) => BigInt.asUintN(Number(bits), value));
}

/** Returns the rare elements of a dtype that kernels support, each once. */
export function rareElements(dtype: RawDType): readonly Bits[] {
  const isFloat = dtype.includes("float");
  if (dtype === "bool") return [0, 1];
  if (isFloat) return [...new Set([...bitsOf(dtype, floats), ...(nans[dtype] ?? [])])];
  const all = [...new Set(integers(dtype))];
  return dtypeSize(dtype) === 8 ? all : all.map(Number);
}

/**
 * Values: the numbers, bigints and pairs with which the plain evaluator computes. The dtype decides which:
 *
 *     float64                          number
 *     float32 float16 bfloat16 float8  number, rounded to float32 after every operation
 *     integers up to 32 bits           number, wrapped after every operation
 *     bool                             0 or 1
 *     int64 uint64                     bigint
 *     complex64 complex128             [re, im]
 *
 * float16 and the other small floats have float32 values inside an expression. They are rounded when they are stored and before a cast.
 */
import type { Complex, DType } from "@onebuffer/base";
import { dtypeRows } from "@onebuffer/base/internal";
import { isBig, isComplexDType } from "@onebuffer/expression/internal";

/** The value of an element during a computation. */
export type Value = number | bigint | Complex;

/** Returns the value at a flat, row-major index. */
export type Read = (index: number) => Value;

/** The JavaScript representation of a dtype's values. */
export type ValueKind = "number" | "bigint" | "complex";

/** Returns the representation of a dtype's values. */
export function valueKind(dtype: DType): ValueKind {
  return isBig(dtype) ? "bigint" : isComplexDType(dtype) ? "complex" : "number";
}

/** Returns a small integer, such as the 0 of a sum, as a value of a dtype. */
export function smallValue(dtype: DType, integer: number): Value {
  const kind = valueKind(dtype);
  return kind === "bigint" ? BigInt(integer) : kind === "complex" ? [integer, 0] : integer;
}

/** Brings the result of an operation into the dtype's range: rounds floats, wraps integers. */
export type Rounding = (x: number) => number;

const roundings: Readonly<Partial<Record<DType, Rounding>>> = {
  float64: (x) => x,
  int8: (x) => (x << 24) >> 24,
  uint8: (x) => x & 0xff,
  int16: (x) => (x << 16) >> 16,
  uint16: (x) => x & 0xffff,
  int32: (x) => x | 0,
  uint32: (x) => x >>> 0,
};

/** Returns the rounding of a dtype. For an integer dtype its argument must be an exact integer. */
export function roundTo(dtype: DType): Rounding {
  const { class: kind, bits } = dtypeRows[dtype];
  const surplus = 32 - bits;
  if (kind === "smallInt") return (x) => (x << surplus) >> surplus;
  if (kind === "smallUint") return (x) => (x << surplus) >>> surplus;
  return roundings[dtype] ?? Math.fround;
}

/** Wraps a bigint to 64 bits, signed or unsigned. */
export function wrapBig(dtype: DType, x: bigint): bigint {
  return dtype === "int64" ? BigInt.asIntN(64, x) : BigInt.asUintN(64, x);
}

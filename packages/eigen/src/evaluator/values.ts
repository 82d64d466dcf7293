/**
 * Values: what the plain evaluator computes with: a number, a bigint or a pair, by dtype.
 *
 *     float64                          number
 *     float32 float16 bfloat16 float8  number, rounded to float32 after every operation
 *     integers up to 32 bits           number, wrapped after every operation
 *     bool                             0 or 1
 *     int64 uint64                     bigint
 *     complex64 complex128             [re, im]
 *
 * float16 and the other small floats are float32 inside an expression; they are rounded where they are stored, and before they are cast.
 */
import type { Complex, DType } from "@onebuffer/base";
import { isBig, isComplexDType } from "../expression/tree/dtype-groups.ts";

/** An element while it is being computed. */
export type Value = number | bigint | Complex;

/** The element at a flat, row-major index. */
export type Read = (index: number) => Value;

/** Which of the three a dtype's values are. */
export type ValueKind = "number" | "bigint" | "complex";

/** The kind of a dtype's values. */
export function valueKind(dtype: DType): ValueKind {
  return isBig(dtype) ? "bigint" : isComplexDType(dtype) ? "complex" : "number";
}

/** Brings the result of an operation to what the dtype holds: rounded for floats, wrapped for integers. */
export type Rounding = (x: number) => number;

const roundings: Readonly<Partial<Record<DType, Rounding>>> = {
  float64: (x) => x,
  int8: (x) => (x << 24) >> 24,
  uint8: (x) => x & 0xff,
  int16: (x) => (x << 16) >> 16,
  uint16: (x) => x & 0xffff,
  int32: (x) => x | 0,
  uint32: (x) => x >>> 0,
  int4: (x) => (x << 28) >> 28,
  uint4: (x) => x & 15,
  int2: (x) => (x << 30) >> 30,
  uint2: (x) => x & 3,
};

/** How numbers of a dtype are brought to what it holds; for a dtype of integers `x` is an exact integer. */
export function roundTo(dtype: DType): Rounding {
  return roundings[dtype] ?? Math.fround;
}

/** Wraps a bigint to 64 bits. */
export function wrapBig(dtype: DType, x: bigint): bigint {
  return dtype === "int64" ? BigInt.asIntN(64, x) : BigInt.asUintN(64, x);
}

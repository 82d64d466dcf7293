/**
 * The table of map factories: one TensorMapKind per dtype, found by the dtype's name or by its TensorFlow DataType number. A factory and
 * the map classes of its storage kind are made when they are first asked for: a program seldom uses more than a few of the twenty kinds.
 */
import { allDTypes, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { DType } from "@onebuffer/base";
// In an order in which each file resembles the one before: a bundle of them then compresses to about 3 kB less.
import { makeF32 } from "./generated/float32.ts";
import { makeF64 } from "./generated/float64.ts";
import { makeU32 } from "./generated/uint32.ts";
import { makeU64 } from "./generated/uint64.ts";
import { makeI64 } from "./generated/int64.ts";
import { makeBool } from "./generated/bool.ts";
import { makeBF16 } from "./generated/bfloat16.ts";
import { makeC64 } from "./generated/complex64.ts";
import { makeC128 } from "./generated/complex128.ts";
import { makeI8 } from "./generated/int8.ts";
import { makeU8 } from "./generated/uint8.ts";
import { makeI16 } from "./generated/int16.ts";
import { makeU16 } from "./generated/uint16.ts";
import { makeI32 } from "./generated/int32.ts";
import { makeF16 } from "./generated/float16.ts";
import { makeF8 } from "./generated/float8.ts";
import { makeNarrow } from "./generated/narrow-int.ts";
import { makeUnsignedNarrow } from "./generated/unsigned-narrow-int.ts";
import { makeObject } from "./generated/object.ts";
import type { TensorMapKind } from "../expression/tree/tensor-map-kind.ts";

/** Returns a function that calls `make` at its first call and returns that result at every call. */
function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** Returns the makers of the factories of one storage kind's dtypes, which share the kind's classes. */
function makersOf<D extends DType>(dtypes: readonly D[], make: () => (dtype: D) => TensorMapKind<D>): [D, () => TensorMapKind<D>][] {
  const classes = once(make);
  return dtypes.map((dtype) => [dtype, once(() => classes()(dtype))]);
}

/** Functions that return the factory of a dtype. The first call makes it. */
const makers = new Map<DType, () => TensorMapKind<DType>>([
  ...makersOf(["float32"], makeF32),
  ...makersOf(["float64"], makeF64),
  ...makersOf(["int8", "qint8"], makeI8),
  ...makersOf(["uint8", "quint8"], makeU8),
  ...makersOf(["int16", "qint16"], makeI16),
  ...makersOf(["uint16", "quint16"], makeU16),
  ...makersOf(["int32", "qint32"], makeI32),
  ...makersOf(["uint32"], makeU32),
  ...makersOf(["int64"], makeI64),
  ...makersOf(["uint64"], makeU64),
  ...makersOf(["float16"], makeF16),
  ...makersOf(["bfloat16"], makeBF16),
  ...makersOf(["float8_e5m2", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2fnuz", "float4_e2m1fn"], makeF8),
  ...makersOf(["int4", "int2"], makeNarrow),
  ...makersOf(["uint4", "uint2"], makeUnsignedNarrow),
  ...makersOf(["bool"], makeBool),
  ...makersOf(["complex64"], makeC64),
  ...makersOf(["complex128"], makeC128),
  ...makersOf(["string", "resource", "variant"], makeObject),
] as unknown as [DType, () => TensorMapKind<DType>][]);

/**
 * Returns the factory of the maps of a dtype: one object per dtype.
 *
 * Throws INVALID_ARGUMENT if `dtype` is not the name of a dtype. Copies: never.
 *
 * @example
 * tensorMapKind("bool").vec(new Uint8Array([0, 1]), 0, kUnowned, 2).toArray(); // => [false, true]
 * tensorMapKind("float" as DType); // throws INVALID_ARGUMENT
 */
export function tensorMapKind<D extends DType>(dtype: D): TensorMapKind<D> {
  const maker = makers.get(dtype);
  if (maker === undefined) throw new InvalidArgumentError(`${shownValue(dtype)} is not a dtype`);
  return maker() as unknown as TensorMapKind<D>;
}

/**
 * Returns the factory of the maps of a TensorFlow DataType number, for code that has the number instead of the name.
 *
 * Throws INVALID_ARGUMENT for DT_INVALID, reference types and unknown numbers. Copies: never.
 *
 * @example
 * tensorMapKindOf(DataType.DT_BOOL).dtype; // => "bool"
 * tensorMapKindOf(101); // throws INVALID_ARGUMENT
 */
export function tensorMapKindOf(dataType: number): TensorMapKind<DType> {
  const dtype = typeof dataType === "number" ? allDTypes[dataType - 1] : undefined;
  if (dtype === undefined) throw new InvalidArgumentError(`DataType ${shownValue(dataType)} is not an element type`);
  return tensorMapKind(dtype);
}

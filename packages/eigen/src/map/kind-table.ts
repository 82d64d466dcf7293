/**
 * The table of map factories: one TensorMapKind per dtype, found by the dtype's name or by its TensorFlow DataType number. A factory and
 * the map classes of its storage kind are made when they are first asked for: a program seldom uses more than a few of the twenty kinds.
 */
import { allDTypes, InvalidArgumentError } from "@onebuffer/base";
import { dtypeHint, dtypesOfClass, shownValue } from "@onebuffer/base/internal";
import type { DType } from "@onebuffer/base";
// In an order in which each file resembles the one before: a bundle of them then compresses to about 3 kB less.
import { makeF32 } from "./generated/float32.ts";
import { makeF64 } from "./generated/float64.ts";
import { makeI8 } from "./generated/int8.ts";
import { makeU8 } from "./generated/uint8.ts";
import { makeI16 } from "./generated/int16.ts";
import { makeU16 } from "./generated/uint16.ts";
import { makeI32 } from "./generated/int32.ts";
import { makeU32 } from "./generated/uint32.ts";
import { makeU64 } from "./generated/uint64.ts";
import { makeI64 } from "./generated/int64.ts";
import { makeBool } from "./generated/bool.ts";
import { makeBF16 } from "./generated/bfloat16.ts";
import { makeF16 } from "./generated/float16.ts";
import { makeF8 } from "./generated/float8.ts";
import { makeNarrow } from "./generated/narrow-int.ts";
import { makeUnsignedNarrow } from "./generated/unsigned-narrow-int.ts";
import { makeC64 } from "./generated/complex64.ts";
import { makeC128 } from "./generated/complex128.ts";
import { makeObject } from "./generated/object.ts";
import type { TensorMapKind } from "@onebuffer/expression/internal";

/** A dtype and the function that returns its factory, which it makes at its first call. */
type Maker = [DType, () => TensorMapKind<DType>];

/** Returns the makers of the dtypes of one storage kind. */
function makersOf<D extends DType>(make: (dtype: D) => TensorMapKind<D>, ...dtypes: readonly D[]): Maker[] {
  return dtypes.map((dtype) => {
    let made: TensorMapKind<D> | undefined;
    return [dtype, () => (made ??= make(dtype))] as unknown as Maker;
  });
}

/** Functions that return the factory of a dtype. */
const makers: ReadonlyMap<DType, () => TensorMapKind<DType>> = new Map([
  ...makersOf(makeF32, "float32"),
  ...makersOf(makeF64, "float64"),
  ...makersOf(makeI8, "int8", "qint8"),
  ...makersOf(makeU8, "uint8", "quint8"),
  ...makersOf(makeI16, "int16", "qint16"),
  ...makersOf(makeU16, "uint16", "quint16"),
  ...makersOf(makeI32, "int32", "qint32"),
  ...makersOf(makeU32, "uint32"),
  ...makersOf(makeI64, "int64"),
  ...makersOf(makeU64, "uint64"),
  ...makersOf(makeF16, "float16"),
  ...makersOf(makeBF16, "bfloat16"),
  ...makersOf(makeF8, ...dtypesOfClass("smallFloat")),
  ...makersOf(makeNarrow, ...dtypesOfClass("smallInt")),
  ...makersOf(makeUnsignedNarrow, ...dtypesOfClass("smallUint")),
  ...makersOf(makeBool, "bool"),
  ...makersOf(makeC64, "complex64"),
  ...makersOf(makeC128, "complex128"),
  ...makersOf(makeObject, ...dtypesOfClass("object")),
]);

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
  if (maker === undefined) throw new InvalidArgumentError(`${shownValue(dtype)} is not a dtype${dtypeHint(dtype)}`);
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

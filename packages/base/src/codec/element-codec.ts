/**
 * Reads and writes single elements in raw bytes, by dtype: little-endian, at any byte offset. Unaligned views, file readers and
 * printers use it; aligned memory is read faster through a typed array.
 *
 * Elements have the types of `ElementOf`: numbers, bigints for int64 and uint64, booleans, [re, im] pairs. A number that
 * does not fit an integer dtype wraps around as in a typed array; the small floats round to nearest even.
 */

import { argumentError } from "../status/argument-check.ts";
import { bfloat16ToFloat, floatToBfloat16 } from "./bfloat16.ts";
import { dtypeSize } from "../types/data-type-size.ts";
import { isRawDType } from "../types/data-type-traits.ts";
import { allDTypes } from "../types/dtype-data-type.ts";
import { dtypeRows } from "../types/dtype-table.ts";
import type { DTypeRow } from "../types/dtype-table.ts";
import type { Complex, DType, ElementOf, RawDType } from "../types/dtype.ts";
import { floatToHalf, halfToFloat } from "./half.ts";
import type { PatternCodec } from "./small-codecs.ts";
import { isSmallDType, smallCodec } from "./small-codecs.ts";
import { shownValue } from "../status/shown-value.ts";
import { FailedPreconditionError, InvalidArgumentError, OutOfRangeError } from "../status/status-error.ts";
import { typedArrayKind } from "../types/typed-array-view.ts";

/**
 * Reads and writes single elements of one dtype in a DataView. Byte offsets count from the view's start.
 *
 * Both methods throw OUT_OF_RANGE if the element is not inside the view, FAILED_PRECONDITION if the view's memory
 * is detached. `write` throws INVALID_ARGUMENT for a value of another type (for example a number instead of a bigint).
 *
 * @example
 * const codec: ElementCodec<"int64"> = elementCodec("int64");
 * codec.bytes; // => 8
 */
export interface ElementCodec<D extends RawDType = RawDType> {
  /** Bytes per element. */
  readonly bytes: number;
  /** The element at a byte offset. */
  read(view: DataView, byteOffset: number): ElementOf<D>;
  /** Stores an element at a byte offset. */
  write(view: DataView, byteOffset: number, value: ElementOf<D>): void;
}

const byteLengthGetter = Object.getOwnPropertyDescriptor(DataView.prototype, "byteLength")?.get as (this: unknown) => unknown;

type Read<E> = (view: DataView, at: number) => E;
type Write<E> = (view: DataView, at: number, value: E) => void;
type ArrayName = Exclude<DTypeRow["array"], null>;
type BigArray = Extract<ArrayName, `Big${string}`>;
type Slot<E> = readonly [read: Read<E>, write: Write<E>];

/** Reads and writes one slot of a typed array, by the name of the array's class. */
const kNumberSlots: Readonly<Record<Exclude<ArrayName, BigArray>, Slot<number>>> = {
  Int8Array: [(view, at) => view.getInt8(at), (view, at, value) => view.setInt8(at, value)],
  Uint8Array: [(view, at) => view.getUint8(at), (view, at, value) => view.setUint8(at, value)],
  Int16Array: [(view, at) => view.getInt16(at, true), (view, at, value) => view.setInt16(at, value, true)],
  Uint16Array: [(view, at) => view.getUint16(at, true), (view, at, value) => view.setUint16(at, value, true)],
  Int32Array: [(view, at) => view.getInt32(at, true), (view, at, value) => view.setInt32(at, value, true)],
  Uint32Array: [(view, at) => view.getUint32(at, true), (view, at, value) => view.setUint32(at, value, true)],
  Float32Array: [(view, at) => view.getFloat32(at, true), (view, at, value) => view.setFloat32(at, value, true)],
  Float64Array: [(view, at) => view.getFloat64(at, true), (view, at, value) => view.setFloat64(at, value, true)],
};
const kBigSlots: Readonly<Record<BigArray, Slot<bigint>>> = {
  BigInt64Array: [(view, at) => view.getBigInt64(at, true), (view, at, value) => view.setBigInt64(at, value, true)],
  BigUint64Array: [(view, at) => view.getBigUint64(at, true), (view, at, value) => view.setBigUint64(at, value, true)],
};

/** Reads and writes the bit patterns of 16 bits. */
const kWordCodecs: Readonly<Partial<Record<DType, PatternCodec>>> = {
  float16: [halfToFloat, floatToHalf],
  bfloat16: [bfloat16ToFloat, floatToBfloat16],
};

const kCodecs: ReadonlyMap<unknown, ElementCodec> = new Map(allDTypes.filter(isRawDType).map((dtype) => [dtype, codecOf(dtype)]));

/**
 * Returns the codec of a dtype, always the same object per dtype.
 *
 * Throws INVALID_ARGUMENT if `dtype` is an object dtype or not a dtype.
 *
 * @example
 * const view = new DataView(new ArrayBuffer(9));
 * elementCodec("complex64").write(view, 1, [1, -2]);
 * elementCodec("complex64").read(view, 1); // => [1, -2]
 * elementCodec("int64").read(view, 2); // throws OUT_OF_RANGE
 * elementCodec("string" as RawDType); // throws INVALID_ARGUMENT
 */
export function elementCodec<D extends RawDType>(dtype: D): ElementCodec<D> {
  const codec = kCodecs.get(dtype);
  if (codec === undefined) throw new InvalidArgumentError(`Elements of dtype ${shownValue(dtype)} are not raw bytes`);
  return codec as ElementCodec<D>;
}

/** Makes the codec of a dtype from its row. */
function codecOf(dtype: RawDType): ElementCodec {
  const { class: kind, array } = dtypeRows[dtype];
  if (array === "BigInt64Array" || array === "BigUint64Array") return checked(dtype, isBigInt, ...kBigSlots[array]);
  const [read, write] = kNumberSlots[array as keyof typeof kNumberSlots];
  if (kind === "complex") return pairCodec(dtype, read, write);
  if (kind === "bool") {
    // Any byte that is not 0 is true.
    return checked<boolean>(
      dtype,
      isBoolean,
      (view, at) => view.getUint8(at) !== 0,
      (view, at, value) => view.setUint8(at, value ? 1 : 0),
    );
  }
  const pattern = isSmallDType(dtype) ? smallCodec(dtype) : kWordCodecs[dtype];
  return pattern === undefined ? checked(dtype, isNumber, read, write) : patternCodec(dtype, pattern);
}

/** Makes the codec of complex numbers, whose parts have the same dtype. */
function pairCodec(dtype: RawDType, read: Read<number>, write: Write<number>): ElementCodec {
  const half = dtypeSize(dtype) / 2;
  return checked<Complex>(
    dtype,
    isPair,
    (view, at) => [read(view, at), read(view, at + half)],
    (view, at, [re, im]) => {
      write(view, at, re);
      write(view, at + half, im);
    },
  );
}

/** Makes the codec of a dtype whose numbers are stored as patterns of 16 bits, or of at most 8. */
function patternCodec(dtype: RawDType, [decode, encode]: PatternCodec): ElementCodec {
  if (dtypeSize(dtype) === 2) {
    return checked<number>(
      dtype,
      isNumber,
      (view, at) => decode(view.getUint16(at, true)),
      (view, at, value) => view.setUint16(at, encode(value), true),
    );
  }
  return checked<number>(
    dtype,
    isNumber,
    (view, at) => decode(view.getUint8(at)),
    (view, at, value) => view.setUint8(at, encode(value)),
  );
}

/** Makes a codec that checks offset and value before it reads or writes bytes. */
function checked<E>(dtype: RawDType, isElement: (value: unknown) => boolean, read: Read<E>, write: Write<E>): ElementCodec {
  const size = dtypeSize(dtype);
  return {
    bytes: size,
    read(view, byteOffset) {
      checkInside(view, byteOffset, size);
      return read(view, byteOffset) as ElementOf<RawDType>;
    },
    write(view, byteOffset, value) {
      if (!isElement(value)) throw new InvalidArgumentError(`Not an element of dtype ${dtype}: ${shownValue(value)}`);
      checkInside(view, byteOffset, size);
      write(view, byteOffset, value as E);
    },
  };
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function isBigInt(value: unknown): boolean {
  return typeof value === "bigint";
}

function isBoolean(value: unknown): boolean {
  return typeof value === "boolean";
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "number" && typeof value[1] === "number";
}

/** Throws a StatusError where the DataView would throw a RangeError or TypeError. */
function checkInside(view: DataView, byteOffset: number, size: number): void {
  const length = lengthOf(view);
  if (!Number.isInteger(byteOffset) || byteOffset < 0 || byteOffset > length - size) {
    throw new OutOfRangeError(
      `${String(size)} bytes at byte offset ${shownValue(byteOffset)} are not inside a view of ${String(length)} bytes`,
    );
  }
}

/** Returns the view's length. Throws if its memory is detached or has shrunk, or if `view` is not a DataView. */
function lengthOf(view: DataView): number {
  try {
    return byteLengthGetter.call(view) as number;
  } catch (cause) {
    if (!ArrayBuffer.isView(view) || typedArrayKind(view) !== "") throw argumentError("a DataView", view);
    throw new FailedPreconditionError("The view's memory is detached or no longer reaches that far", { cause });
  }
}

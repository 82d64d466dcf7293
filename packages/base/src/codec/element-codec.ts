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
import type { ElementOf, RawDType } from "../types/dtype.ts";
import { floatToHalf, halfToFloat } from "./half.ts";
import type { SmallDType } from "./small-codecs.ts";
import { smallCodec } from "./small-codecs.ts";
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
type Codecs = { readonly [D in RawDType]: ElementCodec<D> };

const readInt8: Read<number> = (view, at) => view.getInt8(at);
const writeInt8: Write<number> = (view, at, value) => view.setInt8(at, value);
const readUint8: Read<number> = (view, at) => view.getUint8(at);
const writeUint8: Write<number> = (view, at, value) => view.setUint8(at, value);
const readInt16: Read<number> = (view, at) => view.getInt16(at, true);
const writeInt16: Write<number> = (view, at, value) => view.setInt16(at, value, true);
const readUint16: Read<number> = (view, at) => view.getUint16(at, true);
const writeUint16: Write<number> = (view, at, value) => view.setUint16(at, value, true);
const readInt32: Read<number> = (view, at) => view.getInt32(at, true);
const writeInt32: Write<number> = (view, at, value) => view.setInt32(at, value, true);

const kCodecs: Codecs = {
  float32: numbers(
    "float32",
    (view, at) => view.getFloat32(at, true),
    (view, at, value) => view.setFloat32(at, value, true),
  ),
  float64: numbers(
    "float64",
    (view, at) => view.getFloat64(at, true),
    (view, at, value) => view.setFloat64(at, value, true),
  ),
  int32: numbers("int32", readInt32, writeInt32),
  uint8: numbers("uint8", readUint8, writeUint8),
  int16: numbers("int16", readInt16, writeInt16),
  int8: numbers("int8", readInt8, writeInt8),
  complex64: codec(
    "complex64",
    isPair,
    (view, at) => [view.getFloat32(at, true), view.getFloat32(at + 4, true)],
    (view, at, [re, im]) => {
      view.setFloat32(at, re, true);
      view.setFloat32(at + 4, im, true);
    },
  ),
  int64: codec(
    "int64",
    isBigInt,
    (view, at) => view.getBigInt64(at, true),
    (view, at, value) => view.setBigInt64(at, value, true),
  ),
  // Any byte that is not 0 is true.
  bool: codec(
    "bool",
    isBoolean,
    (view, at) => view.getUint8(at) !== 0,
    (view, at, value) => view.setUint8(at, value ? 1 : 0),
  ),
  qint8: numbers("qint8", readInt8, writeInt8),
  quint8: numbers("quint8", readUint8, writeUint8),
  qint32: numbers("qint32", readInt32, writeInt32),
  bfloat16: words("bfloat16", bfloat16ToFloat, floatToBfloat16),
  qint16: numbers("qint16", readInt16, writeInt16),
  quint16: numbers("quint16", readUint16, writeUint16),
  uint16: numbers("uint16", readUint16, writeUint16),
  complex128: codec(
    "complex128",
    isPair,
    (view, at) => [view.getFloat64(at, true), view.getFloat64(at + 8, true)],
    (view, at, [re, im]) => {
      view.setFloat64(at, re, true);
      view.setFloat64(at + 8, im, true);
    },
  ),
  float16: words("float16", halfToFloat, floatToHalf),
  uint32: numbers(
    "uint32",
    (view, at) => view.getUint32(at, true),
    (view, at, value) => view.setUint32(at, value, true),
  ),
  uint64: codec(
    "uint64",
    isBigInt,
    (view, at) => view.getBigUint64(at, true),
    (view, at, value) => view.setBigUint64(at, value, true),
  ),
  float8_e5m2: bytes("float8_e5m2"),
  float8_e4m3fn: bytes("float8_e4m3fn"),
  float8_e4m3fnuz: bytes("float8_e4m3fnuz"),
  float8_e4m3b11fnuz: bytes("float8_e4m3b11fnuz"),
  float8_e5m2fnuz: bytes("float8_e5m2fnuz"),
  int4: bytes("int4"),
  uint4: bytes("uint4"),
  int2: bytes("int2"),
  uint2: bytes("uint2"),
  float4_e2m1fn: bytes("float4_e2m1fn"),
};

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
  if (typeof dtype !== "string" || !Object.hasOwn(kCodecs, dtype))
    throw new InvalidArgumentError(`Elements of dtype ${shownValue(dtype)} are not raw bytes`);
  return kCodecs[dtype];
}

/** Makes a codec that checks offset and value before it reads or writes bytes. */
function codec<D extends RawDType>(
  dtype: D,
  isElement: (value: unknown) => boolean,
  read: Read<ElementOf<D>>,
  write: Write<ElementOf<D>>,
): ElementCodec<D> {
  const size = dtypeSize(dtype);
  return {
    bytes: size,
    read(view, byteOffset) {
      checkInside(view, byteOffset, size);
      return read(view, byteOffset);
    },
    write(view, byteOffset, value) {
      if (!isElement(value)) throw new InvalidArgumentError(`Not an element of dtype ${dtype}: ${shownValue(value)}`);
      checkInside(view, byteOffset, size);
      write(view, byteOffset, value);
    },
  };
}

/** Makes the codec of a dtype whose elements are numbers. */
function numbers<D extends NumberDType>(dtype: D, read: Read<number>, write: Write<number>): ElementCodec<D> {
  return codec<NumberDType>(dtype, isNumber, read, write) as ElementCodec<D>;
}

/** Makes the codec of a dtype whose numbers are stored as 16-bit patterns. */
function words<D extends NumberDType>(dtype: D, decode: (bits: number) => number, encode: (x: number) => number): ElementCodec<D> {
  return numbers(
    dtype,
    (view, at) => decode(view.getUint16(at, true)),
    (view, at, value) => view.setUint16(at, encode(value), true),
  );
}

/** Makes the codec of a dtype whose numbers are stored as 8-bit patterns. */
function bytes<D extends SmallDType>(dtype: D): ElementCodec<D> {
  const [decode, encode] = smallCodec(dtype);
  return numbers(
    dtype,
    (view, at) => decode(view.getUint8(at)),
    (view, at, value) => view.setUint8(at, encode(value)),
  );
}

type NumberDType = Exclude<RawDType, "int64" | "uint64" | "bool" | "complex64" | "complex128">;

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

/**
 * The element fields of a LiteralProto: which field holds the elements of which type, and in what form (the switch of
 * Literal::Piece::WriteToProto and CopyFromProto in xla/literal.cc).
 *
 *     type                       in the message                      in memory
 *     pred            preds      one boolean per element             Uint8Array
 *     s32 u32 s64 u64 f32 f64    one number per element, packed      Int32Array, …
 *     c64 c128                   re, im, re, im, …                   Float32Array, Float64Array
 *     all other types            little-endian bytes                 Int8Array … Uint16Array; sub-byte types one byte each
 */
import type { TypedArray } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, plainTypedArray, typedArrayKind, shownValue } from "@onebuffer/base/internal";
import type { LiteralProto } from "./literal-proto.ts";
import { PrimitiveType, primitiveTypeName } from "../type/primitive-type.ts";
import { byteWidth, isComplexType, isSignedIntegralType } from "../type/primitive-type-traits.ts";

/** A class of typed arrays. */
interface ArrayClass {
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): TypedArray;
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): TypedArray;
}

/** Reads and writes the elements of one type. */
export interface LiteralField {
  /** Returns the `count` elements of a message. Throws INVALID_ARGUMENT if there are more or fewer, or one does not fit the type. */
  read(proto: LiteralProto, count: number): TypedArray;
  /** Returns a message with the field of `count` elements. Throws INVALID_ARGUMENT if `data` has another class or length. */
  write(data: TypedArray | null, count: number): LiteralProto;
}

/** The array classes of the types that have a field of numbers; all other types are encoded as bytes. */
const kNumbers: Readonly<Partial<Record<PrimitiveType, ArrayClass>>> = {
  [PrimitiveType.PRED]: Uint8Array,
  [PrimitiveType.S32]: Int32Array,
  [PrimitiveType.S64]: BigInt64Array,
  [PrimitiveType.U32]: Uint32Array,
  [PrimitiveType.U64]: BigUint64Array,
  [PrimitiveType.F32]: Float32Array,
  [PrimitiveType.F64]: Float64Array,
  [PrimitiveType.C64]: Float32Array,
  [PrimitiveType.C128]: Float64Array,
};

/** Returns the reader and writer of an element type. */
export function literalField(type: PrimitiveType): LiteralField {
  const name = `${primitiveTypeName(type)}s` as keyof LiteralProto;
  const numbers = kNumbers[type];
  const array = numbers ?? bytesClass(type);
  const slots = isComplexType(type) ? 2 : 1;
  return {
    read(proto, count) {
      const values: unknown = proto[name] ?? [];
      if (numbers === undefined) return readBytes(name, values, array, count);
      return readNumbers(name, values, array, count * slots, type);
    },
    write(given, count) {
      const data = typedArrayKind(given) === "" ? given : plainTypedArray(given as TypedArray);
      if (className(data) !== array.name || data?.length !== count * slots)
        throw new InvalidArgumentError(
          `A literal of ${count} elements of ${primitiveTypeName(type)} needs a ${array.name} of length ${count * slots}, got ${className(data) || shownValue(data)} of length ${data?.length ?? 0}`,
        );
      return { [name]: numbers === undefined ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength) : data };
    },
  };
}

/** Returns the array class, in memory, of a type whose elements are encoded as bytes. */
function bytesClass(type: PrimitiveType): ArrayClass {
  if (byteWidth(type) === 2) return type === PrimitiveType.S16 ? Int16Array : Uint16Array;
  return isSignedIntegralType(type) ? Int8Array : Uint8Array;
}

/** Returns the class name of a typed array from any realm, "" for any other value. */
function className(value: unknown): string {
  return typedArrayKind(value);
}

function lengthError(name: string, wanted: number, got: number): InvalidArgumentError {
  return new InvalidArgumentError(`Expected ${wanted} elements in LiteralProto.${name}, got ${got}`);
}

function readBytes(name: string, values: unknown, array: ArrayClass, count: number): TypedArray {
  const given = (isArray(values) && values.length === 0 ? new Uint8Array(0) : values) as Uint8Array;
  if (className(given) !== "Uint8Array")
    throw new InvalidArgumentError(`Expected bytes as LiteralProto.${name}, got ${shownValue(values)}`);
  const bytes = plainTypedArray(given);
  const size = array.BYTES_PER_ELEMENT;
  if (bytes.byteLength !== count * size) throw lengthError(name, count, bytes.byteLength / size);
  const held = bytes.byteOffset % size === 0 ? bytes : new Uint8Array(bytes);
  return new array(held.buffer, held.byteOffset, count);
}

function readNumbers(name: string, values: unknown, array: ArrayClass, count: number, type: PrimitiveType): TypedArray {
  const kind = className(values);
  if (!Array.isArray(values) && (kind === "" || kind === "DataView"))
    throw new InvalidArgumentError(`Expected a list as LiteralProto.${name}, got ${shownValue(values)}`);
  const list = (kind === "" ? values : plainTypedArray(values as TypedArray)) as ArrayLike<unknown>;
  if (list.length !== count) throw lengthError(name, count, list.length);
  const isPred = type === PrimitiveType.PRED;
  if (kind === array.name && !isPred) return list as unknown as TypedArray;
  const data = new array(count);
  for (let i = 0; i < count; i += 1) {
    const value = elementOf(list[i], data, isPred);
    if (value === undefined) throw new InvalidArgumentError(`LiteralProto.${name}[${i}] cannot be ${shownValue(list[i])}`);
    data[i] = value;
    // An integer that does not fit the array's class reads back as another number.
    if (!/^Float/.test(array.name) && data[i] !== value)
      throw new InvalidArgumentError(`LiteralProto.${name}[${i}] cannot be ${shownValue(list[i])}`);
  }
  return data;
}

/** Returns the value that is stored in the array for an element of a message; undefined if the element has the wrong type. */
function elementOf(value: unknown, data: TypedArray, isPred: boolean): number | bigint | undefined {
  if (isPred) return value === true || value === 1 ? 1 : value === false || value === 0 ? 0 : undefined;
  if (!typedArrayKind(data).startsWith("Big")) return typeof value === "number" ? value : undefined;
  if (typeof value === "bigint") return value;
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : undefined;
}

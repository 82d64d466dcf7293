/**
 * The typed fields of a TensorProto: which holds the elements of which dtype, and how its values are read
 * (the ProtoHelper templates of tensorflow/core/framework/tensor.cc).
 *
 *     int_val  [-1, 300]   int8 elements -1, 44      wider integers are cut to the element's bits, as C++ does
 *     half_val [15360]     float16 element 1         the low 16 bits, as they stand
 *
 * A message may be written by hand, so every value is looked at, unless it comes in the typed array of its field, which can
 * hold nothing else. string_val, resource_handle_val and variant_val are not numbers and have files of their own.
 */
import type { RawDType, TypedArray } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError, ResourceExhaustedError, shownValue } from "@onebuffer/base";
import { firstBadBool } from "./bool-bytes.ts";
import { isMemoryGone } from "@onebuffer/allocator/internal";
import { arrayKind } from "../element/nested-array.ts";
import type { TensorProto } from "../element/tensor-proto.ts";

/** The fields that hold numbers. */
export type NumberField =
  | "floatVal"
  | "doubleVal"
  | "intVal"
  | "scomplexVal"
  | "int64Val"
  | "boolVal"
  | "dcomplexVal"
  | "halfVal"
  | "uint32Val"
  | "uint64Val"
  | "float8Val";

/** Any typed array class that holds a field's values. */
type FieldArrayConstructor = (new (length: number) => TypedArray) & { readonly name: string; readonly BYTES_PER_ELEMENT: number };

/** One field: the array its values are decoded into, and the test of a value that comes otherwise. */
export interface TypedField {
  readonly name: NumberField;
  readonly array: FieldArrayConstructor;
  /** What a value must be, for the error message. */
  readonly kind: string;
  /** The value as the array takes it, or undefined when the field cannot hold it. */
  accept(value: unknown): number | bigint | undefined;
}

const acceptFloat = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const acceptInt32 = (value: unknown): number | undefined => (typeof value === "number" && (value | 0) === value ? value : undefined);
const acceptUint32 = (value: unknown): number | undefined => (typeof value === "number" && value >>> 0 === value ? value : undefined);
const acceptByte = (value: unknown): number | undefined => (typeof value === "number" && (value & 0xff) === value ? value : undefined);
const acceptBool = (value: unknown): number | undefined =>
  value === true || value === 1 ? 1 : value === false || value === 0 ? 0 : undefined;

/** A bigint within the limits, or a whole number that is exact. */
function acceptWide(value: unknown, lowest: bigint, highest: bigint): bigint | undefined {
  const wide = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof wide === "bigint" && wide >= lowest && wide <= highest ? wide : undefined;
}

function field(name: NumberField, array: FieldArrayConstructor, kind: string, accept: TypedField["accept"]): TypedField {
  return { name, array, kind, accept };
}

const kFloat = field("floatVal", Float32Array, "a number", acceptFloat);
const kDouble = field("doubleVal", Float64Array, "a number", acceptFloat);
const kInt = field("intVal", Int32Array, "an int32", acceptInt32);
const kHalf = field("halfVal", Int32Array, "an int32", acceptInt32);
const kFloat8 = field("float8Val", Uint8Array, "a byte", acceptByte);

const kFieldOf: Readonly<Record<RawDType, TypedField>> = {
  float32: kFloat,
  float64: kDouble,
  int32: kInt,
  uint8: kInt,
  int16: kInt,
  int8: kInt,
  complex64: field("scomplexVal", Float32Array, "a number", acceptFloat),
  int64: field("int64Val", BigInt64Array, "an int64", (value) => acceptWide(value, -(2n ** 63n), 2n ** 63n - 1n)),
  bool: field("boolVal", Uint8Array, "a boolean", acceptBool),
  qint8: kInt,
  quint8: kInt,
  qint32: kInt,
  bfloat16: kHalf,
  qint16: kInt,
  quint16: kInt,
  uint16: kInt,
  complex128: field("dcomplexVal", Float64Array, "a number", acceptFloat),
  float16: kHalf,
  uint32: field("uint32Val", Uint32Array, "a uint32", acceptUint32),
  uint64: field("uint64Val", BigUint64Array, "a uint64", (value) => acceptWide(value, 0n, 2n ** 64n - 1n)),
  float8_e5m2: kFloat8,
  float8_e4m3fn: kFloat8,
  float8_e4m3fnuz: kFloat8,
  float8_e4m3b11fnuz: kFloat8,
  float8_e5m2fnuz: kFloat8,
  float4_e2m1fn: kFloat8,
  int4: kInt,
  uint4: kInt,
  int2: kInt,
  uint2: kInt,
};

/** The field that holds the elements of a dtype. */
export function typedFieldOf(dtype: RawDType): TypedField {
  return kFieldOf[dtype];
}

/** A repeated field of a message from outside as a list, empty when absent; INVALID_ARGUMENT when it is none. */
export function repeatedField(proto: TensorProto, name: keyof TensorProto): ArrayLike<unknown> {
  const values: unknown = proto[name];
  if (values === undefined || values === null) return [];
  if (!Array.isArray(values) && arrayKind(values) === "")
    throw new InvalidArgumentError(`TensorProto.${name} must be an array, got ${shownValue(values)}`);
  const list = values as ArrayLike<unknown>;
  // A detached array looks empty and would read as "no values".
  if (list.length === 0 && ArrayBuffer.isView(values) && isMemoryGone(values.buffer, 0))
    throw new FailedPreconditionError(`TensorProto.${name} is detached`);
  return list;
}

/** Values of a field, checked; `borrowed` tells that the array is the message's own. */
export interface FieldValues {
  readonly array: TypedArray;
  readonly borrowed: boolean;
}

/**
 * The first `count` values of a field that has so many, in an array of the field's kind: the message's own if it is
 * one, otherwise a copy. INVALID_ARGUMENT naming the index of a value that the field cannot hold.
 */
export function fieldValues(typed: TypedField, values: ArrayLike<unknown>, count: number): FieldValues {
  const { name, array, kind, accept } = typed;
  if (arrayKind(values) === array.name) {
    const own = (values as Uint8Array).subarray(0, count) as TypedArray;
    if (name === "boolVal") {
      const bad = firstBadBool(own as Uint8Array);
      if (bad >= 0) throw valueError(typed, bad, own[bad]);
    }
    return { array: own, borrowed: true };
  }
  let copy: TypedArray;
  try {
    copy = new array(count);
  } catch {
    throw new ResourceExhaustedError(`cannot allocate ${count} values of TensorProto.${name}, ${kind} each`);
  }
  for (let i = 0; i < count; i += 1) {
    const value = accept(values[i]);
    if (value === undefined) throw valueError(typed, i, values[i]);
    copy[i] = value;
  }
  return { array: copy, borrowed: false };
}

function valueError({ name, kind }: TypedField, index: number, value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`TensorProto.${name}[${index}] must be ${kind}, got ${shownValue(value)}`);
}

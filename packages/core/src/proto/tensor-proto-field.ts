/**
 * The typed fields of a TensorProto: the field that holds the elements of each dtype, and how its values are read (the ProtoHelper
 * templates of tensorflow/core/framework/tensor.cc).
 *
 *     int_val  [-1, 300]   int8 elements -1, 44      wider integers are truncated to the element's bits, as in C++
 *     half_val [15360]     float16 element 1         the low 16 bits, unchanged
 *
 * A message may be written by hand, so every value is checked, unless it is in the field's own kind of typed array, which cannot
 * hold anything else. string_val, resource_handle_val and variant_val are not numbers: see string-list.ts and
 * objects-from-proto.ts.
 */
import type { RawDType, TypedArray } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError, ResourceExhaustedError } from "@onebuffer/base";
import { dtypeRows, shownValue } from "@onebuffer/base/internal";
import type { DTypeCell } from "@onebuffer/base/internal";
import { firstBadBool } from "./bool-bytes.ts";
import { isMemoryGone } from "@onebuffer/allocator/internal";
import { arrayKind } from "../element/nested-array.ts";
import type { TensorProto } from "../element/tensor-proto.ts";

/** The names of the fields that hold numbers. */
export type NumberField = DTypeCell<RawDType, "field">;

/** A typed array class that can hold a field's values. */
type FieldArrayConstructor = (new (length: number) => TypedArray) & { readonly name: string; readonly BYTES_PER_ELEMENT: number };

/**
 * A field: the typed array that holds its values, and the check of a value that is in any other array.
 *
 * @example
 * const field: TypedField = typedFieldOf("bool");
 * [field.name, field.accept(true), field.accept(2)]; // => ["boolVal", 1, undefined]
 */
export interface TypedField {
  readonly name: NumberField;
  readonly array: FieldArrayConstructor;
  /** A description of valid values, for the error message. */
  readonly kind: string;
  /** Returns the value as the array stores it, or undefined if the field cannot hold it. */
  accept(value: unknown): number | bigint | undefined;
}

const acceptFloat = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
const acceptInt32 = (value: unknown): number | undefined => (typeof value === "number" && (value | 0) === value ? value : undefined);
const acceptUint32 = (value: unknown): number | undefined => (typeof value === "number" && value >>> 0 === value ? value : undefined);
const acceptByte = (value: unknown): number | undefined => (typeof value === "number" && (value & 0xff) === value ? value : undefined);
const acceptBool = (value: unknown): number | undefined =>
  value === true || value === 1 ? 1 : value === false || value === 0 ? 0 : undefined;

/** Returns a bigint, or an integer that a number holds exactly, as a bigint; undefined outside the limits. */
function acceptWide(value: unknown, lowest: bigint, highest: bigint): bigint | undefined {
  const wide = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  return typeof wide === "bigint" && wide >= lowest && wide <= highest ? wide : undefined;
}

function field(name: NumberField, array: FieldArrayConstructor, kind: string, accept: TypedField["accept"]): TypedField {
  return { name, array, kind, accept };
}

const kFields: Readonly<Record<NumberField, TypedField>> = {
  floatVal: field("floatVal", Float32Array, "a number", acceptFloat),
  doubleVal: field("doubleVal", Float64Array, "a number", acceptFloat),
  intVal: field("intVal", Int32Array, "an int32", acceptInt32),
  scomplexVal: field("scomplexVal", Float32Array, "a number", acceptFloat),
  int64Val: field("int64Val", BigInt64Array, "an int64", (value) => acceptWide(value, -(2n ** 63n), 2n ** 63n - 1n)),
  boolVal: field("boolVal", Uint8Array, "a boolean", acceptBool),
  dcomplexVal: field("dcomplexVal", Float64Array, "a number", acceptFloat),
  halfVal: field("halfVal", Int32Array, "an int32", acceptInt32),
  uint32Val: field("uint32Val", Uint32Array, "a uint32", acceptUint32),
  uint64Val: field("uint64Val", BigUint64Array, "a uint64", (value) => acceptWide(value, 0n, 2n ** 64n - 1n)),
  float8Val: field("float8Val", Uint8Array, "a byte", acceptByte),
};

/**
 * Returns the field that holds the elements of a dtype.
 *
 * @example
 * typedFieldOf("int8").name; // => "intVal"
 */
export function typedFieldOf(dtype: RawDType): TypedField {
  return kFields[dtypeRows[dtype].field as NumberField];
}

/** Returns a repeated field of a message that may be malformed, empty if absent. Throws INVALID_ARGUMENT if it is not an array. */
export function repeatedField(proto: TensorProto, name: keyof TensorProto): ArrayLike<unknown> {
  const values: unknown = proto[name];
  if (values === undefined || values === null) return [];
  if (!Array.isArray(values) && arrayKind(values) === "")
    throw new InvalidArgumentError(`TensorProto.${name} must be an array, got ${shownValue(values)}`);
  const list = values as ArrayLike<unknown>;
  // A detached array has length 0 and would be read as "no values".
  if (list.length === 0 && ArrayBuffer.isView(values) && isMemoryGone(values.buffer, 0))
    throw new FailedPreconditionError(`TensorProto.${name} is detached`);
  return list;
}

/** The checked values of a field; `borrowed` is true if the array is the message's own. */
export interface FieldValues {
  readonly array: TypedArray;
  readonly borrowed: boolean;
}

/**
 * Returns the first `count` values of a field that has at least `count`, in a typed array of the field's kind: the message's own if
 * it is of that kind, otherwise a copy. Throws INVALID_ARGUMENT with the index of a value that the field cannot hold.
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

/**
 * Reads nested JavaScript arrays and typed arrays into a tensor: finds their shape and dtype, checks every element and passes it to
 * the caller to store. No counterpart in TensorFlow's C++; the model is NumPy's `array(...)`.
 *
 * Input is not trusted: ragged rows, cycles and elements that the dtype cannot hold throw INVALID_ARGUMENT naming the path, such
 * as `[1][0]`. Row lengths are checked before anything is allocated.
 */

import type { DType, ElementInput } from "@onebuffer/base";
import { allDTypes, dtypeSize, InvalidArgumentError } from "@onebuffer/base";
import { shownValue, typedArrayKind } from "@onebuffer/base/internal";
import { integerRange, isFloat } from "@onebuffer/expression/internal";
import { elementLifecycle } from "./object-elements.ts";

/**
 * The input of Tensor.from: a value, a typed array, or arrays of these nested to any depth. If the dtype is complex, a pair of
 * numbers is one element; if it is string, a byte array is one element. Variants and ResourceHandles are copied.
 *
 * @example
 * const rows: TensorLike[] = [[1, 2], Float32Array.of(3, 4)];
 * using tensor = Tensor.from(rows, { dtype: "float32" });
 * tensor.toArray(); // => [[1, 2], [3, 4]]
 */
export type TensorLike =
  | number
  | bigint
  | boolean
  | string
  | ArrayBufferView
  | ElementInput<"variant">
  | ElementInput<"resource">
  | readonly TensorLike[];

/** The dtype that a typed array stands for, by the name of its class. */
const kDtypeOfArray: Readonly<Record<string, DType>> = {
  Float32Array: "float32",
  Float64Array: "float64",
  Int8Array: "int8",
  Int16Array: "int16",
  Int32Array: "int32",
  Uint8Array: "uint8",
  Uint8ClampedArray: "uint8",
  Uint16Array: "uint16",
  Uint32Array: "uint32",
  BigInt64Array: "int64",
  BigUint64Array: "uint64",
  Float16Array: "float16",
};

/** A typed array of any kind, seen as a list. */
export interface TypedRow extends ArrayBufferView {
  readonly length: number;
  readonly [index: number]: number | bigint;
}

/** Returns the class name of a typed array of any realm (such as `Float32Array`), or "" for anything else. */
export function arrayKind(value: unknown): string {
  const kind = typedArrayKind(value);
  return kind !== "" && Object.hasOwn(kDtypeOfArray, kind) ? kind : "";
}

/** Returns the dtype of a typed array's elements. Throws INVALID_ARGUMENT for anything else, such as a DataView. */
export function dtypeOfArray(value: unknown): DType {
  const dtype = kDtypeOfArray[arrayKind(value)];
  if (dtype === undefined) throw new InvalidArgumentError(`expected a typed array, got ${shownValue(value)}`);
  return dtype;
}

/** The shape and dtype of nested arrays, taken from the first row of each dimension. */
export interface NestedForm {
  readonly dims: readonly number[];
  readonly dtype: DType;
}

/**
 * Finds the shape and, if `dtype` is not given, the dtype: float32 for numbers, int64 for bigints, bool for booleans, string for
 * strings, the corresponding dtype for a typed array, and float32 for an array without elements. Throws INVALID_ARGUMENT if
 * the rows of a dimension differ in length, an array has holes, or arrays are nested more than 254 deep.
 */
export function formOfNested(value: unknown, dtype?: DType): NestedForm {
  const dims: number[] = [];
  let inner: unknown = value;
  while (isRow(inner, dtype)) {
    if (dims.length >= 254) throw new InvalidArgumentError("arrays are nested more than 254 deep; a tensor has at most 254 dimensions");
    dims.push(inner.length);
    if (inner.length === 0 || ArrayBuffer.isView(inner)) break;
    inner = inner[0];
  }
  const path = dims.map(() => 0);
  const found =
    dtype ?? (isRow(inner, dtype) ? (ArrayBuffer.isView(inner) ? dtypeOfArray(inner) : "float32") : dtypeOfElement(inner, path));
  checkRows(
    value,
    dims,
    dtype,
    0,
    [],
    dims.map(() => new Set()),
  );
  return { dims, dtype: found };
}

/** Innermost rows of up to this many elements are checked again rather than remembered in a Set. */
const kShortRow = 64;

/** The smallest and largest value of every integer dtype of at most 32 bits. */
const kRanges: Readonly<Partial<Record<string, readonly number[]>>> = Object.fromEntries(
  allDTypes.flatMap((dtype) => {
    const range = dtypeSize(dtype) > 4 ? null : integerRange(dtype);
    return range === null ? [] : [[dtype, range.map(Number)]];
  }),
);

/** As convert, but throws INVALID_ARGUMENT naming the path, or the index in a list, if the dtype cannot hold the element. */
export function acceptElement(dtype: DType, value: unknown, path: readonly number[] | number = []): unknown {
  const accepted = convert(dtype, value);
  if (accepted === undefined) throw elementError(dtype, value, typeof path === "number" ? [path] : path);
  return accepted;
}

function elementError(dtype: DType, value: unknown, path: readonly number[]): InvalidArgumentError {
  return new InvalidArgumentError(`${pathText(path)} is ${shownValue(value)}, which no ${dtype} element can hold`);
}

/**
 * Calls `store` with the index and the converted value of every element, in row-major order. `form` is the result of `formOfNested`
 * for the same value. Throws INVALID_ARGUMENT for an element that the dtype cannot hold.
 */
export function forEachNested(value: unknown, form: NestedForm, store: (index: number, element: unknown) => void): void {
  const { dims, dtype } = form;
  if (dims.length === 0) {
    store(0, acceptElement(dtype, value));
    return;
  }
  const path: number[] = [];
  const last = dims.length - 1;
  const holdsNumbers = isFloat(dtype);
  let next = 0;
  const walk = (row: ArrayLike<unknown>, depth: number): void => {
    const size = dims[depth]!;
    for (let i = 0; i < size; i += 1) {
      const item = row[i];
      if (depth < last) {
        path.push(i);
        walk(item as ArrayLike<unknown>, depth + 1);
        path.pop();
        continue;
      }
      const accepted = holdsNumbers && typeof item === "number" ? item : convert(dtype, item);
      if (accepted === undefined) throw elementError(dtype, item, [...path, i]);
      store(next, accepted);
      next += 1;
    }
  };
  walk(value as ArrayLike<unknown>, 0);
}

/** Returns a path as text, such as `[1][0]`; the outermost value is called "the value". */
function pathText(path: readonly number[]): string {
  return path.length === 0 ? "the value" : path.map((index) => `[${index}]`).join("");
}

function isPair(value: unknown, dtype: DType | undefined): boolean {
  return (
    (dtype === "complex64" || dtype === "complex128") &&
    Array.isArray(value) &&
    value.length === 2 &&
    value.every((part) => typeof part === "number")
  );
}

/** Returns true if a value is a row: an array that is not a complex pair, or a typed array unless the dtype is string. */
function isRow(value: unknown, dtype: DType | undefined): value is ArrayLike<unknown> {
  if (Array.isArray(value)) return !isPair(value, dtype);
  return dtype !== "string" && arrayKind(value) !== "";
}

function dtypeOfElement(value: unknown, path: readonly number[]): DType {
  switch (typeof value) {
    case "number":
      return "float32";
    case "bigint":
      return "int64";
    case "boolean":
      return "bool";
    case "string":
      return "string";
    default:
      throw new InvalidArgumentError(
        `${pathText(path)} is ${shownValue(value)}: use an array, or specify the dtype of such elements ("variant" or "resource")`,
      );
  }
}

/**
 * Compares the length of every row with the shape. A row that was already checked at the same depth is skipped, so an array that is
 * used many times is checked once.
 */
function checkRows(
  row: unknown,
  dims: readonly number[],
  dtype: DType | undefined,
  depth: number,
  path: number[],
  seen: readonly Set<unknown>[],
): void {
  const size = dims[depth];
  if (size === undefined) return;
  if (!isRow(row, dtype))
    throw new InvalidArgumentError(`ragged array: ${pathText(path)} is not an array, but others in its dimension are`);
  if (row.length !== size)
    throw new InvalidArgumentError(`ragged array: ${pathText(path)} has length ${row.length}, others in its dimension have ${size}`);
  const isLeaf = depth === dims.length - 1;
  if (isLeaf && size <= kShortRow) {
    checkNoHoles(row, path);
    return;
  }
  if (seen[depth]?.has(row) === true) return;
  seen[depth]?.add(row);
  if (isLeaf) {
    checkNoHoles(row, path);
    return;
  }
  for (let i = 0; i < size; i += 1) {
    path.push(i);
    checkRows(row[i], dims, dtype, depth + 1, path, seen);
    path.pop();
  }
}

/**
 * Throws INVALID_ARGUMENT if a row has holes. A sparse array could claim billions of elements that it does not have, and memory
 * must not be allocated for them.
 */
function checkNoHoles(row: ArrayLike<unknown>, path: readonly number[]): void {
  if (!Array.isArray(row)) return;
  // `includes` treats a hole as undefined, and is very fast on the dense arrays of numbers for which engines have a special layout.
  if (!row.includes(undefined)) return;
  let at = 0;
  while (row[at] !== undefined) at += 1;
  throw new InvalidArgumentError(`${pathText([...path, at])} is undefined or a hole`);
}

/** Returns the value in the form that a TensorMap's `set` takes (which copies objects), or undefined if the dtype cannot hold it. */
function convert(dtype: DType, value: unknown): unknown {
  const range = kRanges[dtype];
  if (range !== undefined)
    return typeof value === "number" && Number.isInteger(value) && value >= range[0]! && value <= range[1]! ? value : undefined;
  switch (dtype) {
    case "int64":
    case "uint64": {
      if (typeof value !== "bigint" && !Number.isSafeInteger(value)) return undefined;
      const wide = BigInt(value as bigint | number);
      return (dtype === "int64" ? BigInt.asIntN(64, wide) : BigInt.asUintN(64, wide)) === wide ? wide : undefined;
    }
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case "string":
      return typeof value === "string" || elementLifecycle("string").isElement(value) ? value : undefined;
    case "complex64":
    case "complex128":
      if (typeof value === "number") return [value, 0];
      return isPair(value, dtype) ? value : undefined;
    case "variant":
    case "resource":
      return elementLifecycle(dtype).isElement(value) ? value : undefined;
    default:
      return typeof value === "number" ? value : undefined;
  }
}

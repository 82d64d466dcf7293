/**
 * Makes tensors from JavaScript values and from constants: the work behind Tensor.from, wrap, zeros, full, arange and others. The
 * names are NumPy's; TensorFlow's C++ has only tensorflow/core/framework/tensor_testutil.h.
 *
 * Each function returns fresh parts that own one reference. If filling throws, the buffer is freed first.
 */

import type { DType, RawDType } from "@onebuffer/base";
import { checkObject, isClass, plainTypedArray, shownValue } from "@onebuffer/base/internal";
import { dataTypeOf, FailedPreconditionError, InvalidArgumentError, isObjectDType, typedArrayConstructor } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import { fillBytes, isMemoryGone, countCopied } from "@onebuffer/allocator/internal";
import type { ForeignMemory } from "../buffer/foreign-buffer.ts";
import { ForeignBuffer, isMemory, placeOf } from "../buffer/foreign-buffer.ts";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import type { TypedRow } from "../element/nested-array.ts";
import { acceptElement, arrayKind, dtypeOfArray, forEachNested, formOfNested } from "../element/nested-array.ts";
import { isFloat, partDType, roundToFloat } from "@onebuffer/expression/internal";
import { seededRandom } from "./seeded-random.ts";
import { countOfSizes } from "../buffer/tensor-flatten.ts";
import type { AllocationOptions, ShapeLike, TensorParts } from "../buffer/shape-and-buffer.ts";
import { allocateFilledParts } from "../buffer/shape-and-buffer.ts";
import { viewOfLength } from "../buffer/tensor-views.ts";
import { elementSizeOf } from "../buffer/typed-allocator.ts";

/** A flat view whose elements were already checked against the dtype. */
interface FlatStore {
  set(index: number, element: unknown): void;
  fill(element: unknown): void;
}

/** Returns fresh parts whose elements `fill` stores. If `fill` throws, the buffer is freed. */
function filled(
  dtype: DType,
  shape: ShapeLike,
  options: AllocationOptions,
  fill: (flat: FlatStore, count: number, buffer: TensorBuffer) => void,
): TensorParts {
  const parts = allocateFilledParts(dtype, shape, options);
  const count = parts.shape.numElements;
  if (count === 0) return parts;
  let done = false;
  try {
    fill(viewOfLength(parts.shape.dataType, parts.buffer, count) as unknown as FlatStore, count, parts.buffer!);
    done = true;
  } finally {
    if (!done) parts.buffer?.unref();
  }
  return parts;
}

/** Returns the given shape, after checking that it has `count` elements; the input's own sizes if none is given. */
function shapeFor(count: number, given: ShapeLike | undefined, own: readonly number[]): ShapeLike {
  if (given === undefined) return own;
  checkObject(given, "a shape or an array of sizes");
  const held = "numElements" in given ? given.numElements : countOfSizes(given);
  if (held !== count)
    throw new InvalidArgumentError(
      `shape [${sizesOf(given).join(",")}] has ${held} elements, the input has ${count} (${held} vs. ${count})`,
    );
  return given;
}

/** Returns the sizes of a shape. */
function sizesOf(shape: ShapeLike): readonly number[] {
  return "dimSizes" in shape ? shape.dimSizes : shape;
}

/** Returns fresh parts with the raw elements of a typed array of the dtype's own kind, copied unchanged. */
function copiedParts(source: ArrayBufferView, dtype: RawDType, shape: ShapeLike, options: AllocationOptions): TensorParts {
  if (isMemoryGone(source.buffer, source.byteOffset + source.byteLength))
    throw new FailedPreconditionError("the array to be copied is detached");
  const bytes = new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (dtype === "bool") {
    const bad = bytes.findIndex((byte) => byte > 1);
    if (bad >= 0) throw new InvalidArgumentError(`[${bad}] is ${String(bytes[bad])}, a bool element must be 0 or 1`);
  }
  const parts = allocateFilledParts(dtype, shape, options);
  parts.buffer?.bytes().set(bytes);
  countCopied(bytes.byteLength);
  return parts;
}

/** Returns true if an array of this kind stores the raw elements of the dtype: a Uint16Array stores those of bfloat16. */
function storesRaw(kind: string, dtype: DType): dtype is RawDType {
  if (isObjectDType(dtype)) return false;
  if (kind === "Uint8ClampedArray" && dtype === "uint8") return true;
  if (kind === "Float16Array" && dtype === "float16") return true;
  return (typedArrayConstructor(dtype) as unknown as { readonly name: string }).name === kind;
}

/** Tensor.from: copies a scalar, nested arrays or a typed array. */
export function partsFrom(
  input: unknown,
  options: AllocationOptions & { readonly dtype?: DType; readonly shape?: ShapeLike },
): TensorParts {
  const { dtype, shape } = options;
  if (dtype !== undefined) dataTypeOf(dtype);
  const kind = arrayKind(input);
  const value = kind === "" ? input : plainTypedArray(input as TypedRow);
  if (kind !== "" && dtype !== "string") {
    const row = value as TypedRow;
    const target = dtype ?? dtypeOfArray(row);
    if (storesRaw(kind, target)) {
      const slots = target === "complex64" || target === "complex128" ? 2 : 1;
      if (row.length % slots !== 0) throw new InvalidArgumentError(`${row.length} numbers are not pairs of a real and an imaginary part`);
      const count = row.length / slots;
      return copiedParts(row, target, shapeFor(count, shape, [count]), options);
    }
  }
  const form = formOfNested(value, dtype);
  const count = countOfSizes(form.dims);
  const parts = filled(form.dtype, shapeFor(count, shape, form.dims), options, (flat) => {
    forEachNested(value, form, (index, element) => flat.set(index, element));
  });
  countCopied(count * elementSizeOf(form.dtype));
  return parts;
}

/** The sizes of elements in bytes. */
const kSizes: readonly number[] = [1, 2, 4, 8, 16];

/** Tensor.wrap: the memory stays the caller's. Copies: never. */
export function partsOver(
  source: ForeignMemory,
  shape: ShapeLike | undefined,
  options: { readonly dtype?: DType; readonly release?: (source: ForeignMemory) => void },
): TensorParts {
  const { dtype, release } = options;
  const isView = ArrayBuffer.isView(source);
  if (!isView && !isMemory(source))
    throw new InvalidArgumentError(`expected a typed array, DataView, ArrayBuffer or SharedArrayBuffer, got ${shownValue(source)}`);
  if (typeof shape === "object" && shape !== null && !Array.isArray(shape) && !("dimSizes" in shape))
    throw new InvalidArgumentError(
      "Tensor.wrap: the second argument is the sizes, as in Tensor.wrap(memory, [2, 3], options), got an object",
    );
  const type = dtype ?? dtypeOfArray(source);
  const dataType = dataTypeOf(type);
  if (isObjectDType(type)) throw new InvalidArgumentError(`elements of ${type} are not bytes and cannot be wrapped`);
  const size = elementSizeOf(type);
  const { byteLength } = placeOf(source);
  const count = byteLength / size;
  if (shape === undefined && !Number.isInteger(count))
    throw new InvalidArgumentError(`${byteLength} bytes are not a whole number of ${type} elements of ${size} bytes`);
  const sealed = TensorShape.sealed(shape ?? [count], dataType);
  if (sealed.numElements * size !== byteLength) {
    throw new InvalidArgumentError(
      `wrap: shape ${sealed.debugString()} of dtype "${type}" takes ${sealed.numElements * size} bytes, the memory has ${byteLength} (${sealed.numElements * size} vs. ${byteLength})` +
        (kSizes.includes(byteLength / sealed.numElements)
          ? `; the third argument names another dtype: { dtype: "uint8" }`
          : `, which are ${Math.floor(count)} elements`),
    );
  }
  return {
    shape: sealed,
    buffer: new ForeignBuffer(source, typeof release === "function" && !isClass(release) ? release.bind(options) : (release ?? null)),
  };
}

/** Tensor.full: all elements the same; every element of a variant or resource tensor is a separate copy. */
export function partsFull(dtype: DType, shape: ShapeLike, value: unknown, options: AllocationOptions): TensorParts {
  const element = acceptElement(dtype, value);
  return filled(dtype, shape, options, (flat) => flat.fill(element));
}

/** Tensor.zeros: zero, false, the empty string, an empty variant or handle. */
export function partsZero(dtype: DType, shape: ShapeLike, options: AllocationOptions): TensorParts {
  const parts = allocateFilledParts(dtype, shape, options);
  const { buffer } = parts;
  if (buffer !== null && !isObjectDType(dtype)) fillBytes(buffer.bytes(), 0);
  return parts;
}

/** Returns the number one in the element type of a dtype. */
export function oneOf(dtype: DType): unknown {
  if (dtype === "bool") return true;
  return dtype === "int64" || dtype === "uint64" ? 1n : 1;
}

/** The dtypes of which a number is stored as one slot of a typed array of numbers. */
const kPlainNumbers: ReadonlySet<DType> = new Set<DType>(["float32", "float64", "int8", "int16", "int32", "uint8", "uint16", "uint32"]);

/**
 * Returns fresh parts of numbers, which integer dtypes truncate toward zero. `value` returns them in order. Throws INVALID_ARGUMENT naming the
 * index of a number that the dtype cannot hold.
 */
function ofNumbers(dtype: DType, shape: ShapeLike, options: AllocationOptions, value: (index: number) => number): TensorParts {
  if (!kPlainNumbers.has(dtype)) {
    return filled(dtype, shape, options, (flat, count) => {
      for (let i = 0; i < count; i += 1) flat.set(i, fromNumber(dtype, value(i), i));
    });
  }
  const isRounded = isFloat(dtype);
  return filled(dtype, shape, options, (_, count, buffer) => {
    const bytes = buffer.bytes();
    const array = new (typedArrayConstructor(dtype as "float64"))(bytes.buffer as ArrayBuffer, bytes.byteOffset, count);
    for (let i = 0; i < count; i += 1) {
      const number = isRounded ? value(i) : Math.trunc(value(i));
      array[i] = number;
      // An integer out of the range has wrapped around.
      if (!isRounded && array[i] !== number) fromNumber(dtype, number, i);
    }
  });
}

/** Returns a number as an element of the dtype: truncated toward zero for integers, a bigint for 64-bit ones. */
function fromNumber(dtype: DType, value: number, index: number): unknown {
  if (isFloat(dtype)) return value;
  if (dtype === "int64" || dtype === "uint64") return acceptElement(dtype, BigInt(Math.trunc(value)), index);
  const whole = dtype.includes("int") ? Math.trunc(value) : value;
  return acceptElement(dtype, whole, index);
}

/** Throws INVALID_ARGUMENT, with the name of the argument, unless all are finite numbers. */
function checkFinite(call: string, values: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(values))
    if (!Number.isFinite(value)) {
      throw new InvalidArgumentError(`${call}: ${name} is a finite number, got ${shownValue(value)}`);
    }
}

/** Tensor.arange: `start, start + step, …` before `stop`. */
export function partsArange(dtype: DType, start: number, stop: number, step: number, options: AllocationOptions): TensorParts {
  checkFinite("arange", { start, stop, step });
  if (step === 0) throw new InvalidArgumentError("arange: the step must not be 0");
  const count = Math.max(0, Math.ceil((stop - start) / step));
  if (count > Number.MAX_SAFE_INTEGER)
    throw new InvalidArgumentError(`arange: ${count} elements from ${start} to ${stop} by ${step} are too many`);
  return ofNumbers(dtype, [count], options, (i) => start + i * step);
}

/** Throws INVALID_ARGUMENT unless the distance between two finite numbers is finite. */
function checkSpan(call: string, from: number, to: number): void {
  if (!Number.isFinite(to - from)) throw new InvalidArgumentError(`${call}: from ${from} to ${to} is a distance that is not finite`);
}

/** Tensor.linspace: `count` evenly spaced numbers from `start` to `stop`, which is included if `endpoint` is true. */
export function partsLinspace(
  dtype: DType,
  start: number,
  stop: number,
  count: number,
  endpoint: boolean,
  options: AllocationOptions,
): TensorParts {
  checkFinite("linspace", { count, start, stop });
  checkSpan("linspace", start, stop);
  const intervals = endpoint ? count - 1 : count;
  const step = intervals > 0 ? (stop - start) / intervals : 0;
  const last = endpoint && count > 1 ? count - 1 : -1;
  return ofNumbers(dtype, [count], options, (i) => (i === last ? stop : start + i * step));
}

/** Tensor.eye: ones on the main diagonal, zeros elsewhere. */
export function partsEye(dtype: DType, rows: number, columns: number, options: AllocationOptions): TensorParts {
  const one = acceptElement(dtype, oneOf(dtype));
  const parts = partsZero(dtype, [rows, columns], options);
  const count = parts.shape.numElements;
  if (count > 0) {
    const flat = viewOfLength(parts.shape.dataType, parts.buffer, count) as unknown as FlatStore;
    for (let i = 0; i < Math.min(rows, columns); i += 1) flat.set(i * columns + i, one);
  }
  return parts;
}

/** The most draws for one element whose values the dtype rounds out of the range; after that it becomes `low`, rounded. */
const kDraws = 64;

/**
 * Tensor.random: uniform numbers in [low, high), the same for the same seed; `low` itself if both are equal. Integer dtypes take
 * the integers of the range. Throws INVALID_ARGUMENT if the range contains none, and for integers without `high`.
 */
export function partsRandom(
  dtype: DType,
  shape: ShapeLike,
  options: AllocationOptions & { readonly seed?: number; readonly low?: number; readonly high?: number },
): TensorParts {
  dataTypeOf(dtype);
  const { low = 0, high = 1, seed = 0 } = options;
  const whole = dtype.includes("int");
  if (whole && options.high === undefined)
    throw new InvalidArgumentError(`random: integers need a bound that they stay below, such as { dtype: "${dtype}", high: 10 }`);
  checkFinite("random", { seed, low, high });
  checkSpan("random", low, high);
  if (!(low <= high)) throw new InvalidArgumentError(`random: low ${low} is above high ${high}`);
  const from = whole ? Math.ceil(low) : low;
  const to = whole ? Math.ceil(high) : high;
  if (whole && low < high && from === to) throw new InvalidArgumentError(`random: there is no integer in [${low}, ${high})`);
  const next = seededRandom(seed);
  const drawn = (): number => from + next() * (to - from);
  if (dtype === "bool") {
    return filled(dtype, shape, options, (flat, count) => {
      for (let i = 0; i < count; i += 1) flat.set(i, drawn() >= (low + high) / 2);
    });
  }
  const part = partDType(dtype);
  const stored = (value: number): number => (whole ? Math.floor(value) : part.includes("float") ? roundToFloat(part, value) : value);
  return ofNumbers(dtype, shape, options, () => {
    // The dtype may round a number just below `high` to `high`, in bfloat16 one of 512 numbers, and one near `low` below it.
    for (let draws = 0; draws < kDraws; draws += 1) {
      const value = stored(drawn());
      if (low === high || (value >= low && value < high)) return value;
    }
    return from;
  });
}

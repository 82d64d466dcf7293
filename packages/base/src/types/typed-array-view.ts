/**
 * What a typed array or DataView from outside really is: its kind, memory and lengths, read by the engine's own getters.
 *
 * A subclass, an own property or a toStringTag can make `array.length` and the class name say anything, and `instanceof` does
 * not know the arrays of other realms. The getters of %TypedArray%.prototype and DataView.prototype read the internal slots: they
 * run no foreign code, work across realms, and cannot be lied to. A Proxy of an array is no array for them.
 */
import { shownValue } from "../status/shown-value.ts";
import { FailedPreconditionError, InvalidArgumentError } from "../status/status-error.ts";

type Getter = (this: unknown) => unknown;

function getterOf(prototype: object, key: PropertyKey): Getter {
  return Object.getOwnPropertyDescriptor(prototype, key)?.get as Getter;
}

const kTypedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const kindGetter = getterOf(kTypedArray, Symbol.toStringTag);
const lengthGetter = getterOf(kTypedArray, "length");
const arrayGetters = [getterOf(kTypedArray, "buffer"), getterOf(kTypedArray, "byteOffset"), getterOf(kTypedArray, "byteLength")] as const;
const viewGetters = ["buffer", "byteOffset", "byteLength"].map((key) =>
  getterOf(DataView.prototype, key),
) as unknown as typeof arrayGetters;

/** Where a view of memory lies. */
export interface ViewPlace {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
}

/**
 * The class of typed array that a value is, of any realm, or `""` for anything else: a DataView, a Proxy, an array-like object.
 * Throws nothing and runs no foreign code.
 *
 * @example
 * [typedArrayKind(new Float32Array(2)), typedArrayKind([1])]; // => ["Float32Array", ""]
 */
export function typedArrayKind(value: unknown): string {
  return (kindGetter.call(value) as string | undefined) ?? "";
}

/**
 * The number of elements of a typed array, whatever its `length` says; 0 when its memory is detached.
 *
 * Throws INVALID_ARGUMENT for anything but a typed array.
 *
 * @example
 * class Boastful extends Float32Array {
 *   override get length(): number {
 *     return 1e9;
 *   }
 * }
 * typedArrayLength(new Boastful(2)); // => 2
 * typedArrayLength([1, 2]); // throws INVALID_ARGUMENT
 */
export function typedArrayLength(array: unknown): number {
  if (typedArrayKind(array) === "") throw new InvalidArgumentError(`Expected a typed array, got ${shownValue(array)}`);
  return lengthGetter.call(array) as number;
}

/**
 * The memory of a typed array or DataView and its place there, whatever its properties say. A detached view has no bytes.
 *
 * Throws INVALID_ARGUMENT for anything else.
 *
 * @example
 * const { byteOffset, byteLength } = viewPlace(new Uint8Array(8).subarray(2));
 * [byteOffset, byteLength]; // => [2, 6]
 */
export function viewPlace(view: unknown): ViewPlace {
  if (!ArrayBuffer.isView(view)) throw new InvalidArgumentError(`Expected a typed array or DataView, got ${shownValue(view)}`);
  const isArray = typedArrayKind(view) !== "";
  const [buffer, byteOffset, byteLength] = isArray ? arrayGetters : viewGetters;
  try {
    return {
      buffer: buffer.call(view) as ArrayBufferLike,
      byteOffset: byteOffset.call(view) as number,
      byteLength: byteLength.call(view) as number,
    };
  } catch {
    // A DataView, other than a typed array, throws when its memory is detached or too short.
    return { buffer: buffer.call(view) as ArrayBufferLike, byteOffset: 0, byteLength: 0 };
  }
}

/** The typed array classes of this realm by their kinds. */
const kClasses = new Map(
  [
    ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
    ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
  ].map((type) => [type.name, type as unknown as new (buffer: ArrayBufferLike, byteOffset: number, length: number) => ArrayBufferView]),
);

/**
 * A typed array as the plain array of its kind: itself if it is one, otherwise (of a subclass, with a `length` of its own, of
 * another realm) a plain view of the same memory, none of whose methods are foreign. Copies: never.
 *
 * Throws INVALID_ARGUMENT for anything but a typed array, FAILED_PRECONDITION for one whose memory is detached.
 *
 * @example
 * const array = new Float32Array(2);
 * plainTypedArray(array) === array; // => true
 */
export function plainTypedArray<A extends ArrayBufferView>(array: A): A {
  const type = kClasses.get(typedArrayKind(array));
  if (type === undefined) throw new InvalidArgumentError(`Expected a typed array, got ${shownValue(array)}`);
  const length = lengthGetter.call(array) as number;
  const isPlain = Object.getPrototypeOf(array) === type.prototype && !Object.hasOwn(array, "length") && !Object.hasOwn(array, "byteLength");
  if (isPlain && length > 0) return array;
  const { buffer, byteOffset } = viewPlace(array);
  try {
    // Only of detached memory no array of any length can be made.
    const view = new type(buffer, byteOffset, length) as A;
    return isPlain ? array : view;
  } catch {
    throw new FailedPreconditionError(`The memory of the ${typedArrayKind(array)} is detached`);
  }
}

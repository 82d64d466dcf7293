/**
 * Reads the true class, memory and length of a caller's typed array or DataView with the engine's own getters.
 *
 * A subclass, an own property or a toStringTag can give `array.length` and the class name any value, and `instanceof` is false for
 * arrays of other realms. The getters of %TypedArray%.prototype and DataView.prototype read the internal slots: they run none of the
 * caller's code, work across realms, and always return the true values. They do not accept a Proxy of an array.
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

/** The memory of a view, and the view's position in it. */
export interface ViewPlace {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly byteLength: number;
}

/**
 * Returns the name of a typed array's class, for arrays of any realm, or `""` for anything else: a DataView, a Proxy, an array-like
 * object. Never throws and runs none of the caller's code.
 *
 * @example
 * [typedArrayKind(new Float32Array(2)), typedArrayKind([1])]; // => ["Float32Array", ""]
 */
export function typedArrayKind(value: unknown): string {
  return (kindGetter.call(value) as string | undefined) ?? "";
}

/**
 * Returns the true number of elements of a typed array, even if its `length` differs; 0 if its memory is detached.
 *
 * Throws INVALID_ARGUMENT for anything but a typed array.
 *
 * @example
 * class LyingArray extends Float32Array {
 *   override get length(): number {
 *     return 1e9;
 *   }
 * }
 * typedArrayLength(new LyingArray(2)); // => 2
 * typedArrayLength([1, 2]); // throws INVALID_ARGUMENT
 */
export function typedArrayLength(array: unknown): number {
  if (typedArrayKind(array) === "") throw new InvalidArgumentError(`Expected a typed array, got ${shownValue(array)}`);
  return lengthGetter.call(array) as number;
}

/**
 * Returns the memory of a typed array or DataView and the view's true position in it, even if its properties differ. A detached view
 * has byteLength 0.
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
    // Unlike a typed array, a DataView throws if its memory is detached or too short.
    return { buffer: buffer.call(view) as ArrayBufferLike, byteOffset: 0, byteLength: 0 };
  }
}

/** The typed array classes of this realm by name. */
const kClasses = new Map(
  [
    ...[Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array],
    ...[Float32Array, Float64Array, BigInt64Array, BigUint64Array],
  ].map((type) => [type.name, type as unknown as new (buffer: ArrayBufferLike, byteOffset: number, length: number) => ArrayBufferView]),
);

/**
 * Returns a plain typed array over the same memory. Returns the array itself if it is plain; otherwise (a subclass, an array with its
 * own `length` property, an array of another realm) a new array of this realm's class. Never copies.
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
    // This throws only if the memory is detached.
    const view = new type(buffer, byteOffset, length) as A;
    return isPlain ? array : view;
  } catch {
    throw new FailedPreconditionError(`The memory of the ${typedArrayKind(array)} is detached`);
  }
}

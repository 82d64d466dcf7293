/**
 * Elements of string, resource and variant maps as they are stored: JavaScript values in a plain array (tstring,
 * ResourceHandle and Variant objects in TensorFlow's buffers).
 *
 *     values array --Symbol.for("onebuffer.objectLifecycle")--> { copy, destroy }
 *
 * Storing is C++'s assignment: the array keeps a COPY of the value, and the value it replaces ends. For strings that is
 * built in: an element is immutable bytes, text is stored as UTF-8, bytes are copied, and nothing needs to end. The
 * classes of resource and variant elements live on a higher floor; their arrays carry the two functions. An array
 * that carries none belongs to the caller: values are stored in it as they are.
 */
import type { ObjectDType } from "@onebuffer/base";
import { checkArray, checkInteger, FailedPreconditionError, plainTypedArray } from "@onebuffer/base";

/**
 * How the elements of an array of objects are copied in and ended.
 *
 * @example
 * const ended: unknown[] = [];
 * const lifecycle: ObjectLifecycle = { copy: (value) => value, destroy: (element) => ended.push(element) };
 * tensorMap("variant", withObjectLifecycle(["a"], lifecycle), [1]).set(0, "b" as never);
 * ended; // => ["a"]
 */
export interface ObjectLifecycle {
  /** A copy of `value` for the array to own. Throws INVALID_ARGUMENT when it is no such element. */
  copy(value: unknown): unknown;
  /** Ends an element that the array owned and no longer holds. */
  destroy(element: unknown): void;
}

/** Registered, so that two copies of this package understand each other. */
const kLifecycle = Symbol.for("onebuffer.objectLifecycle");

type Carrier = { [kLifecycle]?: ObjectLifecycle };

/**
 * Makes the array the owner of its elements: maps that write to it copy with `lifecycle.copy` and end what they
 * overwrite with `lifecycle.destroy`. Returns the array. Copies: never.
 *
 * @example
 * const lifecycle: ObjectLifecycle = { copy: (value) => value, destroy: () => {} };
 * objectLifecycleOf(withObjectLifecycle([], lifecycle)) === lifecycle; // => true
 */
export function withObjectLifecycle(array: unknown[], lifecycle: ObjectLifecycle): unknown[] {
  checkArray(array, "an array of elements");
  (array as Carrier)[kLifecycle] = lifecycle;
  return array;
}

/**
 * The lifecycle an array carries; null for an array of strings or of the caller's own.
 *
 * @example
 * objectLifecycleOf([]); // => null
 */
export function objectLifecycleOf(array: readonly unknown[]): ObjectLifecycle | null {
  return (array as Carrier | null | undefined)?.[kLifecycle] ?? null;
}

/** Encodes text; the part of the web platform's encoding interface used here; Node and every browser have it. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

const encoder = new TextEncoder();

/** The copy that an array with this lifecycle stores for a value that `isElementInput` has accepted. */
function copyOf(dtype: ObjectDType, lifecycle: ObjectLifecycle | null, value: unknown): unknown {
  if (dtype === "string") return typeof value === "string" ? encoder.encode(value) : new Uint8Array(plainTypedArray(value as Uint8Array));
  return lifecycle === null ? value : lifecycle.copy(value);
}

/** Stores a copy of an accepted value at a place inside the array; the element that stood there ends. */
export function storeObjectAt(array: unknown[], place: number, dtype: ObjectDType, value: unknown): void {
  const lifecycle = objectLifecycleOf(array);
  // First the copy, then the end: the value may be the very element it replaces, or be held by it.
  replaceElement(array, place, lifecycle, copyOf(dtype, lifecycle, value));
}

/**
 * Stores copies of `values` from place `start` on and ends what they replace. All copies are made before the first is
 * stored: when one cannot be copied, nothing has changed; and overlapping ranges are no matter. The values must be
 * elements of the dtype, the places lie in the array. Throws what the lifecycle throws. Copies: every value.
 *
 * @example
 * const array: unknown[] = [new Uint8Array(0), new Uint8Array(0)];
 * storeObjects(array, 1, "string", ["A"]);
 * array; // => [new Uint8Array(0), new Uint8Array([65])]
 */
export function storeObjects(array: unknown[], start: number, dtype: ObjectDType, values: readonly unknown[]): void {
  checkArray(array, "an array of elements");
  checkInteger(start, "a place");
  checkArray(values, "an array of values");
  let place = start;
  storeObjectsAt(array, () => place++, dtype, values);
}

/** As storeObjects, for places that need not follow each other: `nextPlace` is asked for each in turn. */
export function storeObjectsAt(array: unknown[], nextPlace: () => number, dtype: ObjectDType, values: readonly unknown[]): void {
  const lifecycle = objectLifecycleOf(array);
  const copies: unknown[] = [];
  let stored = 0;
  try {
    for (const value of values) copies.push(copyOf(dtype, lifecycle, value));
    while (stored < copies.length) replaceElement(array, nextPlace(), lifecycle, copies[stored++]);
  } finally {
    // After an error the copies that found no place end.
    for (; stored < copies.length; stored++) lifecycle?.destroy(copies[stored]);
  }
}

/** Puts a copy in its place and ends what stood there. */
function replaceElement(array: unknown[], place: number, lifecycle: ObjectLifecycle | null, copy: unknown): void {
  if (place >= array.length) {
    // Copying or ending ran foreign code, which freed the array.
    lifecycle?.destroy(copy);
    throw new FailedPreconditionError("the memory was freed while an element was being stored");
  }
  const old = array[place];
  array[place] = copy;
  lifecycle?.destroy(old);
}

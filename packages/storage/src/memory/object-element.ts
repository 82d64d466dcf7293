/**
 * Stores the elements of string, resource and variant maps, which are JavaScript values in a plain array (tstring, ResourceHandle and
 * Variant objects in TensorFlow's buffers).
 *
 *     values array --Symbol.for("onebuffer.objectLifecycle")--> { copy, destroy }
 *
 * Storing has the meaning of C++ assignment: the array keeps a COPY of the value and destroys the value it replaces. For strings this is
 * built in: text is stored as UTF-8, bytes are copied, and nothing needs destroying. The classes of resource and variant elements are in
 * the package `core`; the arrays it makes have an ObjectLifecycle with the two functions. An array without a lifecycle belongs to the
 * caller: values are stored in it as they are.
 */
import type { ObjectDType } from "@onebuffer/base";
import { checkArray, checkInteger, plainTypedArray } from "@onebuffer/base/internal";
import { FailedPreconditionError, OutOfRangeError } from "@onebuffer/base";
import { utf8Bytes } from "./utf8-bytes.ts";

/**
 * The functions that copy an element into an array of objects and that destroy an element of the array.
 *
 * @example
 * const ended: unknown[] = [];
 * const lifecycle: ObjectLifecycle = { copy: (value) => value, destroy: (element) => ended.push(element) };
 * tensorMap("variant", withObjectLifecycle(["a"], lifecycle) as never, [1]).set(0, "b" as never);
 * ended; // => ["a"]
 */
export interface ObjectLifecycle {
  /** Returns a copy of `value` for the array to own. Throws INVALID_ARGUMENT if `value` is not an element of the array's dtype. */
  copy(value: unknown): unknown;
  /** Destroys an element that the array owned and no longer holds. */
  destroy(element: unknown): void;
}

/**
 * The property under which an array stores its lifecycle. The symbol is registered globally, so that two copies of this package share it.
 */
const kLifecycle = Symbol.for("onebuffer.objectLifecycle");

type Carrier = { [kLifecycle]?: ObjectLifecycle };

/**
 * Makes the array the owner of its elements: maps copy what they store with `lifecycle.copy` and pass the elements they
 * overwrite to `lifecycle.destroy`. Returns the array. Copies: never.
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
 * Returns the lifecycle of an array, or null for an array of strings and for an array that belongs to the caller.
 *
 * @example
 * objectLifecycleOf([]); // => null
 */
export function objectLifecycleOf(array: readonly unknown[]): ObjectLifecycle | null {
  return (array as Carrier | null | undefined)?.[kLifecycle] ?? null;
}

/** Returns what an array with this lifecycle stores for `value`, which `isElementInput` has accepted. */
function copyOf(dtype: ObjectDType, lifecycle: ObjectLifecycle | null, value: unknown): unknown {
  if (dtype === "string") return typeof value === "string" ? utf8Bytes(value) : new Uint8Array(plainTypedArray(value as Uint8Array));
  return lifecycle === null ? value : lifecycle.copy(value);
}

/**
 * Stores a copy of `value` at index `place` of the array and destroys the element it replaces. `isElementInput` must have accepted the
 * value, and `place` must be inside the array. Throws what the lifecycle throws, and FAILED_PRECONDITION if the lifecycle freed the array.
 */
export function storeObjectAt(array: unknown[], place: number, dtype: ObjectDType, value: unknown): void {
  const lifecycle = objectLifecycleOf(array);
  // Copies before it destroys: the value may be the element it replaces, or be held by that element.
  replaceElement(array, place, lifecycle, copyOf(dtype, lifecycle, value));
}

/**
 * Stores copies of `values` from index `start` of the array on and destroys the elements they replace. All copies are made before the
 * first is stored, so the array is unchanged if one of them fails, and the values may come from the range they are stored in.
 * The values must be elements of the dtype.
 *
 * Throws what the lifecycle throws, OUT_OF_RANGE, with nothing done, if the range is not inside the array, and FAILED_PRECONDITION if the
 * lifecycle freed the array. Copies: every value.
 *
 * @example
 * const array: unknown[] = [new Uint8Array(0), new Uint8Array(0)];
 * storeObjects(array, 1, "string", ["A"]);
 * array; // => [new Uint8Array(0), new Uint8Array([65])]
 * storeObjects(array, 1, "string", ["A", "B"]); // throws OUT_OF_RANGE
 */
export function storeObjects(array: unknown[], start: number, dtype: ObjectDType, values: readonly unknown[]): void {
  checkArray(array, "an array of elements");
  checkInteger(start, "a start index");
  checkArray(values, "an array of values");
  if (start + values.length > array.length)
    throw new OutOfRangeError(`${values.length} values from index ${start} on do not fit an array of ${array.length} elements`);
  let place = start;
  storeObjectsAt(array, () => place++, dtype, values);
}

/** Like storeObjects, for indices that need not be consecutive: `nextPlace` returns the index of each value in turn. */
export function storeObjectsAt(array: unknown[], nextPlace: () => number, dtype: ObjectDType, values: readonly unknown[]): void {
  const lifecycle = objectLifecycleOf(array);
  const copies: unknown[] = [];
  let stored = 0;
  try {
    for (const value of values) copies.push(copyOf(dtype, lifecycle, value));
    while (stored < copies.length) replaceElement(array, nextPlace(), lifecycle, copies[stored++]);
  } finally {
    // After an error, destroys the copies that were not stored.
    for (; stored < copies.length; stored++) lifecycle?.destroy(copies[stored]);
  }
}

/** Stores `copy` at index `place` and destroys the element it replaces. */
function replaceElement(array: unknown[], place: number, lifecycle: ObjectLifecycle | null, copy: unknown): void {
  if (place >= array.length) {
    // The lifecycle's functions run code of other packages, which can free the array.
    lifecycle?.destroy(copy);
    throw new FailedPreconditionError("the memory was freed while an element was being stored");
  }
  const old = array[place];
  array[place] = copy;
  lifecycle?.destroy(old);
}

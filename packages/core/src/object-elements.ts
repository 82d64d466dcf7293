/**
 * object-elements: how elements that are JavaScript values come into being and end (the element constructors and
 * destructors that TypedAllocator and Buffer<T> run in tensorflow/core/framework).
 *
 * string is built in: an element starts as the empty byte string and ends without ceremony. What a variant or resource
 * starts as, and what it must give back, is told by the classes that define them, which register their
 * lifecycle here; so the memory half of this package knows nothing of them. The sizes are those of TensorFlow's C++
 * objects on a 64-bit machine, for they show in `size` and `totalBytes`.
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import type { ObjectDType } from "@onebuffer/base";

/**
 * What a buffer must know of the elements of an object dtype.
 *
 * @example
 * const lifecycle: ElementLifecycle = { size: 24, construct: () => new Uint8Array(0), destroy: () => {} };
 * lifecycle.size; // => 24
 */
export interface ElementLifecycle {
  /** Bytes one element counts for: `sizeof` of the C++ class. */
  readonly size: number;
  /** The element a new buffer holds at each place. */
  construct(): unknown;
  /** Ends an element: gives back what it holds. Called once per element when the buffer is freed. */
  destroy(element: unknown): void;
}

/**
 * `sizeof` of TensorFlow's element classes: `tstring` 24, `Variant` 64, and `ResourceHandle` 168 (four std::string of 32,
 * the hash 8, a vector 24 and the resource pointer 8; later fields of that class are not counted).
 *
 * @example
 * kObjectElementSize.string; // => 24
 */
export const kObjectElementSize: Readonly<Record<ObjectDType, number>> = { string: 24, variant: 64, resource: 168 };

/** As many elements as engines keep in one plain array; beyond, it turns into a hash table and filling it hangs. */
const kMaxObjectElements = 2 ** 25;

/** Elements are immutable byte strings, so one empty one serves all. */
const EMPTY = new Uint8Array(0);

const lifecycles: Record<ObjectDType, ElementLifecycle | null> = {
  string: { size: kObjectElementSize.string, construct: () => EMPTY, destroy: () => {} },
  variant: null,
  resource: null,
};

/**
 * Tells buffers how elements of `variant` or `resource` begin and end. Called once by the module that defines the
 * element's class. Throws FAILED_PRECONDITION when the dtype has a lifecycle, INVALID_ARGUMENT when the size
 * is not the dtype's in `kObjectElementSize`.
 *
 * @example
 * registerElementLifecycle("string", { size: 24, construct: () => null, destroy: () => {} }); // throws FAILED_PRECONDITION
 */
export function registerElementLifecycle(dtype: ObjectDType, lifecycle: ElementLifecycle): void {
  if (lifecycles[dtype] !== null) throw new FailedPreconditionError(`the lifecycle of ${dtype} elements is already registered`);
  if (lifecycle.size !== kObjectElementSize[dtype])
    throw new InvalidArgumentError(`${dtype} elements count ${kObjectElementSize[dtype]} bytes, got ${lifecycle.size}`);
  lifecycles[dtype] = lifecycle;
}

/**
 * The lifecycle of an object dtype's elements. Throws FAILED_PRECONDITION when none is registered.
 *
 * @example
 * elementLifecycle("string").size; // => 24
 */
export function elementLifecycle(dtype: ObjectDType): ElementLifecycle {
  const lifecycle = lifecycles[dtype];
  if (lifecycle === null) throw new FailedPreconditionError(`no lifecycle is registered for ${dtype} elements`);
  return lifecycle;
}

/** `count` fresh elements, or null when a plain array cannot hold so many. */
export function constructElements(dtype: ObjectDType, count: number): unknown[] | null {
  const lifecycle = elementLifecycle(dtype);
  if (count > kMaxObjectElements) return null;
  if (dtype === "string") return new Array<unknown>(count).fill(EMPTY);
  const elements: unknown[] = [];
  for (let i = 0; i < count; i++) elements.push(lifecycle.construct());
  return elements;
}

/** Ends every element, in order, and empties the array. One failing destructor does not spare the others. */
export function destroyElements(dtype: ObjectDType, elements: unknown[]): void {
  const lifecycle = elementLifecycle(dtype);
  let failed = false;
  let failure: unknown;
  if (dtype !== "string") {
    for (let i = 0; i < elements.length; i++) {
      try {
        lifecycle.destroy(elements[i]);
      } catch (error) {
        if (!failed) failure = error;
        failed = true;
      }
    }
  }
  elements.length = 0;
  if (failed) throw failure;
}

/**
 * object-elements: how elements that are JavaScript values come into being and end (the element constructors and
 * destructors that TypedAllocator and Buffer<T> run in tensorflow/core/framework).
 *
 * string is built in: an element starts as the empty byte string and ends without ceremony. What a variant or resource
 * starts as, and what it must give back, is told by the classes that define them, which register their
 * lifecycle here; so the memory half of this package knows nothing of them. The array of a buffer's elements carries the
 * lifecycle, and with it the rule of ownership: a buffer owns its elements, storing one copies it in and ends the one
 * before (C++'s assignment), the end of the buffer ends them all. The sizes are those of TensorFlow's C++
 * objects on a 64-bit machine, for they show in `size` and `totalBytes`.
 */
import type { ObjectDType } from "@onebuffer/base";
import {
  argumentError,
  checkObject,
  FailedPreconditionError,
  InvalidArgumentError,
  plainTypedArray,
  shownValue,
  typedArrayKind,
} from "@onebuffer/base";
import type { ObjectLifecycle } from "@onebuffer/eigen";
import { withObjectLifecycle } from "@onebuffer/eigen";

/**
 * What a buffer must know of the elements of an object dtype.
 *
 * @example
 * const lifecycle: ElementLifecycle = elementLifecycle("variant");
 * const original = new Variant(42, "int");
 * const copy = lifecycle.copy(original) as Variant;
 * lifecycle.destroy(original);
 * [original.isEmpty(), copy.get("int")]; // => [true, 42]
 * lifecycle.copy(42); // throws INVALID_ARGUMENT
 */
export interface ElementLifecycle extends ObjectLifecycle {
  /** Bytes one element counts for: `sizeof` of the C++ class. */
  readonly size: number;
  /** The element a new buffer holds at each place. */
  construct(): unknown;
  /** Whether a value is an element of the dtype. */
  isElement(value: unknown): boolean;
  /** C++'s copy constructor: an element for the buffer to own. Throws INVALID_ARGUMENT when `value` is no element. */
  copy(value: unknown): unknown;
  /** C++'s destructor: gives back what the element holds. Called once per element, when it is overwritten or the buffer freed. */
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

/** Whether a value is a byte string: a Uint8Array, of this realm or another. */
function isBytes(value: unknown): boolean {
  return typedArrayKind(value) === "Uint8Array";
}

/** Throws INVALID_ARGUMENT unless the value names a dtype of objects. */
function checkObjectDType(dtype: unknown): void {
  if (dtype !== "string" && dtype !== "variant" && dtype !== "resource") throw argumentError("string, variant or resource", dtype);
}

/** The value, if it is an element; INVALID_ARGUMENT naming it and the dtype otherwise. For a lifecycle's `copy`. */
export function checkedElement(dtype: ObjectDType, isElement: (value: unknown) => boolean, value: unknown): unknown {
  if (isElement(value)) return value;
  throw new InvalidArgumentError(`${shownValue(value)} is not an element of dtype ${dtype}`);
}

const lifecycles: Record<ObjectDType, ElementLifecycle | null> = {
  string: {
    size: kObjectElementSize.string,
    construct: () => EMPTY,
    isElement: isBytes,
    copy: (value) => new Uint8Array(plainTypedArray(checkedElement("string", isBytes, value) as Uint8Array)),
    destroy: () => {},
  },
  variant: null,
  resource: null,
};

/**
 * Tells buffers how elements of `variant` or `resource` begin and end. Called once by the module that defines the
 * element's class. Throws FAILED_PRECONDITION when the dtype has a lifecycle, INVALID_ARGUMENT when the size
 * is not the dtype's in `kObjectElementSize`.
 *
 * @example
 * registerElementLifecycle("string", elementLifecycle("string")); // throws FAILED_PRECONDITION
 */
export function registerElementLifecycle(dtype: ObjectDType, lifecycle: ElementLifecycle): void {
  checkObjectDType(dtype);
  checkObject(lifecycle, "a lifecycle");
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
  checkObjectDType(dtype);
  const lifecycle = lifecycles[dtype];
  if (lifecycle === null) throw new FailedPreconditionError(`no lifecycle is registered for ${dtype} elements`);
  return lifecycle;
}

/** The values array of a buffer, tied to the lifecycle of its elements. Strings need none: maps know how to store them. */
export function ownedElements(dtype: ObjectDType, elements: unknown[]): unknown[] {
  return dtype === "string" ? elements : withObjectLifecycle(elements, elementLifecycle(dtype));
}

/** `count` fresh elements, or null when a plain array cannot hold so many. */
export function constructElements(dtype: ObjectDType, count: number): unknown[] | null {
  const lifecycle = elementLifecycle(dtype);
  if (count > kMaxObjectElements) return null;
  if (dtype === "string") return new Array<unknown>(count).fill(EMPTY);
  const elements: unknown[] = [];
  for (let i = 0; i < count; i++) elements.push(lifecycle.construct());
  return ownedElements(dtype, elements);
}

/** How many buffers may end inside the end of another's elements before the rest waits its turn. */
const kMaxNestedEnds = 64;

let nestedEnds = 0;
const waiting: { readonly lifecycle: ElementLifecycle; readonly elements: unknown[] }[] = [];

/**
 * Ends every element, in order, and empties the array. One failing destructor does not spare the others; the first
 * error is thrown at the end.
 *
 * An element's end can end another buffer (a Variant that holds a tensor of Variants), and a long chain of those would
 * overflow the stack, as it does in C++. So below a certain depth elements wait until the outermost end has unwound;
 * they too are gone when that returns.
 */
export function destroyElements(dtype: ObjectDType, elements: unknown[]): void {
  const lifecycle = elementLifecycle(dtype);
  if (dtype === "string") {
    elements.length = 0;
    return;
  }
  if (nestedEnds >= kMaxNestedEnds) {
    waiting.push({ lifecycle, elements });
    return;
  }
  const failures: unknown[] = [];
  nestedEnds++;
  endAll(lifecycle, elements, failures);
  nestedEnds--;
  if (nestedEnds === 0) {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      nestedEnds++;
      endAll(next.lifecycle, next.elements, failures);
      nestedEnds--;
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Ends the elements of one array, empties it, and collects what the destructors throw. */
function endAll(lifecycle: ElementLifecycle, elements: unknown[], failures: unknown[]): void {
  for (const element of elements) {
    try {
      lifecycle.destroy(element);
    } catch (error) {
      failures.push(error);
    }
  }
  elements.length = 0;
}

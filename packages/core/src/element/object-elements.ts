/**
 * object-elements: constructs and destroys the elements of a buffer that are JavaScript values (in tensorflow/core/framework the element
 * constructors and destructors that TypedAllocator and Buffer<T> run).
 *
 * The array of a buffer's elements carries the lifecycle of its dtype (element-lifecycle.ts), and so the rule of ownership: a
 * buffer owns its elements; storing an element copies the new one and destroys the old one (C++'s assignment); freeing the buffer
 * destroys all of them.
 */
import type { ObjectDType } from "@onebuffer/base";
import { argumentError, plainTypedArray, typedArrayKind } from "@onebuffer/base/internal";
import { withObjectLifecycle } from "@onebuffer/storage/internal";
import type { ElementLifecycle } from "./element-lifecycle.ts";
import { checkedElement, kObjectElementSize } from "./element-lifecycle.ts";
import { resourceLifecycle } from "./resource-handle.ts";
import { variantLifecycle } from "./variant.ts";

/** The most elements that engines keep in a dense array. A larger array becomes a hash table, and filling it takes forever. */
const kMaxObjectElements = 2 ** 25;

/** The empty string element. Elements are immutable, so one object serves all. */
const kEmpty = new Uint8Array(0);

const stringLifecycle: ElementLifecycle = {
  size: kObjectElementSize.string,
  construct: () => kEmpty,
  isElement: isBytes,
  copy: (value) => new Uint8Array(plainTypedArray(checkedElement("string", isBytes, value) as Uint8Array)),
  destroy: () => {},
};

/**
 * Returns the lifecycle of an object dtype's elements. Throws INVALID_ARGUMENT for any other dtype.
 *
 * @example
 * elementLifecycle("string").size; // => 24
 */
export function elementLifecycle(dtype: ObjectDType): ElementLifecycle {
  checkObjectDType(dtype);
  if (dtype === "string") return stringLifecycle;
  return dtype === "variant" ? variantLifecycle : resourceLifecycle;
}

/** Attaches the dtype's lifecycle to a buffer's array of values and returns the array. Strings need none: maps know how to store them. */
export function ownedElements(dtype: ObjectDType, elements: unknown[]): unknown[] {
  return dtype === "string" ? elements : withObjectLifecycle(elements, elementLifecycle(dtype));
}

/** Returns an array of `count` new elements, or null if a dense array cannot hold that many. */
export function constructElements(dtype: ObjectDType, count: number): unknown[] | null {
  const lifecycle = elementLifecycle(dtype);
  if (count > kMaxObjectElements) return null;
  if (dtype === "string") return new Array<unknown>(count).fill(kEmpty);
  const elements: unknown[] = [];
  for (let i = 0; i < count; i++) elements.push(lifecycle.construct());
  return ownedElements(dtype, elements);
}

/** The maximum depth at which destroying an element may destroy another buffer; elements nested deeper wait in `waiting`. */
const kMaxNestedEnds = 64;

let nestedEnds = 0;
const waiting: { readonly lifecycle: ElementLifecycle; readonly elements: unknown[] }[] = [];

/**
 * Destroys every element, in order, and empties the array. If a destructor throws, the others still run, and the first
 * error is thrown at the end.
 *
 * Destroying an element can free another buffer (a Variant that holds a tensor of Variants). A long chain of these would overflow
 * the stack, as it does in C++. So from kMaxNestedEnds levels on, elements wait until the outermost call has unwound its stack; that
 * call destroys them before it returns.
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

/** Destroys the elements of one array, empties it, and adds the errors of the destructors to `failures`. */
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

/** Returns true if a value is a byte string: a Uint8Array of any realm. */
function isBytes(value: unknown): boolean {
  return typedArrayKind(value) === "Uint8Array";
}

/** Throws INVALID_ARGUMENT unless the value is the name of an object dtype. */
function checkObjectDType(dtype: unknown): void {
  if (dtype !== "string" && dtype !== "variant" && dtype !== "resource") throw argumentError("string, variant or resource", dtype);
}

/**
 * object-elements: how elements that are JavaScript values come into being and end (the element constructors and
 * destructors that TypedAllocator and Buffer<T> run in tensorflow/core/framework).
 *
 * The array of a buffer's elements carries the lifecycle of its dtype (element-lifecycle.ts), and with it the rule of ownership: a
 * buffer owns its elements, storing an element copies it in and ends the one before (C++'s assignment), and the end of the buffer ends
 * all of them.
 */
import type { ObjectDType } from "@onebuffer/base";
import { argumentError, plainTypedArray, typedArrayKind } from "@onebuffer/base";
import { withObjectLifecycle } from "@onebuffer/eigen";
import type { ElementLifecycle } from "./element-lifecycle.ts";
import { checkedElement, kObjectElementSize } from "./element-lifecycle.ts";
import { resourceLifecycle } from "./resource-handle.ts";
import { variantLifecycle } from "./variant.ts";

/** As many elements as engines keep in one plain array; beyond, it turns into a hash table and filling it hangs. */
const kMaxObjectElements = 2 ** 25;

/** Elements are immutable byte strings, so one empty one serves all. */
const kEmpty = new Uint8Array(0);

/** Whether a value is a byte string: a Uint8Array, of this realm or another. */
function isBytes(value: unknown): boolean {
  return typedArrayKind(value) === "Uint8Array";
}

/** Throws INVALID_ARGUMENT unless the value names a dtype of objects. */
function checkObjectDType(dtype: unknown): void {
  if (dtype !== "string" && dtype !== "variant" && dtype !== "resource") throw argumentError("string, variant or resource", dtype);
}

const stringLifecycle: ElementLifecycle = {
  size: kObjectElementSize.string,
  construct: () => kEmpty,
  isElement: isBytes,
  copy: (value) => new Uint8Array(plainTypedArray(checkedElement("string", isBytes, value) as Uint8Array)),
  destroy: () => {},
};

/**
 * The lifecycle of an object dtype's elements.
 *
 * @example
 * elementLifecycle("string").size; // => 24
 */
export function elementLifecycle(dtype: ObjectDType): ElementLifecycle {
  checkObjectDType(dtype);
  if (dtype === "string") return stringLifecycle;
  return dtype === "variant" ? variantLifecycle : resourceLifecycle;
}

/** The values array of a buffer, tied to the lifecycle of its elements. Strings need none: maps know how to store them. */
export function ownedElements(dtype: ObjectDType, elements: unknown[]): unknown[] {
  return dtype === "string" ? elements : withObjectLifecycle(elements, elementLifecycle(dtype));
}

/** `count` fresh elements, or null when a plain array cannot hold so many. */
export function constructElements(dtype: ObjectDType, count: number): unknown[] | null {
  const lifecycle = elementLifecycle(dtype);
  if (count > kMaxObjectElements) return null;
  if (dtype === "string") return new Array<unknown>(count).fill(kEmpty);
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

/**
 * ElementLifecycle: how a buffer constructs, copies and destroys elements that are JavaScript values (in C++ the constructors and
 * destructors of `tstring`, `Variant` and `ResourceHandle` in tensorflow/core/framework).
 *
 * The lifecycles of variants and resources are in variant.ts and resource-handle.ts; object-elements.ts has that of strings and
 * looks all three up. The sizes are those of TensorFlow's C++ objects on a 64-bit machine, because they are visible in `size` and
 * `totalBytes`.
 */
import type { ObjectDType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { ObjectLifecycle } from "@onebuffer/storage/internal";

/**
 * The operations that a buffer runs on the elements of an object dtype.
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
  /** The number of bytes that one element counts for: `sizeof` of the C++ class. */
  readonly size: number;
  /** C++'s default constructor: returns an element for a new buffer. */
  construct(): unknown;
  /** Returns true if the value is an element of the dtype. */
  isElement(value: unknown): boolean;
  /** C++'s copy constructor: returns a copy for the buffer to own. Throws INVALID_ARGUMENT if `value` is not an element. */
  copy(value: unknown): unknown;
  /** C++'s destructor: releases what the element holds. Called once per element, when it is overwritten or the buffer is freed. */
  destroy(element: unknown): void;
}

/**
 * `sizeof` of TensorFlow's element classes: `tstring` 24, `Variant` 64, and `ResourceHandle` 168 (four std::string of 32 bytes,
 * the hash 8, a vector 24 and the resource pointer 8; fields that were added to that class later are not counted).
 *
 * @example
 * kObjectElementSize.string; // => 24
 */
export const kObjectElementSize: Readonly<Record<ObjectDType, number>> = { string: 24, variant: 64, resource: 168 };

/** Returns the value if `isElement` is true for it; otherwise throws INVALID_ARGUMENT. For a lifecycle's `copy`. */
export function checkedElement(dtype: ObjectDType, isElement: (value: unknown) => boolean, value: unknown): unknown {
  if (isElement(value)) return value;
  throw new InvalidArgumentError(`${shownValue(value)} is not an element of dtype ${dtype}`);
}

/**
 * element-lifecycle: how an element that is a JavaScript value begins and ends (the constructors and destructors of `tstring`, `Variant`
 * and `ResourceHandle` in tensorflow/core/framework).
 *
 * Each class of elements has its lifecycle beside it: variant.ts and resource-handle.ts. object-elements.ts has the table of all three. The
 * sizes are those of TensorFlow's C++ objects on a 64-bit machine, because they show in `size` and `totalBytes`.
 */
import type { ObjectDType } from "@onebuffer/base";
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import type { ObjectLifecycle } from "@onebuffer/eigen";

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

/** The value, if it is an element; INVALID_ARGUMENT naming it and the dtype otherwise. For a lifecycle's `copy`. */
export function checkedElement(dtype: ObjectDType, isElement: (value: unknown) => boolean, value: unknown): unknown {
  if (isElement(value)) return value;
  throw new InvalidArgumentError(`${shownValue(value)} is not an element of dtype ${dtype}`);
}

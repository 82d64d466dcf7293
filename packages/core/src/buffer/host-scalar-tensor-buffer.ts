/**
 * HostScalarTensorBuffer: a buffer of one value, for `Tensor(value)` (tensorflow/core/framework/tensor.cc).
 *
 * TensorFlow puts the value and the buffer object into one heap allocation, without an Allocator. Here a raw value is in an
 * ArrayBuffer of exactly its size, and an object is kept as a JavaScript value. No Allocator is involved.
 */
import { elementCodec, isObjectDType } from "@onebuffer/base";
import type { DType, ElementInput, ObjectDType, RawDType } from "@onebuffer/base";
import { emptyAllocationDescription } from "@onebuffer/allocator";
import type { AllocationDescription } from "@onebuffer/allocator";
import { acceptElement } from "../element/nested-array.ts";
import { destroyElements, elementLifecycle, ownedElements } from "../element/object-elements.ts";
import { TensorBuffer } from "./tensor-buffer.ts";
import { elementSizeOf } from "./typed-allocator.ts";
import { encodeUtf8 } from "@onebuffer/storage/internal";
import { HeldMemory } from "./held-memory.ts";

/**
 * A buffer that holds exactly one value of `dtype`. Copies the value; the buffer owns the copy. Throws INVALID_ARGUMENT if the
 * dtype cannot hold the value.
 *
 * @example
 * const buffer = new HostScalarTensorBuffer("float32", 1.5);
 * buffer.typedArray("float32")?.[0]; // => 1.5
 * buffer.fillAllocationDescription().allocatorName; // => "HostScalarTensorBuffer"
 * buffer.getAllocatedBytes(); // => null
 * buffer.unref(); // => true
 */
export class HostScalarTensorBuffer<D extends DType = DType> extends TensorBuffer {
  /** The value's type. */
  readonly dtype: D;
  #values: unknown[] | null;

  constructor(dtype: D, value: ElementInput<D>) {
    const size = elementSizeOf(dtype);
    const element = acceptElement(dtype, value);
    // Everything that may throw comes before `super`, which counts the buffer as live.
    const object = isObjectDType(dtype) ? storedObject(dtype, element) : null;
    const memory = object === null ? new ArrayBuffer(size) : null;
    if (memory !== null) elementCodec(dtype as RawDType).write(new DataView(memory), 0, element as never);
    super(new HeldMemory(memory, null), 0, size, null);
    this.#values = object === null ? null : ownedElements(dtype as ObjectDType, object);
    this.dtype = dtype;
  }

  override get className(): string {
    return "HostScalarTensorBuffer";
  }

  /** An array of the one value of an object dtype; null for raw bytes and after the last `unref`. */
  override get elements(): unknown[] | null {
    return this.#values;
  }

  protected override get elementSize(): number {
    return elementSizeOf(this.dtype);
  }

  /** Describes the requested bytes, with this class's name as the allocator; allocatedBytes is never set. */
  override fillAllocationDescription(): AllocationDescription {
    const description = emptyAllocationDescription();
    description.requestedBytes = this.size;
    description.allocatorName = "HostScalarTensorBuffer";
    return description;
  }

  /** Destroys the value. */
  protected override destroy(): void {
    const values = this.#values;
    const { dtype } = this;
    this.#values = null;
    super.destroy();
    if (values !== null && isObjectDType(dtype)) destroyElements(dtype, values);
  }
}

/** Returns an array of the one element as the buffer stores it: a text as UTF-8 bytes, any other object as a copy. */
function storedObject(dtype: ObjectDType, element: unknown): unknown[] {
  return [dtype === "string" && typeof element === "string" ? encodeUtf8(element) : elementLifecycle(dtype).copy(element)];
}

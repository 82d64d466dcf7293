/**
 * HostScalarTensorBuffer: one value and its buffer, for `Tensor(value)` (tensorflow/core/framework/tensor.cc).
 *
 * TensorFlow puts the value and the buffer object into one allocation, past every Allocator; here the value has an
 * ArrayBuffer of its own size, or stands as a JavaScript value. No allocator is asked and none is named.
 */
import { elementCodec, isObjectDType } from "@onebuffer/base";
import type { DType, ElementInput, ObjectDType, RawDType } from "@onebuffer/base";
import { emptyAllocationDescription } from "@onebuffer/allocator";
import type { AllocationDescription } from "@onebuffer/allocator";
import { acceptElement } from "../element/nested-array.ts";
import { destroyElements, elementLifecycle, ownedElements } from "../element/object-elements.ts";
import { TensorBuffer } from "./tensor-buffer.ts";
import { elementSizeOf } from "./typed-allocator.ts";
import { encodeUtf8 } from "../element/utf8.ts";

/**
 * A buffer that holds exactly one value of `dtype`: a copy, which ends with the buffer. Throws INVALID_ARGUMENT for a value
 * that the dtype cannot hold. Copies: the value.
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
    super(memory, 0, size, null);
    this.#values = object === null ? null : ownedElements(dtype as ObjectDType, object);
    this.dtype = dtype;
  }

  /** The value of an object dtype in an array of one; null for raw bytes and after the end. */
  override get elements(): unknown[] | null {
    return this.#values;
  }

  protected override get elementSize(): number {
    return elementSizeOf(this.dtype);
  }

  /** Requested bytes and this class's name as allocator; never allocated bytes. */
  override fillAllocationDescription(): AllocationDescription {
    const description = emptyAllocationDescription();
    description.requestedBytes = this.size;
    description.allocatorName = "HostScalarTensorBuffer";
    return description;
  }

  /** Ends the value. */
  protected override destroy(): void {
    const values = this.#values;
    const { dtype } = this;
    this.#values = null;
    super.destroy();
    if (values !== null && isObjectDType(dtype)) destroyElements(dtype, values);
  }
}

/** The element as the buffer stores it, in an array of one: text as UTF-8 bytes, other objects as copies. */
function storedObject(dtype: ObjectDType, element: unknown): unknown[] {
  return [dtype === "string" && typeof element === "string" ? encodeUtf8(element) : elementLifecycle(dtype).copy(element)];
}

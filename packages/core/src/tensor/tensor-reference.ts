/**
 * TensorReference: one reference to a tensor's root buffer, without shape or dtype (tensorflow/core/framework/tensor_reference.h).
 *
 * It keeps bytes alive beyond the tensors over them, for example until a copy engine has read them. TensorFlow's class is a bare
 * pointer: copying it does not change the count and its destructor does not give the reference back. The JavaScript class behaves
 * the same way: assign it as often as you like, and call `unref()` once. The BufferLedger reports a forgotten one.
 */
import { argumentError, checkObject } from "@onebuffer/base/internal";
import { FailedPreconditionError } from "@onebuffer/base";
import type { AllocationDescription } from "@onebuffer/allocator";
import { enabledLedger } from "@onebuffer/allocator/internal";
import { emptyAllocationDescription } from "@onebuffer/allocator";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import { checkBuffer } from "../element/tensor-check.ts";

/** Anything that has a buffer, such as a Tensor; null if it holds none. */
export interface BufferHolder {
  readonly buffer: TensorBuffer | null;
}

/** Returns the buffer of a TensorReference. Throws INVALID_ARGUMENT for anything else. */
let bufferOf: (other: TensorReference) => TensorBuffer | null;

/**
 * One reference to the root buffer of a tensor (to nothing, if the tensor has no buffer).
 * A reference on the root buffer of a tensor (on nothing, if the tensor has no buffer).
 *
 * @example
 * const buffer = new Buffer("float32", cpuAllocator(), 4);
 * const reference = new TensorReference({ buffer });
 * buffer.refCount; // => 2
 * buffer.unref(); // => false
 * reference.unref();
 * buffer.refCount; // => 0
 * reference.unref(); // throws FAILED_PRECONDITION
 */
export class TensorReference {
  /** 1 while the reference is held, 0 after `unref`. */
  readonly refs: number = 1;
  readonly #buffer: TensorBuffer | null;

  /** Adds one reference to the root of the tensor's buffer. Throws FAILED_PRECONDITION if the root is destroyed. */
  constructor(tensor: BufferHolder) {
    checkObject(tensor, "a Tensor");
    if (tensor.buffer !== null) checkBuffer(tensor.buffer);
    const root = tensor.buffer === null ? null : tensor.buffer.rootBuffer;
    if (root !== null) root.ref();
    this.#buffer = root;
    enabledLedger.current?.noteMade(this, this.#name(), root);
  }

  /** Gives the reference back. Call it exactly once over all copies; a second call throws FAILED_PRECONDITION. */
  unref(): void {
    if (this.refs === 0) {
      enabledLedger.current?.noteMistake(this, "unref", this.#name());
      throw new FailedPreconditionError(`unref() on ${this.#name()} is refused: its reference was given back before`);
    }
    (this as { refs: number }).refs = 0;
    enabledLedger.current?.noteFreed(this);
    if (this.#buffer !== null) this.#buffer.unref();
  }

  /** Returns the root buffer's description of its allocation, empty if there is no buffer. Throws FAILED_PRECONDITION after `unref`. */
  fillDescription(): AllocationDescription {
    if (this.refs === 0) {
      enabledLedger.current?.noteMistake(this, "fillDescription", this.#name());
      throw new FailedPreconditionError(`fillDescription() of ${this.#name()} is refused: its reference was given back before`);
    }
    return this.#buffer === null ? emptyAllocationDescription() : this.#buffer.fillAllocationDescription();
  }

  /** Returns true if both refer to the same root buffer. As in TensorFlow, two references without a buffer do. */
  sharesBufferWith(other: TensorReference): boolean {
    return this.#buffer === bufferOf(other);
  }

  static {
    bufferOf = (other) => {
      if (typeof other !== "object" || other === null || !(#buffer in other)) throw argumentError("a TensorReference", other);
      return other.#buffer;
    };
  }

  #name(): string {
    return `TensorReference on ${this.#buffer === null ? "no buffer" : `${this.#buffer.className} of ${this.#buffer.size} bytes`}`;
  }
}

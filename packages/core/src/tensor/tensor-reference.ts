/**
 * TensorReference: one reference on a tensor's root buffer, without shape or dtype (tensorflow/core/framework/tensor_reference.h).
 *
 * Pins bytes past the life of tensors, for instance until a copy engine has read them. TensorFlow's class is a bare
 * pointer: copying it changes no count and its destructor gives nothing back. A JavaScript reference behaves just so:
 * assign it as often as you like, and call `unref()` once in all. A forgotten one is found by the BufferLedger.
 */
import { argumentError, checkObject, FailedPreconditionError } from "@onebuffer/base";
import type { AllocationDescription } from "@onebuffer/allocator";
import { bufferLedger, emptyAllocationDescription } from "@onebuffer/allocator";
import type { TensorBuffer } from "../buffer/tensor-buffer.ts";
import { checkBuffer } from "../element/tensor-check.ts";

/** Whatever has a buffer: a Tensor. Null when it holds none. */
export interface BufferHolder {
  readonly buffer: TensorBuffer | null;
}

/** What a TensorReference holds; INVALID_ARGUMENT for anything else. */
let bufferOf: (other: TensorReference) => TensorBuffer | null;

/**
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

  /** Adds one reference to the root of the tensor's buffer. Throws FAILED_PRECONDITION when that is destroyed. */
  constructor(tensor: BufferHolder) {
    checkObject(tensor, "a Tensor");
    if (tensor.buffer !== null) checkBuffer(tensor.buffer);
    const root = tensor.buffer === null ? null : tensor.buffer.rootBuffer;
    if (root !== null) root.ref();
    this.#buffer = root;
    if (bufferLedger.enabled) bufferLedger.noteMade(this, this.#name(), root);
  }

  /** Gives the reference back. To be called exactly once over all copies; again throws FAILED_PRECONDITION. */
  unref(): void {
    if (this.refs === 0) {
      if (bufferLedger.enabled) bufferLedger.noteMistake(this, "unref", this.#name());
      throw new FailedPreconditionError(`unref() on ${this.#name()} is refused: its reference was given back before`);
    }
    (this as { refs: number }).refs = 0;
    if (bufferLedger.enabled) bufferLedger.noteFreed(this);
    if (this.#buffer !== null) this.#buffer.unref();
  }

  /** The root buffer's description of its allocation; an empty one when there is no buffer. FAILED_PRECONDITION after `unref`. */
  fillDescription(): AllocationDescription {
    if (this.refs === 0) {
      if (bufferLedger.enabled) bufferLedger.noteMistake(this, "fillDescription", this.#name());
      throw new FailedPreconditionError(`fillDescription() of ${this.#name()} is refused: its reference was given back before`);
    }
    return this.#buffer === null ? emptyAllocationDescription() : this.#buffer.fillAllocationDescription();
  }

  /** Whether both refer to the same root buffer, as TensorFlow compares them; two without buffer do. */
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
    return `TensorReference on ${this.#buffer === null ? "no buffer" : `${this.#buffer.constructor.name} of ${this.#buffer.size} bytes`}`;
  }
}

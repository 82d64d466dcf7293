/**
 * ForeignBuffer: memory that somebody else owns, wrapped (as TF_NewTensor's TF_ManagedBuffer in tensorflow/c/tf_tensor.cc).
 *
 * The bytes of a typed array, DataView, ArrayBuffer or SharedArrayBuffer become a buffer without a copy; writes go both
 * ways. Whoever owns them is told through `release` when the last reference is gone, exactly once. Because the owner
 * may write at any time, such a buffer does not own its memory and is never reused in place.
 */
import type { ViewPlace } from "@onebuffer/base";
import { checkFunction, FailedPreconditionError, InvalidArgumentError, viewPlace } from "@onebuffer/base";
import { emptyAllocationDescription } from "@onebuffer/allocator";
import type { AllocationDescription } from "@onebuffer/allocator";
import { isMemoryGone } from "@onebuffer/allocator/internal";
import { TensorBuffer } from "./tensor-buffer.ts";

/** What a ForeignBuffer can wrap: any view, or a whole memory. */
export type ForeignMemory = ArrayBufferView<ArrayBufferLike> | ArrayBufferLike;

/**
 * A buffer over the bytes of `source`: all of a memory, exactly the window of a view.
 *
 * `release` is called once with `source` at the last `unref`; what it throws passes through that `unref`, after all counts
 * are settled. Throws INVALID_ARGUMENT when `source` is no memory, FAILED_PRECONDITION when it is detached. Copies: never.
 *
 * @example
 * const samples = new Int16Array([1, 2, 3, 4]);
 * let released = 0;
 * const buffer = new ForeignBuffer(samples.subarray(1), () => released++);
 * [buffer.size, buffer.byteOffset, buffer.ownsMemory()]; // => [6, 2, false]
 * buffer.unref(); // => true
 * released; // => 1
 */
export class ForeignBuffer extends TensorBuffer {
  readonly #source: ForeignMemory;
  readonly #release: ((source: ForeignMemory) => void) | null;

  constructor(source: ForeignMemory, release: ((source: ForeignMemory) => void) | null = null) {
    if (release !== null) checkFunction(release, "a function to be told of the end");
    if (!ArrayBuffer.isView(source) && !isMemory(source))
      throw new InvalidArgumentError(
        `expected a typed array, DataView, ArrayBuffer or SharedArrayBuffer, got ${Object.prototype.toString.call(source)}`,
      );
    const { buffer: memory, byteOffset, byteLength } = placeOf(source);
    if (isMemoryGone(memory, byteOffset + byteLength)) throw new FailedPreconditionError("the memory to be wrapped is detached");
    super(memory, byteOffset, byteLength, null);
    this.#source = source;
    this.#release = release;
  }

  /** False: the memory may change under the buffer. */
  override ownsMemory(): boolean {
    return false;
  }

  /** Size and address; the allocator is named "foreign". */
  override fillAllocationDescription(): AllocationDescription {
    const description = emptyAllocationDescription();
    description.requestedBytes = this.size;
    description.allocatorName = "foreign";
    description.ptr = this.byteOffset;
    return description;
  }

  /** Tells the owner, when everything else is done. */
  protected override destroy(): void {
    super.destroy();
    this.#release?.(this.#source);
  }
}

/** Where the bytes of a view or of a whole memory lie, whatever its properties say. */
export function placeOf(source: ForeignMemory): ViewPlace {
  return ArrayBuffer.isView(source) ? viewPlace(source) : { buffer: source, byteOffset: 0, byteLength: lengthOfMemory(source) };
}

/** The length of a whole memory, which is an ArrayBuffer, detached or not, or shared. */
function lengthOfMemory(memory: ArrayBufferLike): number {
  try {
    return byteLengthOf?.call(memory) as number;
  } catch {
    return new DataView(memory).byteLength;
  }
}

const byteLengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")?.get;

/**
 * Whether `source` really is an ArrayBuffer or SharedArrayBuffer, of any realm, detached or not: `instanceof` would deny
 * those of other realms, `Symbol.toStringTag` can be forged.
 */
export function isMemory(source: unknown): source is ArrayBufferLike {
  try {
    byteLengthOf?.call(source); // throws unless it is an ArrayBuffer
    return true;
  } catch {
    try {
      return new DataView(source as SharedArrayBuffer).byteLength >= 0; // throws unless it is shared memory
    } catch {
      return false;
    }
  }
}

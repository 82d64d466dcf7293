/**
 * ForeignBuffer: a buffer over memory that the caller owns (like TF_NewTensor's TF_ManagedBuffer in tensorflow/c/tf_tensor.cc).
 *
 * It wraps the bytes of a typed array, DataView, ArrayBuffer or SharedArrayBuffer without a copy: the tensor and the caller see
 * each other's writes. `release` is called exactly once, at the last `unref`. Because the caller may write at any time,
 * `ownsMemory` returns false, and operations never reuse the memory for their results.
 */
import type { ViewPlace } from "@onebuffer/base/internal";
import { checkCallback, viewPlace } from "@onebuffer/base/internal";
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { emptyAllocationDescription } from "@onebuffer/allocator";
import type { AllocationDescription } from "@onebuffer/allocator";
import { isMemoryGone } from "@onebuffer/allocator/internal";
import { TensorBuffer } from "./tensor-buffer.ts";
import { HeldMemory } from "./held-memory.ts";

/**
 * Memory that a ForeignBuffer can wrap: a typed array, a DataView, an ArrayBuffer or a SharedArrayBuffer.
 *
 * @example
 * const memories: ForeignMemory[] = [new Uint8Array(4), new ArrayBuffer(4), new DataView(new ArrayBuffer(8), 4)];
 * const tensors = memories.map((memory) => Tensor.wrap(memory, [1], { dtype: "int32" }));
 * tensors.map((tensor) => tensor.toArray()); // => [[0], [0], [0]]
 * for (const tensor of tensors) tensor.dispose();
 */
export type ForeignMemory = ArrayBufferView<ArrayBufferLike> | ArrayBufferLike;

/**
 * A buffer over the bytes of `source`: the bytes of a view, or the whole of an ArrayBuffer or SharedArrayBuffer.
 *
 * The last `unref` calls `release` once with `source`. If `release` throws, that `unref` throws the same error, after all counts are
 * updated. Throws INVALID_ARGUMENT if `source` is not memory or `release` is not a function, FAILED_PRECONDITION if the
 * memory is detached. Never copies.
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
    if (release !== null) checkCallback(release, "a release function");
    if (!ArrayBuffer.isView(source) && !isMemory(source))
      throw new InvalidArgumentError(
        `expected a typed array, DataView, ArrayBuffer or SharedArrayBuffer, got ${Object.prototype.toString.call(source)}`,
      );
    const { buffer: memory, byteOffset, byteLength } = placeOf(source);
    if (isMemoryGone(memory, byteOffset + byteLength)) throw new FailedPreconditionError("the memory to wrap is detached");
    super(new HeldMemory(memory, null), byteOffset, byteLength, null);
    this.#source = source;
    this.#release = release;
  }

  override get className(): string {
    return "ForeignBuffer";
  }

  /** Returns false: the caller owns the memory and may write to it at any time. */
  override ownsMemory(): boolean {
    return false;
  }

  /** Returns a description with the size, the byte offset as the address, and the allocator name "foreign". */
  override fillAllocationDescription(): AllocationDescription {
    const description = emptyAllocationDescription();
    description.requestedBytes = this.size;
    description.allocatorName = "foreign";
    description.ptr = this.byteOffset;
    return description;
  }

  /** Frees the buffer and then calls `release`, last, because `release` may throw. */
  protected override destroy(): void {
    super.destroy();
    this.#release?.(this.#source);
  }
}

/**
 * Returns the buffer, byte offset and byte length of a view, or of a whole ArrayBuffer or SharedArrayBuffer. Uses the built-in getters,
 * so properties that the caller defined on the object have no effect.
 */
export function placeOf(source: ForeignMemory): ViewPlace {
  return ArrayBuffer.isView(source) ? viewPlace(source) : { buffer: source, byteOffset: 0, byteLength: lengthOfMemory(source) };
}

/** Returns the byte length of an ArrayBuffer (detached or not) or a SharedArrayBuffer. */
function lengthOfMemory(memory: ArrayBufferLike): number {
  try {
    return byteLengthOf?.call(memory) as number;
  } catch {
    return new DataView(memory).byteLength;
  }
}

/** The built-in getter of ArrayBuffer's `byteLength`. It throws for a SharedArrayBuffer. */
const byteLengthOf = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "byteLength")?.get;

/**
 * Returns true if `source` really is an ArrayBuffer or SharedArrayBuffer, of any realm, detached or not. `instanceof` would reject
 * those of other realms, and `Symbol.toStringTag` can be forged.
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

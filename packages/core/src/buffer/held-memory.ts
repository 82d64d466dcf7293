/**
 * held-memory: where the bytes of a root buffer are.
 *
 *     Buffer --> HeldMemory { #memory: the arena's SharedArrayBuffer of 4 GiB, #pointer: { the same, the offset } } <-- SubBuffer
 *
 * The fields are private: what prints all fields of an object, as assertions of node:assert do when they fail, would otherwise print the bytes of
 * the whole memory. They are not fields of the buffers, because a slice takes a tenth longer with a private field.
 */
import type { Pointer } from "@onebuffer/allocator";

/** The memory of a root buffer and the pointer into it, if an allocator gave one. */
export class HeldMemory {
  readonly #memory: ArrayBufferLike | null;
  readonly #pointer: Pointer | null;

  constructor(memory: ArrayBufferLike | null, pointer: Pointer | null) {
    this.#memory = memory;
    this.#pointer = pointer;
  }

  /** Null if there are no bytes. */
  get memory(): ArrayBufferLike | null {
    return this.#memory;
  }

  /** Null if no allocator gave the memory. */
  get pointer(): Pointer | null {
    return this.#pointer;
  }
}

/** What a buffer holds after its last `unref`. */
export const noMemory: HeldMemory = /* @__PURE__ */ new HeldMemory(null, null);

/**
 * PointerMap: a map whose keys are Pointers (the `unordered_map<const void*, …>` of TensorFlow's allocators).
 *
 * Two pointers are equal if their memory and their offset are, so there is one map of offsets per memory. An entry keeps its memory
 * alive until it is deleted.
 */
import type { Pointer } from "./pointer.ts";
import { checkPointer } from "../refs/allocator-check.ts";

/** A map from Pointers to values. `get` and `delete` throw INVALID_ARGUMENT if the key is not a Pointer. */
export class PointerMap<V> {
  readonly #memories = new Map<ArrayBufferLike, Map<number, V>>();

  /** Returns the value for `pointer`, or undefined. */
  get(pointer: Pointer): V | undefined {
    checkPointer(pointer);
    return this.#memories.get(pointer.buffer)?.get(pointer.byteOffset);
  }

  /** Sets the value for `pointer`. */
  set(pointer: Pointer, value: V): void {
    let offsets = this.#memories.get(pointer.buffer);
    if (offsets === undefined) this.#memories.set(pointer.buffer, (offsets = new Map()));
    offsets.set(pointer.byteOffset, value);
  }

  /** Removes the value for `pointer`. Returns true if there was one. */
  delete(pointer: Pointer): boolean {
    checkPointer(pointer);
    const offsets = this.#memories.get(pointer.buffer);
    if (offsets === undefined || !offsets.delete(pointer.byteOffset)) return false;
    if (offsets.size === 0) this.#memories.delete(pointer.buffer);
    return true;
  }
}

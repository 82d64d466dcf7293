/**
 * PointerMap: a table keyed by Pointer value (the `unordered_map<const void*, …>` of TensorFlow's allocators).
 *
 * Pointers are equal when memory and offset are, so the table is one map per memory, held weakly by nothing: an entry
 * keeps its memory alive until it is deleted, as it should while the allocation lives.
 */
import type { Pointer } from "./pointer.ts";
import { checkPointer } from "../refs/allocator-check.ts";

/** A map from places in memory to values. */
export class PointerMap<V> {
  readonly #memories = new Map<ArrayBufferLike, Map<number, V>>();

  /** The value at `pointer`, or undefined. */
  get(pointer: Pointer): V | undefined {
    checkPointer(pointer);
    return this.#memories.get(pointer.buffer)?.get(pointer.byteOffset);
  }

  /** Sets the value at `pointer`. */
  set(pointer: Pointer, value: V): void {
    let offsets = this.#memories.get(pointer.buffer);
    if (offsets === undefined) this.#memories.set(pointer.buffer, (offsets = new Map()));
    offsets.set(pointer.byteOffset, value);
  }

  /** Removes the value at `pointer`; whether there was one. */
  delete(pointer: Pointer): boolean {
    checkPointer(pointer);
    const offsets = this.#memories.get(pointer.buffer);
    if (offsets === undefined || !offsets.delete(pointer.byteOffset)) return false;
    if (offsets.size === 0) this.#memories.delete(pointer.buffer);
    return true;
  }
}

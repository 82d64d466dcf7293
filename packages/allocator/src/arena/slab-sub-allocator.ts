/**
 * SlabSubAllocator: gives the arena of one thread its regions, which are whole slabs of the memory that all threads share (in
 * TensorFlow the SubAllocator below a device's BFCAllocator, one per device).
 *
 *     | page 0, control area |  slab 1: mine  |  slab 2: free  |  slab 3: theirs  |  slab 4: mine  | never touched ...
 *
 * The slab table records the owner of each slab, so any thread may claim a freed slab, and the slabs of a dead thread can be found
 * (packages/allocator/src/threads/slab-table.ts). In a memory of 4 GiB a slab is 32 MiB of address space; its pages come with use.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { AllocatorMemoryType, checkAllocationRequest } from "../allocator/allocator.ts";
import type { ArenaProtocol } from "../threads/arena-protocol.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { SubAllocation } from "../allocator/sub-allocator.ts";
import { SubAllocator } from "../allocator/sub-allocator.ts";

/** Sizes are multiples of this many bytes. */
const kGrain = 256;

/** A sub-allocator over the slabs of one thread. */
export class SlabSubAllocator extends SubAllocator {
  readonly #protocol: ArenaProtocol;
  readonly #buffer: ArrayBufferLike;
  readonly #slabBytes: number;
  /** The bytes that may still be allocated; negative after adopting much. In a Float64Array, because the number may be 2^32. */
  readonly #left: Float64Array;

  /** Makes a sub-allocator whose regions together have at most `limit` bytes. Of the last slab only a part may be used. */
  constructor(protocol: ArenaProtocol, buffer: ArrayBufferLike, limit: number) {
    super();
    this.#protocol = protocol;
    this.#buffer = buffer;
    this.#slabBytes = protocol.arena.layout.slabUnits * kGrain;
    this.#left = new Float64Array([Math.floor(limit / kGrain) * kGrain]);
  }

  /**
   * Allocates adjacent slabs for `numBytes` bytes. Returns null if there are none, the limit is exceeded, or `numBytes` is 0. The
   * bytes are not necessarily zero. Throws INVALID_ARGUMENT for an invalid alignment or size.
   */
  override alloc(alignment: number, numBytes: number): SubAllocation | null {
    checkAllocationRequest(alignment, numBytes);
    return this.#claim(numBytes, -1);
  }

  /** The same, but only the slabs beginning at `pointer`; returns null if no slab begins there. */
  override allocAt(pointer: Pointer, numBytes: number): SubAllocation | null {
    const first = pointer.byteOffset / this.#slabBytes;
    return pointer.buffer === this.#buffer && Number.isInteger(first) ? this.#claim(numBytes, first) : null;
  }

  /** Frees slabs, for any thread to claim. Throws INVALID_ARGUMENT if the pointer is not the start of a slab of this memory. */
  override free(pointer: Pointer, numBytes: number): void {
    const first = pointer.byteOffset / this.#slabBytes;
    if (pointer.buffer !== this.#buffer || !Number.isInteger(first))
      throw new InvalidArgumentError(`the pointer at offset ${pointer.byteOffset} is not the start of a slab of ${this.#slabBytes} bytes`);
    this.#left[0] = this.#left[0]! + numBytes;
    this.#protocol.freeSlabs(first, Math.ceil(numBytes / this.#slabBytes));
  }

  /** Counts `numBytes` bytes of slabs that this thread has adopted, so that they can be freed like its own. */
  countAdopted(numBytes: number): void {
    this.#left[0] = this.#left[0]! - numBytes;
  }

  /** Returns the size of a slab: each slab can be freed separately. */
  override pieceBytes(): number {
    return this.#slabBytes;
  }

  /** Returns true: adjacent slabs are adjacent in memory, so regions can be merged. */
  override supportsCoalescing(): boolean {
    return true;
  }

  /** Returns kHostPageable. */
  override getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kHostPageable;
  }

  /** Claims slabs for `numBytes` bytes, beginning with slab `at` unless it is -1. Returns null if that fails. */
  #claim(numBytes: number, at: number): SubAllocation | null {
    const left = this.#left[0]!;
    if (numBytes === 0 || numBytes > left) return null;
    const count = Math.ceil(numBytes / this.#slabBytes);
    const first = count > this.#protocol.arena.layout.slabs ? -1 : this.#protocol.claimSlabs(count, at);
    if (first < 0) return null;
    const bytesReceived = Math.min(count * this.#slabBytes, left);
    this.#left[0] = left - bytesReceived;
    return { pointer: { buffer: this.#buffer, byteOffset: first * this.#slabBytes }, bytesReceived };
  }
}

/**
 * SlabSubAllocator: regions for the arena of one thread, whole slabs of the memory that all threads share (its place in
 * TensorFlow: the SubAllocator below a device's BFCAllocator, one per device).
 *
 *     | page 0, control area |  slab 1: mine  |  slab 2: free  |  slab 3: theirs  |  slab 4: mine  | never touched ...
 *
 * Whose a slab is stands in the slab table, so a slab given back may be taken by any thread, and those of a dead thread can be
 * found (arena-protocol.ts). A slab is 32 MiB of 4 GiB: address space, not pages.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { AllocatorMemoryType, checkAllocationRequest } from "../allocator/allocator.ts";
import type { ArenaProtocol } from "../threads/arena-protocol.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { SubAllocation } from "../allocator/sub-allocator.ts";
import { SubAllocator } from "../allocator/sub-allocator.ts";

/** The grain of regions. */
const kGrain = 256;

/** A sub-allocator over the slabs of one thread. */
export class SlabSubAllocator extends SubAllocator {
  readonly #protocol: ArenaProtocol;
  readonly #buffer: ArrayBufferLike;
  readonly #slabBytes: number;
  /** Bytes that may still be handed out, below 0 after much was taken over; a double, for it may be 2^32. */
  readonly #left: Float64Array;

  /** `limit` bytes at most, all regions together: the last slab is handed out in part if need be. */
  constructor(protocol: ArenaProtocol, buffer: ArrayBufferLike, limit: number) {
    super();
    this.#protocol = protocol;
    this.#buffer = buffer;
    this.#slabBytes = protocol.arena.layout.slabUnits * kGrain;
    this.#left = new Float64Array([Math.floor(limit / kGrain) * kGrain]);
  }

  /**
   * The slabs that `numBytes` bytes need, in a row, or null when there is no such row or it would go beyond the limit. The
   * bytes are not promised to be zero. Throws INVALID_ARGUMENT for a bad alignment or size; 0 bytes are null.
   */
  override alloc(alignment: number, numBytes: number): SubAllocation | null {
    checkAllocationRequest(alignment, numBytes);
    return this.#claim(numBytes, -1);
  }

  /** The same, only from the slab on that starts at `pointer`; null where none starts there. */
  override allocAt(pointer: Pointer, numBytes: number): SubAllocation | null {
    const first = pointer.byteOffset / this.#slabBytes;
    return pointer.buffer === this.#buffer && Number.isInteger(first) ? this.#claim(numBytes, first) : null;
  }

  /** Gives slabs back, for any thread to take. Throws INVALID_ARGUMENT for a pointer to no slab of this memory. */
  override free(pointer: Pointer, numBytes: number): void {
    const first = pointer.byteOffset / this.#slabBytes;
    if (pointer.buffer !== this.#buffer || !Number.isInteger(first))
      throw new InvalidArgumentError(`the pointer at offset ${pointer.byteOffset} is not the start of a slab of ${this.#slabBytes} bytes`);
    this.#left[0] = this.#left[0]! + numBytes;
    this.#protocol.freeSlabs(first, Math.ceil(numBytes / this.#slabBytes));
  }

  /** Counts `numBytes` bytes of slabs that this thread has taken over, so that they may be given back like its own. */
  countAdopted(numBytes: number): void {
    this.#left[0] = this.#left[0]! - numBytes;
  }

  /** A slab: any of them may be given back by itself. */
  override pieceBytes(): number {
    return this.#slabBytes;
  }

  /** True: slabs that follow each other are memory that follows each other. */
  override supportsCoalescing(): boolean {
    return true;
  }

  /** Host pageable. */
  override getMemoryType(): AllocatorMemoryType {
    return AllocatorMemoryType.kHostPageable;
  }

  /** Slabs for `numBytes` bytes, beginning with slab `at` unless that is -1; null when there are none or the limit forbids it. */
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

/**
 * ArenaAllocator: a thread's BFCAllocator over its slabs of the memory that threads share (TensorFlow needs nothing like it:
 * there any thread allocates from and frees into the one allocator, under its lock).
 *
 * It takes up what other threads gave back before it hands anything out. What a dead thread left becomes part of it as far as
 * it is in use; a slab without anything in use is free for all threads, at once or as soon as the last chunk has come back.
 */
import type { AllocationAttributes } from "../allocator/allocation-attributes.ts";
import type { ArenaProtocol } from "../threads/arena-protocol.ts";
import type { BFCAllocatorOptions } from "../bfc/bfc-options.ts";
import { BFCAllocator } from "../bfc/bfc-allocator.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { ReapedRegion } from "../threads/reaping.ts";
import { SlabSubAllocator } from "./slab-sub-allocator.ts";

const kUnitBytes = 256;
/** A thread keeps so much free memory for itself; only beyond it are slabs given back, and then all that can be. */
const kKeptBytes = 256 * 1048576;

/** A BFCAllocator whose memory may come back from other threads, and goes to them when this one has much of it free. */
export class ArenaAllocator extends BFCAllocator {
  readonly #protocol: ArenaProtocol;
  readonly #buffer: ArrayBufferLike;
  readonly #slabs: SlabSubAllocator;
  /** Where regions start that were a dead thread's. */
  #adopted: number[] = [];
  /** Free bytes at which slabs are given back: doubles, as a count may be 2^32. */
  readonly #mark: Float64Array = new Float64Array([kKeptBytes]);

  /** Over the slabs of the thread of `protocol` in `buffer`, at most `limit` bytes. */
  constructor(protocol: ArenaProtocol, buffer: ArrayBufferLike, limit: number, name: string, options: BFCAllocatorOptions) {
    const slabs = new SlabSubAllocator(protocol, buffer, limit);
    super(slabs, limit, name, options);
    this.#protocol = protocol;
    this.#buffer = buffer;
    this.#slabs = slabs;
  }

  /** As BFCAllocator's. Looks first whether shared memory of this thread has come back: one load. */
  override allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null {
    if (this.#protocol.needsDrain) this.collectReturnedBlocks();
    return super.allocateRaw(alignment, numBytes, attributes);
  }

  /** As BFCAllocator's. Slabs without anything in use go back to where any thread may take them, once there is much of that. */
  override deallocateRaw(pointer: Pointer | null, alignment?: number, numBytes?: number): void {
    super.deallocateRaw(pointer, alignment, numBytes);
    if (this.freeBytes > this.#mark[0]!) this.giveSlabsBack();
  }

  /** Gives every slab without anything in use back, for any thread to take: how many bytes. Their pages stay resident. */
  giveSlabsBack(): number {
    const bytes = this.deallocateFreePieces(this.#protocol.arena.layout.slabUnits * kUnitBytes);
    // What could not be given back is in pieces: not to be looked at again before there is twice as much.
    this.#mark[0] = Math.max(kKeptBytes, 2 * this.freeBytes);
    return bytes;
  }

  /** Takes up what other threads have given back. */
  collectReturnedBlocks(): void {
    if (this.#protocol.needsDrain) this.#protocol.drain();
    if (this.#adopted.length !== 0)
      this.#adopted = this.#adopted.filter((byteOffset) => !this.deallocateRegionIfFree({ buffer: this.#buffer, byteOffset }));
  }

  /** Frees the block at `unit`, which came back. For the protocol. */
  reclaimUnit(unit: number): void {
    this.deallocateRaw({ buffer: this.#buffer, byteOffset: unit * kUnitBytes });
  }

  /** Makes slabs that a dead thread left part of this arena, as far as they are in use; the others are free for all. */
  adopt(regions: readonly ReapedRegion[]): void {
    const protocol = this.#protocol;
    const buffer = this.#buffer;
    const slabBytes = protocol.arena.layout.slabUnits * kUnitBytes;
    for (const { firstSlab, slabs, live } of regions) {
      let next = firstSlab;
      for (let i = 0; i < live.length; ) {
        // The run of slabs that this block and those that follow it without a free slab between lie in.
        const first = Math.floor((live[i]!.unit * kUnitBytes) / slabBytes);
        let end = first;
        const from = i;
        for (; i < live.length && Math.floor((live[i]!.unit * kUnitBytes) / slabBytes) <= end; i++)
          end = Math.max(end, Math.ceil((live[i]!.unit * kUnitBytes + live[i]!.bytes) / slabBytes));
        protocol.freeSlabs(next, first - next);
        const inUse = live.slice(from, i).map(({ unit, bytes }) => ({ byteOffset: unit * kUnitBytes, bytes }));
        const byteOffset = first * slabBytes;
        const numBytes = (end - first) * slabBytes;
        this.adoptRegion({ buffer, byteOffset }, numBytes, inUse);
        this.#slabs.countAdopted(numBytes);
        this.#adopted.push(byteOffset);
        next = end;
      }
      protocol.freeSlabs(next, firstSlab + slabs - next);
    }
  }
}

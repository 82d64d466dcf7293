/**
 * ArenaAllocator: a thread's BFCAllocator over its slabs of the memory that threads share (TensorFlow needs nothing like it:
 * there any thread allocates from and frees into the one allocator, under its lock).
 *
 * It takes up what other threads gave back before it hands anything out. What a dead thread left becomes part of it as far as
 * it is in use; a slab without anything in use is free for all threads, at once or as soon as the last chunk has come back.
 */
import type { AllocationAttributes } from "./allocation-attributes.ts";
import type { ArenaProtocol } from "./arena-protocol.ts";
import type { BFCAllocatorOptions } from "./bfc-allocator.ts";
import { BFCAllocator } from "./bfc-allocator.ts";
import type { Pointer } from "./pointer.ts";
import type { ReapedRegion } from "./reaping.ts";
import { SlabSubAllocator } from "./slab-sub-allocator.ts";

const kUnitBytes = 256;

/** A BFCAllocator whose memory may come back from other threads. */
export class ArenaAllocator extends BFCAllocator {
  private readonly protocol: ArenaProtocol;
  private readonly buffer: ArrayBufferLike;
  private readonly slabs: SlabSubAllocator;
  /** Where regions start that were a dead thread's. */
  private adopted: number[] = [];

  /** Over the slabs of the thread of `protocol` in `buffer`, at most `limit` bytes. */
  constructor(protocol: ArenaProtocol, buffer: ArrayBufferLike, limit: number, name: string, options: BFCAllocatorOptions) {
    const slabs = new SlabSubAllocator(protocol, buffer, limit);
    super(slabs, limit, name, options);
    this.protocol = protocol;
    this.buffer = buffer;
    this.slabs = slabs;
  }

  /** As BFCAllocator's. Looks first whether shared memory of this thread has come back: one load. */
  override allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null {
    if (this.protocol.needsDrain) this.takeUpReturned();
    return super.allocateRaw(alignment, numBytes, attributes);
  }

  /** Takes up what other threads have given back. */
  takeUpReturned(): void {
    if (this.protocol.needsDrain) this.protocol.drain();
    if (this.adopted.length !== 0)
      this.adopted = this.adopted.filter((byteOffset) => !this.deallocateRegionIfFree({ buffer: this.buffer, byteOffset }));
  }

  /** Frees the block at `unit`, which came back. For the protocol. */
  reclaimUnit(unit: number): void {
    this.deallocateRaw({ buffer: this.buffer, byteOffset: unit * kUnitBytes });
  }

  /** Makes slabs that a dead thread left part of this arena, as far as they are in use; the others are free for all. */
  adopt(regions: readonly ReapedRegion[]): void {
    const { protocol, buffer } = this;
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
        this.slabs.countAdopted(numBytes);
        this.adopted.push(byteOffset);
        next = end;
      }
      protocol.freeSlabs(next, firstSlab + slabs - next);
    }
  }
}

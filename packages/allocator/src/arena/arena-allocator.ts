/**
 * ArenaAllocator: the BFCAllocator of one thread, over this thread's slabs of the memory that all threads share (no counterpart in
 * TensorFlow: there every thread uses one allocator under its lock).
 *
 * Before it allocates, it frees the blocks that other threads have returned. When a thread has ended, the survivor's ArenaAllocator
 * adopts those of its slabs that contain blocks in use; its other slabs become free for all threads at once. An adopted slab becomes
 * free for all threads when its last block is returned.
 */
import type { AllocationAttributes } from "../allocator/allocation-attributes.ts";
import { kUnitBytes } from "../threads/arena-layout.ts";
import type { ArenaProtocol } from "../threads/arena-protocol.ts";
import type { BFCAllocatorOptions } from "../bfc/bfc-options.ts";
import { BFCAllocator } from "../bfc/bfc-allocator.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { ReapedRegion } from "../threads/reaping.ts";
import { SlabSubAllocator } from "./slab-sub-allocator.ts";

/** A thread keeps up to this many free bytes (256 MiB) for itself. Beyond that it releases all slabs that are completely free. */
const kKeptBytes = 256 * 1048576;

/** A BFCAllocator whose blocks other threads may return, and which releases slabs to other threads when it has much free memory. */
export class ArenaAllocator extends BFCAllocator {
  readonly #protocol: ArenaProtocol;
  readonly #buffer: ArrayBufferLike;
  readonly #slabs: SlabSubAllocator;
  /** The byte offsets of regions adopted from dead threads. */
  #adopted: number[] = [];
  /** The number of free bytes above which slabs are released. In a Float64Array, because the number may be 2^32. */
  readonly #mark: Float64Array = new Float64Array([kKeptBytes]);

  /** Makes an allocator over the slabs in `buffer` of the thread of `protocol`, of at most `limit` bytes. */
  constructor(protocol: ArenaProtocol, buffer: ArrayBufferLike, limit: number, name: string, options: BFCAllocatorOptions) {
    const slabs = new SlabSubAllocator(protocol, buffer, limit);
    super(slabs, limit, name, options);
    this.#protocol = protocol;
    this.#buffer = buffer;
    this.#slabs = slabs;
  }

  /** As BFCAllocator's, but first frees the blocks that other threads have returned. The check for them costs one load. */
  override allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null {
    if (this.#protocol.needsDrain) this.collectReturnedBlocks();
    return super.allocateRaw(alignment, numBytes, attributes);
  }

  /** As BFCAllocator's. When there is much free memory, also releases the slabs without blocks in use, for any thread to claim. */
  override deallocateRaw(pointer: Pointer | null, alignment?: number, numBytes?: number): void {
    super.deallocateRaw(pointer, alignment, numBytes);
    if (this.freeBytes > this.#mark[0]!) this.giveSlabsBack();
  }

  /** Releases all slabs without blocks in use, for any thread to claim. Returns their bytes. Their pages stay resident. */
  giveSlabsBack(): number {
    const bytes = this.deallocateFreePieces(this.#protocol.arena.layout.slabUnits * kUnitBytes);
    // The free memory that remains is in partly used slabs: do not search again before there is twice as much.
    this.#mark[0] = Math.max(kKeptBytes, 2 * this.freeBytes);
    return bytes;
  }

  /** Frees the blocks that other threads have returned, and the adopted regions that have no blocks in use any more. */
  collectReturnedBlocks(): void {
    if (this.#protocol.needsDrain) this.#protocol.drain();
    if (this.#adopted.length !== 0)
      this.#adopted = this.#adopted.filter((byteOffset) => !this.deallocateRegionIfFree({ buffer: this.#buffer, byteOffset }));
  }

  /** Frees the returned block at `unit`. The protocol calls it. */
  reclaimUnit(unit: number): void {
    this.deallocateRaw({ buffer: this.#buffer, byteOffset: unit * kUnitBytes });
  }

  /** Adopts the slabs of a dead thread that contain blocks in use, and makes its other slabs free for all threads. */
  adopt(regions: readonly ReapedRegion[]): void {
    const protocol = this.#protocol;
    const buffer = this.#buffer;
    const slabBytes = protocol.arena.layout.slabUnits * kUnitBytes;
    for (const { firstSlab, slabs, live } of regions) {
      let next = firstSlab;
      for (let i = 0; i < live.length; ) {
        // The run of slabs that contains this block and all following ones up to the next free slab.
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

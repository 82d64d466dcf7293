/**
 * BfcArena: the chunks of an arena, and how they are split and merged (part of BFCAllocator in tsl/framework/bfc_allocator.cc).
 *
 *     region   [ in use | free            | in use | in use | free ]
 *     use      [ in use | in use | free   | in use | in use | free ]     the front is allocated, the tail stays free
 *     release  [ in use | free            | in use | in use | free ]     adjacent free chunks are merged
 *
 * This class has only the state of the memory. BFCAllocator (bfc-allocator.ts) keeps the statistics, and BfcGrowth (bfc-growth.ts)
 * takes and frees regions. Sizes and addresses are in units of 256 bytes (bfc-region.ts).
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { kMinAllocationSize } from "./bfc-bins.ts";
import { BfcChunks, kAddr, kDeleted, kFree, kInUse, kNext, kPrev, kRegion, kSize, kState } from "./bfc-chunks.ts";
import { BfcFreeTree } from "./bfc-free-tree.ts";
import { BfcHandleTable } from "./bfc-handle-table.ts";
import type { BfcRegion } from "./bfc-region.ts";
import { BfcRegions } from "./bfc-region.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { SubAllocation } from "../allocator/sub-allocator.ts";

// Local copies of imported constants, which engines inline: see bfc-free-tree.ts.
const SIZE = kSize;
const ADDR = kAddr;
const PREV = kPrev;
const NEXT = kNext;
const REGION = kRegion;
const STATE = kState;
const FREE = kFree;
const kUnit = kMinAllocationSize;

/** An allocation that was made before the arena adopted its region. */
export interface AdoptedAllocation {
  /** The offset of the allocation in the region's memory, a multiple of 256. */
  readonly byteOffset: number;
  /** The number of bytes requested. */
  readonly bytes: number;
}

/** The chunks of an arena, free and in use. */
export class BfcArena {
  /** The records of the chunks. */
  readonly chunks: BfcChunks = new BfcChunks();
  /** The regions that consist of these chunks. */
  readonly regions: BfcRegions = new BfcRegions();
  readonly #tree: BfcFreeTree = new BfcFreeTree(this.chunks);
  readonly #handles: BfcHandleTable = new BfcHandleTable();

  /**
   * Returns the smallest free chunk of at least `units` units, or 0. Among several it is the one at the lowest address. If `freedBefore`
   * is above 0, chunks with a later stamp are skipped.
   */
  find(units: number, freedBefore: number): number {
    let chunk = this.#tree.firstOfSize(units);
    if (freedBefore > 0) while (chunk !== 0 && this.chunks.freedAtCount(chunk) > freedBefore) chunk = this.#tree.after(chunk);
    return chunk;
  }

  /** Returns true if the table of handles has room for `use`; false if the engine has no memory for a larger one. */
  canUse(): boolean {
    return this.#handles.makeRoom();
  }

  /**
   * Takes `units` units from the front of a chunk that `find` returned, or the whole chunk if the remainder would be less than
   * `minRemainder` units. Returns the chunk, which the caller must mark as allocated (`chunks.use`).
   */
  use(found: number, units: number, freedBefore: number, minRemainder: number): number {
    const tree = this.#tree;
    const { chunks } = this;
    let { words } = chunks;
    let chunk = found;
    // If there is no record for a second chunk, the chunk is not split.
    if (words[found + SIZE]! - units >= minRemainder && chunks.makeRoom()) {
      // The tail keeps the record that is in the tree, because mostly its position in the tree does not change.
      chunk = chunks.take(words[found + ADDR]!, units, words[found + REGION]!);
      ({ words } = chunks);
      const before = words[found + PREV]!;
      words[chunk + PREV] = before;
      words[chunk + NEXT] = found;
      words[found + PREV] = chunk;
      if (before !== 0) words[before + NEXT] = chunk;
      else this.regions.get(words[chunk + REGION]!).firstChunk = chunk;
      tree.cutFront(found, units, freedBefore === 0);
    } else tree.remove(found);
    this.#handles.set(words[chunk + ADDR]!, chunk);
    return chunk;
  }

  /** Removes an allocated chunk from the handle table and sets its state. It is not in the tree of free chunks yet. */
  retire(chunk: number, state: number): void {
    const { words } = this.chunks;
    this.#handles.delete(words[chunk + ADDR]!);
    words[chunk + STATE] = state;
  }

  /** Frees a retired chunk and merges it with its free neighbors that have no stamp. */
  release(chunk: number): void {
    const tree = this.#tree;
    const { chunks } = this;
    const { words } = chunks;
    const before = words[chunk + PREV]!;
    const behind = words[chunk + NEXT]!;
    const size = words[chunk + SIZE]!;
    const joinsBefore = before !== 0 && words[before + STATE] === FREE && chunks.freedAtCount(before) === 0;
    const joinsBehind = behind !== 0 && words[behind + STATE] === FREE && chunks.freedAtCount(behind) === 0;
    if (joinsBefore) {
      let added = size;
      if (joinsBehind) {
        added += words[behind + SIZE]!;
        tree.remove(behind);
        this.#drop(behind);
      }
      this.#drop(chunk);
      tree.grow(before, words[before + SIZE]! + added, words[before + ADDR]!);
    } else if (joinsBehind) {
      this.#drop(chunk);
      tree.grow(behind, words[behind + SIZE]! + size, words[chunk + ADDR]!);
    } else {
      words[chunk + STATE] = FREE;
      tree.insert(chunk);
    }
  }

  /** Frees a retired chunk with a stamp. It is not merged with its neighbors until `join`. */
  releaseStamped(chunk: number, stamp: number): void {
    this.chunks.words[chunk + STATE] = FREE;
    this.chunks.setFreedAtCount(chunk, stamp);
    this.#tree.insert(chunk);
  }

  /**
   * Merges a free chunk with its free neighbors, the following ones first, and returns the merged chunk. Chunks with a stamp are merged
   * only with `ignoreStamps`; the merged chunk has the latest stamp. Quirk: TensorFlow merges one neighbor on each side, which
   * leaves adjacent free chunks when several stamps become safe at once.
   */
  join(chunk: number, ignoreStamps: boolean): number {
    const { chunks } = this;
    const { words } = chunks;
    if (!ignoreStamps && chunks.freedAtCount(chunk) > 0) return chunk;
    const mayJoin = (other: number): boolean =>
      other !== 0 && words[other + STATE] === FREE && (ignoreStamps || chunks.freedAtCount(other) === 0);
    let joined = chunk;
    while (mayJoin(words[joined + NEXT]!)) this.#absorb(joined, words[joined + NEXT]!);
    for (let before = words[joined + PREV]!; mayJoin(before); before = words[joined + PREV]!) {
      this.#absorb(before, joined);
      joined = before;
    }
    return joined;
  }

  /**
   * Adds a region as one free chunk. With `mayExtend` it extends a region that ends where it starts, and with `mayJoinNext` the
   * region that begins where it ends becomes part of it. The chunk is merged with free neighbors there. Returns false if the region is
   * too small for a chunk, or if a table has no room for it.
   */
  addRegion(given: SubAllocation, mayExtend: boolean, mayJoinNext: boolean): boolean {
    const { chunks } = this;
    if (!chunks.makeRoom()) return false;
    const ground = this.regions.add(given, mayExtend);
    if (ground === null) return false;
    const { region } = ground;
    // Search before `take`: the search may begin at a deleted record, which `take` may reuse for the new chunk.
    const last = ground.extended ? this.#lastChunk(region) : 0;
    const chunk = chunks.take(ground.start, ground.units, region.id);
    const { words } = chunks;
    if (last !== 0) {
      words[last + NEXT] = chunk;
      words[chunk + PREV] = last;
    } else region.firstChunk = chunk;
    if (mayJoinNext) this.#appendNext(region, chunk);
    this.#tree.insert(chunk);
    this.join(chunk, false);
    return true;
  }

  /**
   * Adds a region that contains the allocations `live`, in the order of their addresses, and free chunks between them. The first
   * allocation gets the id `firstId`. The region does not extend another one. Returns the number of units in use. Returns -1, with
   * nothing changed, if the region is too small for a chunk, or if a table has no room for it.
   */
  adoptRegion(given: SubAllocation, live: readonly AdoptedAllocation[], firstId: number): number {
    const { chunks } = this;
    if (!chunks.makeRoomFor(2 * live.length + 1) || !this.#handles.makeRoomFor(live.length)) return -1;
    const ground = this.regions.add(given, false);
    if (ground === null) return -1;
    const { region, start, units } = ground;
    let last = 0;
    const append = (addr: number, size: number): number => {
      const chunk = chunks.take(addr, size, region.id);
      chunks.words[chunk + PREV] = last;
      if (last === 0) region.firstChunk = chunk;
      else chunks.words[last + NEXT] = chunk;
      last = chunk;
      return chunk;
    };
    let top = start;
    let used = 0;
    for (const [i, { byteOffset, bytes }] of live.entries()) {
      const addr = start + (byteOffset - region.byteOffset(start)) / kUnit;
      const size = Math.ceil(bytes / kUnit);
      if (addr > top) this.#tree.insert(append(top, addr - top));
      const chunk = append(addr, size);
      chunks.use(chunk, bytes, firstId + i);
      this.#handles.set(addr, chunk);
      top = addr + size;
      used += size;
    }
    if (top < start + units) this.#tree.insert(append(top, start + units - top));
    return used;
  }

  /** Returns the size of the last chunk of a region if it is free and has no stamp; otherwise 0. */
  freeAtEnd(region: BfcRegion): number {
    const { chunks } = this;
    const last = this.#lastChunk(region);
    return chunks.words[last + STATE] === FREE && chunks.freedAtCount(last) === 0 ? chunks.words[last + SIZE]! : 0;
  }

  /** Returns true if every chunk of a region is free. */
  isFree(region: BfcRegion): boolean {
    const { words } = this.chunks;
    for (let chunk = region.firstChunk; chunk !== 0; chunk = words[chunk + NEXT]!) if (words[chunk + STATE] !== FREE) return false;
    return true;
  }

  /** Deletes a region with all its chunks. */
  removeRegion(region: BfcRegion): void {
    const { words } = this.chunks;
    for (let chunk = region.firstChunk; chunk !== 0; ) {
      const next = words[chunk + NEXT]!;
      const state = words[chunk + STATE]!;
      if (state === FREE) this.#tree.remove(chunk);
      else if (state === kInUse) this.#handles.delete(words[chunk + ADDR]!);
      this.chunks.give(chunk);
      chunk = next;
    }
    this.regions.remove(region);
  }

  /**
   * Removes the units from `from` to `to`, which are part of a free chunk without a stamp, from the arena. Returns false, with nothing
   * changed, if the table of records has no room.
   *
   *     [ in use | free .... from ======= to ... | in use ]  ->  [ in use | free .... ]           [ ... | in use ]
   */
  cutOut(chunk: number, from: number, to: number): boolean {
    const tree = this.#tree;
    const { chunks } = this;
    if (!chunks.makeRoom()) return false;
    const { words } = chunks;
    const start = words[chunk + ADDR]!;
    const end = start + words[chunk + SIZE]!;
    const before = words[chunk + PREV]!;
    let behind = words[chunk + NEXT]!;
    const tail = this.regions.cutOut(this.regions.get(words[chunk + REGION]!), from, to);
    tree.remove(chunk);
    if (to < end) {
      const remainder = chunks.take(to, end - to, 0);
      words[remainder + NEXT] = behind;
      if (behind !== 0) words[behind + PREV] = remainder;
      tree.insert(remainder);
      behind = remainder;
    }
    if (start < from) {
      words[chunk + SIZE] = from - start;
      words[chunk + NEXT] = 0;
      tree.insert(chunk);
    } else {
      if (before !== 0) words[before + NEXT] = 0;
      chunks.give(chunk);
    }
    if (tail === null) return true;
    tail.firstChunk = behind;
    words[behind + PREV] = 0;
    for (let moved = behind; moved !== 0; moved = words[moved + NEXT]!) words[moved + REGION] = tail.id;
    return true;
  }

  /** The size of the largest free chunk; 0 if there is none. */
  get largestFree(): number {
    const chunk = this.#tree.largest();
    return chunk === 0 ? 0 : this.chunks.words[chunk + SIZE]!;
  }

  /** Calls `visit` with every chunk, in order of address. `visit` must not change the arena. */
  forEach(visit: (chunk: number) => void): void {
    for (const region of this.regions.all) this.forEachOf(region, visit);
  }

  /** Calls `visit` with every chunk of one region, in order of address. */
  forEachOf(region: BfcRegion, visit: (chunk: number) => void): void {
    const { words } = this.chunks;
    for (let chunk = region.firstChunk; chunk !== 0; chunk = words[chunk + NEXT]!) visit(chunk);
  }

  /** Returns a new Pointer to the start of a chunk. */
  pointerTo(chunk: number): Pointer {
    const { words } = this.chunks;
    const region = this.regions.get(words[chunk + REGION]!);
    return { buffer: region.memory, byteOffset: region.byteOffset(words[chunk + ADDR]!) };
  }

  /** Returns the allocated chunk that starts at a pointer, or 0. */
  chunkIfAt(pointer: Pointer): number {
    const unit = this.regions.unitOf(pointer);
    return unit < 0 ? 0 : this.#handles.get(unit);
  }

  /**
   * Returns the allocated chunk that starts at a pointer. If there is none, throws INVALID_ARGUMENT or FAILED_PRECONDITION (see `#refuse`).
   */
  chunkAt(pointer: Pointer): number {
    return this.chunkIfAt(pointer) || this.#refuse(pointer);
  }

  /**
   * Throws the error for a pointer that is not the start of an allocation: INVALID_ARGUMENT if it cannot have been one,
   * FAILED_PRECONDITION if it may have been one before.
   */
  #refuse(pointer: Pointer): never {
    const { byteOffset } = pointer;
    const region = this.regions.containing(pointer);
    if (region === null) throw new InvalidArgumentError(`the pointer at offset ${byteOffset} lies in no region of the allocator`);
    const { words } = this.chunks;
    let chunk = region.firstChunk;
    while (region.byteOffset(words[chunk + ADDR]! + words[chunk + SIZE]!) <= byteOffset) chunk = words[chunk + NEXT]!;
    const start = region.byteOffset(words[chunk + ADDR]!);
    const bytes = words[chunk + SIZE]! * kUnit;
    if (words[chunk + STATE] === kInUse)
      throw new InvalidArgumentError(
        `the pointer at offset ${byteOffset} points inside the allocation of ${bytes} bytes at offset ${start}`,
      );
    if (!Number.isInteger(byteOffset / kUnit))
      throw new InvalidArgumentError(`the pointer at offset ${byteOffset} is not a multiple of ${kUnit}`);
    throw new FailedPreconditionError(
      `nothing is allocated at offset ${byteOffset}: it was freed already, or never allocated (${bytes} bytes from offset ${start} are free)`,
    );
  }

  /**
   * Returns the last chunk of a region. The search begins at the chunk that was last before, if its record is still a chunk of the
   * region. From the front it would take as many steps as the region has chunks.
   */
  #lastChunk(region: BfcRegion): number {
    const { words } = this.chunks;
    let chunk = region.lastKnownChunk;
    if (chunk === 0 || words[chunk + STATE] === kDeleted || words[chunk + REGION] !== region.id) chunk = region.firstChunk;
    while (words[chunk + NEXT] !== 0) chunk = words[chunk + NEXT]!;
    region.lastKnownChunk = chunk;
    return chunk;
  }

  /** Merges the region that begins where `region` ends, if there is one, into it. `last` is the last chunk of `region`. */
  #appendNext(region: BfcRegion, last: number): void {
    const next = this.regions.absorbNext(region);
    if (next === null) return;
    const { words } = this.chunks;
    words[last + NEXT] = next.firstChunk;
    words[next.firstChunk + PREV] = last;
    for (let chunk = next.firstChunk; chunk !== 0; chunk = words[chunk + NEXT]!) words[chunk + REGION] = region.id;
  }

  /** Merges the free chunk `behind` into the free chunk before it. */
  #absorb(chunk: number, behind: number): void {
    const tree = this.#tree;
    const { chunks } = this;
    const { words } = chunks;
    const stamp = Math.max(chunks.freedAtCount(chunk), chunks.freedAtCount(behind));
    tree.remove(behind);
    this.#drop(behind);
    tree.grow(chunk, words[chunk + SIZE]! + words[behind + SIZE]!, words[chunk + ADDR]!);
    chunks.setFreedAtCount(chunk, stamp);
  }

  /** Deletes a chunk that is not in the tree of free chunks, and links its neighbors to each other. */
  #drop(chunk: number): void {
    const { words } = this.chunks;
    const before = words[chunk + PREV]!;
    const behind = words[chunk + NEXT]!;
    if (behind !== 0) words[behind + PREV] = before;
    if (before !== 0) words[before + NEXT] = behind;
    else this.regions.get(words[chunk + REGION]!).firstChunk = behind;
    this.chunks.give(chunk);
  }
}

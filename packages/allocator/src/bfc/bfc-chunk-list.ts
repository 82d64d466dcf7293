/**
 * BfcArena: chunks and how they are cut and joined (the inner half of BFCAllocator, tsl/framework/bfc_allocator.cc).
 *
 *     region   [ in use | free            | in use | in use | free ]
 *     use      [ in use | in use | free   | in use | in use | free ]     the front goes out, the tail stays free
 *     release  [ in use | free            | in use | in use | free ]     two free chunks never touch
 *
 * What the arena may take, when it grows and what it counts is the allocator's business (bfc-allocator.ts); here is only the
 * state of the memory. Lengths and addresses are in units of 256 bytes (bfc-region.ts).
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

// The module's own, to be folded into its code: see bfc-free-tree.ts.
const SIZE = kSize;
const ADDR = kAddr;
const PREV = kPrev;
const NEXT = kNext;
const REGION = kRegion;
const STATE = kState;
const FREE = kFree;
const kUnit = kMinAllocationSize;

/** An allocation that was made before the arena took over its region. */
export interface AdoptedAllocation {
  /** Where it starts in the region's memory: a multiple of 256. */
  readonly byteOffset: number;
  /** What was asked for, in bytes. */
  readonly bytes: number;
}

/** The chunks of an arena, free and in use. */
export class BfcArena {
  /** The records. */
  readonly chunks: BfcChunks = new BfcChunks();
  /** The regions they lie in. */
  readonly regions: BfcRegions = new BfcRegions();
  readonly #tree: BfcFreeTree = new BfcFreeTree(this.chunks);
  readonly #handles: BfcHandleTable = new BfcHandleTable();

  /**
   * The smallest free chunk of at least `units`, of several the one at the lowest address, or 0. With `freedBefore` above 0 it
   * must not bear a later stamp.
   */
  find(units: number, freedBefore: number): number {
    let chunk = this.#tree.firstOfSize(units);
    if (freedBefore > 0) while (chunk !== 0 && this.chunks.freedAtCount(chunk) > freedBefore) chunk = this.#tree.after(chunk);
    return chunk;
  }

  /** Whether `use` will find the engine's memory it needs for its own books. */
  canUse(): boolean {
    return this.#handles.makeRoom();
  }

  /**
   * Takes `units` of a chunk that `find` found out of what is free, or all of it if fewer than `leastRest` units would be left over.
   * Returns the chunk, which the caller marks as handed out (`chunks.use`).
   */
  use(found: number, units: number, freedBefore: number, leastRest: number): number {
    const tree = this.#tree;
    const { chunks } = this;
    let { words } = chunks;
    let chunk = found;
    // Without a record for the second part the chunk goes out whole.
    if (words[found + SIZE]! - units >= leastRest && chunks.makeRoom()) {
      // The record that is in the tree stays for the tail, which mostly needs no other place there.
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

  /** Takes a chunk in use out of the books of what is handed out, in the given state; it is in no set then. */
  retire(chunk: number, state: number): void {
    const { words } = this.chunks;
    this.#handles.delete(words[chunk + ADDR]!);
    words[chunk + STATE] = state;
  }

  /** Makes a retired chunk free, as part of its free neighbours if it has any that bear no stamp. */
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

  /** Makes a retired chunk free but leaves it apart from its neighbours until `join`: it bears a stamp. */
  releaseStamped(chunk: number, stamp: number): void {
    this.chunks.words[chunk + STATE] = FREE;
    this.chunks.setFreedAtCount(chunk, stamp);
    this.#tree.insert(chunk);
  }

  /**
   * Joins a free chunk with its free neighbours, those behind first. Stamped ones join only with `ignoreStamps`, and the
   * latest stamp counts for all. Returns what the chunk became part of. Quirk: TensorFlow joins one neighbour on each side; when
   * several stamps have become safe at once that leaves free chunks side by side.
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
   * Turns a region into one free chunk. With `mayExtend` it lengthens a region that ends where it starts, and with `mayJoinNext` the
   * region that begins where it ends becomes part of it; the chunk joins free neighbors there. False when it is no ground.
   */
  addRegion(given: SubAllocation, mayExtend: boolean, mayJoinNext: boolean): boolean {
    const { chunks } = this;
    if (!chunks.makeRoom()) return false;
    const ground = this.regions.add(given, mayExtend);
    if (ground === null) return false;
    const { region } = ground;
    // Before there is a chunk that is not linked yet: its record may be the one that the search begins with.
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
   * Enters a region with allocations in it: as many chunks in use, in the order of their addresses, and free ones between them.
   * The first gets the number `firstId`. It lengthens no other region. Answers the units in use; -1, with nothing changed, when it is
   * no ground or the engine has no memory for the books.
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

  /** The length of the free chunk without a stamp that a region ends with; 0 when its last chunk is another. */
  freeAtEnd(region: BfcRegion): number {
    const { chunks } = this;
    const last = this.#lastChunk(region);
    return chunks.words[last + STATE] === FREE && chunks.freedAtCount(last) === 0 ? chunks.words[last + SIZE]! : 0;
  }

  /** Whether every chunk of a region is free. */
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
   * Takes the units from `from` to `to`, which lie in a free chunk without a stamp, out of the arena. False, and nothing is
   * changed, when the books have no room for it.
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
      const rest = chunks.take(to, end - to, 0);
      words[rest + NEXT] = behind;
      if (behind !== 0) words[behind + PREV] = rest;
      tree.insert(rest);
      behind = rest;
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

  /** The length of the largest free chunk. */
  get largestFree(): number {
    const chunk = this.#tree.largest();
    return chunk === 0 ? 0 : this.chunks.words[chunk + SIZE]!;
  }

  /** Calls `visit` with every chunk, in order of address. It must change nothing. */
  forEach(visit: (chunk: number) => void): void {
    for (const region of this.regions.all) this.forEachOf(region, visit);
  }

  /** The same with the chunks of one region. */
  forEachOf(region: BfcRegion, visit: (chunk: number) => void): void {
    const { words } = this.chunks;
    for (let chunk = region.firstChunk; chunk !== 0; chunk = words[chunk + NEXT]!) visit(chunk);
  }

  /** Where a chunk starts, as a fresh Pointer. */
  pointerTo(chunk: number): Pointer {
    const { words } = this.chunks;
    const region = this.regions.get(words[chunk + REGION]!);
    return { buffer: region.memory, byteOffset: region.byteOffset(words[chunk + ADDR]!) };
  }

  /** The chunk in use that starts at a pointer, or 0. */
  chunkIfAt(pointer: Pointer): number {
    const unit = this.regions.unitOf(pointer);
    return unit < 0 ? 0 : this.#handles.get(unit);
  }

  /** The same. Throws as `refuse` does if there is none. */
  chunkAt(pointer: Pointer): number {
    return this.chunkIfAt(pointer) || this.#refuse(pointer);
  }

  /**
   * Says what is wrong with a pointer that names no allocation: INVALID_ARGUMENT when it never can have, FAILED_PRECONDITION
   * when it may have once.
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
      throw new InvalidArgumentError(`the pointer at offset ${byteOffset} is no multiple of ${kUnit}`);
    throw new FailedPreconditionError(
      `nothing is allocated at offset ${byteOffset}: it was freed already, or never handed out (${bytes} bytes from offset ${start} are free)`,
    );
  }

  /**
   * The chunk at the end of a region. The walk begins at the one that was there last time, if that record is still a chunk of the
   * region: from the front it would take as many steps as the region has chunks.
   */
  #lastChunk(region: BfcRegion): number {
    const { words } = this.chunks;
    let chunk = region.lastKnownChunk;
    if (chunk === 0 || words[chunk + STATE] === kDeleted || words[chunk + REGION] !== region.id) chunk = region.firstChunk;
    while (words[chunk + NEXT] !== 0) chunk = words[chunk + NEXT]!;
    region.lastKnownChunk = chunk;
    return chunk;
  }

  /** Makes the region that begins where `region` ends, if there is one, a part of it. `last` is the chunk at the end of `region`. */
  #appendNext(region: BfcRegion, last: number): void {
    const next = this.regions.absorbNext(region);
    if (next === null) return;
    const { words } = this.chunks;
    words[last + NEXT] = next.firstChunk;
    words[next.firstChunk + PREV] = last;
    for (let chunk = next.firstChunk; chunk !== 0; chunk = words[chunk + NEXT]!) words[chunk + REGION] = region.id;
  }

  /** Appends a free chunk to the free one before it. */
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

  /** Deletes a chunk that is in no set; its neighbours become each other's. */
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

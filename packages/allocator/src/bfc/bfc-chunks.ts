/**
 * BfcChunks: the records of an arena's chunks (BFCAllocator::Chunk in tsl/framework/bfc_allocator.h).
 *
 *     word   0     1     2     3     4     5     6         7      8 9        10 11  12 13    14     15
 *           size  addr  prev  next  left  right priority  region requested  id     freedAt  state  unused
 *           | place and neighbours | place in the tree |         | as doubles              |
 *
 * A record is sixteen 32-bit words, one cache line; its handle is the index of its first word, so a field is
 * `words[chunk + kSize]`. The first two records are no chunks: handle 0 means "no chunk", and their words are the roots of the tree
 * of free ones. Sizes and addresses are in units of 256 bytes. Three fields are doubles, seen through a second array over
 * the same bytes. Records of deleted chunks form a list; the table doubles when it is full, and from then on `words` is
 * another array.
 */

/** Length in units. */
export const kSize = 0;
/** First unit, in the arena's address space (bfc-region.ts). */
export const kAddr = 1;
/** The chunk before it in the region, or 0. */
export const kPrev = 2;
/** The chunk behind it in the region, or 0; in deleted records the next deleted one. */
export const kNext = 3;
/** The subtree of smaller free chunks. */
export const kLeft = 4;
/** The subtree of larger free chunks. */
export const kRight = 5;
/** What orders parents above children. */
export const kPriority = 6;
/** The number of its region. */
export const kRegion = 7;
/** One of the chunk states. */
export const kState = 14;

/** Free, and in the tree unless the allocator is just at work on it. */
export const kFree = 0;
/** Handed out. */
export const kInUse = 1;
/** Given back, but held until nobody can write to it unnoticed (bfc-quarantine.ts). */
export const kQuarantined = 2;
/** No chunk any more: merged into a neighbour, or its region was given back. */
export const kDeleted = 3;

/** Given back, though the arena does not know yet (bfc-warm-chunks.ts). */
export const kWarm = 4;

/** Words of a record. */
const kStride = 16;
/** Words before the first chunk's record: the roots of 21 bins, rounded up to whole records. */
const kHead = 2 * kStride;
/** Doubles, counted from the record's first double. */
const kRequested = 4;
const kId = 5;
const kFreedAt = 6;

// Exported constants are loaded at every use, even here; these are folded into the code (see bfc-free-tree.ts).
const SIZE = kSize;
const ADDR = kAddr;
const PREV = kPrev;
const NEXT = kNext;
const REGION = kRegion;
const STATE = kState;
const FREE = kFree;

/** The table of records. */
export class BfcChunks {
  /** All records. Grows, so it is to be read again after every `take` and `makeRoom`. */
  words: Int32Array;
  #doubles: Float64Array;
  #top: number = kHead;
  #deleted: number = 0;

  constructor(records: number = 64) {
    this.words = new Int32Array(records * kStride);
    this.#doubles = new Float64Array(this.words.buffer);
  }

  /**
   * Makes sure that the next `take` finds a record; false when the engine has no memory for a longer table. To be asked
   * before a change begins, so that no change stops half-way.
   */
  makeRoom(): boolean {
    return this.#deleted !== 0 || this.#top < this.words.length || this.#grow();
  }

  /** The same for the next `count` of them. */
  makeRoomFor(count: number): boolean {
    while (this.#top + count * kStride > this.words.length) if (!this.#grow()) return false;
    return true;
  }

  /** A record for a new free chunk, as `makeRoom` has promised: no neighbours, no stamp. */
  take(addr: number, size: number, region: number): number {
    const { words } = this;
    let chunk = this.#deleted;
    if (chunk === 0) {
      chunk = this.#top;
      this.#top += kStride;
    } else this.#deleted = words[chunk + NEXT]!;
    words[chunk + SIZE] = size;
    words[chunk + ADDR] = addr;
    words[chunk + PREV] = 0;
    words[chunk + NEXT] = 0;
    words[chunk + REGION] = region;
    words[chunk + STATE] = FREE;
    this.#doubles[(chunk >> 1) + kFreedAt] = 0;
    return chunk;
  }

  /** Deletes a record. */
  give(chunk: number): void {
    this.words[chunk + STATE] = kDeleted;
    this.words[chunk + NEXT] = this.#deleted;
    this.#deleted = chunk;
  }

  /** Bytes that were asked for. */
  requestedSize(chunk: number): number {
    return this.#doubles[(chunk >> 1) + kRequested]!;
  }

  /** The number of the allocation. */
  allocationId(chunk: number): number {
    return this.#doubles[(chunk >> 1) + kId]!;
  }

  /** When it was freed by the timing counter; 0 without one, or once it is safe. */
  freedAtCount(chunk: number): number {
    return this.#doubles[(chunk >> 1) + kFreedAt]!;
  }

  /** Sets the stamp. */
  setFreedAtCount(chunk: number, count: number): void {
    this.#doubles[(chunk >> 1) + kFreedAt] = count;
  }

  /** Marks a chunk as handed out. */
  use(chunk: number, requestedSize: number, allocationId: number): void {
    const at = chunk >> 1;
    this.words[chunk + STATE] = kInUse;
    this.#doubles[at + kRequested] = requestedSize;
    this.#doubles[at + kId] = allocationId;
    this.#doubles[at + kFreedAt] = 0;
  }

  #grow(): boolean {
    let longer: Int32Array;
    try {
      longer = new Int32Array(this.words.length * 2);
    } catch {
      // A RangeError: the engine has no room for it.
      return false;
    }
    longer.set(this.words);
    this.words = longer;
    this.#doubles = new Float64Array(longer.buffer);
    return true;
  }
}

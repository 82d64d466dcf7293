/**
 * BfcChunks: the records of an arena's chunks (BFCAllocator::Chunk in tsl/framework/bfc_allocator.h).
 *
 *     word   0     1     2     3     4     5     6         7      8 9        10 11  12 13    14     15
 *           size  addr  prev  next  left  right priority  region requested  id     freedAt  state  unused
 *           | place and neighbors  | place in the tree |         | as doubles              |
 *
 * A record is sixteen 32-bit words, one cache line. The handle of a chunk is the index of its first word, so a field is
 * `words[chunk + kSize]`. The first two records are not chunks: handle 0 means "no chunk", and their words are the roots of the trees
 * of free chunks (bfc-free-tree.ts). Sizes and addresses are in units of 256 bytes. Three fields are doubles, which are read
 * through a Float64Array over the same bytes. Deleted records form a linked list. When the table is full, it is copied into one twice
 * as long, and `words` is then a different array.
 */

/** Field: the size in units. */
export const kSize = 0;
/** Field: the first unit, in the arena's address space (bfc-region.ts). */
export const kAddr = 1;
/** Field: the previous chunk in the region, or 0. */
export const kPrev = 2;
/** Field: the next chunk in the region, or 0. In a deleted record: the next deleted record. */
export const kNext = 3;
/** Field: the subtree of smaller free chunks. */
export const kLeft = 4;
/** Field: the subtree of larger free chunks. */
export const kRight = 5;
/** Field: the priority in the tree. A parent's priority is at least that of its children. */
export const kPriority = 6;
/** Field: the number of the chunk's region. */
export const kRegion = 7;
/** Field: the state, one of the five that follow. */
export const kState = 14;

/** State: free. The chunk is in the tree, except in the middle of an operation. */
export const kFree = 0;
/** State: allocated. */
export const kInUse = 1;
/** State: freed, but held back to detect writes to it (bfc-quarantine.ts). */
export const kQuarantined = 2;
/** State: deleted, because the chunk was merged into a neighbor or its region was freed. */
export const kDeleted = 3;
/** State: freed, but the arena still counts it as in use (bfc-warm-chunks.ts). */
export const kWarm = 4;

/** The number of words in a record. */
const kStride = 16;
/** The number of words before the first chunk's record: the roots of 21 bins, rounded up to whole records. */
const kHead = 2 * kStride;
/** The fields that are doubles: their indices, counted from the first double of the record. */
const kRequested = 4;
const kId = 5;
const kFreedAt = 6;

// Engines inline constants of the module, but load exported ones at every use, even here (see bfc-free-tree.ts).
const SIZE = kSize;
const ADDR = kAddr;
const PREV = kPrev;
const NEXT = kNext;
const REGION = kRegion;
const STATE = kState;
const FREE = kFree;

/** The table of chunk records. */
export class BfcChunks {
  /** The records. The table may be replaced by a longer one, so read this property again after every `makeRoom`. */
  words: Int32Array;
  #doubles: Float64Array;
  #top: number = kHead;
  #deleted: number = 0;

  constructor(records: number = 64) {
    this.words = new Int32Array(records * kStride);
    this.#doubles = new Float64Array(this.words.buffer);
  }

  /**
   * Makes sure that the next `take` has a record. Returns false if the engine has no memory for a longer table. Call it before a change
   * begins, so that no change stops half-way.
   */
  makeRoom(): boolean {
    return this.#deleted !== 0 || this.#top < this.words.length || this.#grow();
  }

  /** Makes sure that the next `count` calls of `take` have a record. Returns false if the engine has no memory for a longer table. */
  makeRoomFor(count: number): boolean {
    while (this.#top + count * kStride > this.words.length) if (!this.#grow()) return false;
    return true;
  }

  /** Returns a record for a new free chunk without neighbors and without a stamp. `makeRoom` must have returned true before. */
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

  /** Returns the requested bytes of a chunk. */
  requestedSize(chunk: number): number {
    return this.#doubles[(chunk >> 1) + kRequested]!;
  }

  /** Returns the id of the allocation. */
  allocationId(chunk: number): number {
    return this.#doubles[(chunk >> 1) + kId]!;
  }

  /** Returns the stamp: the count of the timing counter when the chunk was freed. 0 without a timing counter, or once it is safe. */
  freedAtCount(chunk: number): number {
    return this.#doubles[(chunk >> 1) + kFreedAt]!;
  }

  /** Sets the stamp of a chunk. */
  setFreedAtCount(chunk: number, count: number): void {
    this.#doubles[(chunk >> 1) + kFreedAt] = count;
  }

  /** Marks a chunk as allocated. */
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
      // The engine throws a RangeError if it has no room.
      return false;
    }
    longer.set(this.words);
    this.words = longer;
    this.#doubles = new Float64Array(longer.buffer);
    return true;
  }
}

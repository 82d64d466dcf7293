/**
 * BfcHandleTable: a hash table from the address of an allocated chunk to its handle (the handle tables of BFCAllocator's regions).
 *
 *     word   2i      2i+1
 *            unit+1  chunk       unit = address / 256; 0 marks an empty entry
 *
 * TensorFlow stores a handle for every 256 bytes of a region: 64 MiB of tables for 4 GiB of arena, even with few chunks. This table has
 * entries for allocated chunks only, 16 to 32 bytes each. It uses open addressing with linear probing and is at most half full.
 * Deleting an entry moves later entries instead of leaving a tombstone, so lookups do not become slower over time.
 */

/** The initial number of entries. */
const kInitialEntries = 64;
/** 2^32 divided by the golden ratio, the factor of the hash function. It spreads adjacent units over the table. */
const kGolden = 0x9e3779b1;

/** A map from units to chunk handles. */
export class BfcHandleTable {
  #pairs: Int32Array = new Int32Array(2 * kInitialEntries);
  #mask: number = kInitialEntries - 1;
  #shift: number = 26;
  #count: number = 0;

  /** Makes sure that there is room for the next `set`. Returns false if the engine has no memory for a larger table. */
  makeRoom(): boolean {
    return this.#count * 2 < this.#mask || this.#grow();
  }

  /** Makes sure that there is room for the next `count` calls of `set`. Returns false if the engine has no memory for a larger table. */
  makeRoomFor(count: number): boolean {
    while ((this.#count + count) * 2 > this.#mask) if (!this.#grow()) return false;
    return true;
  }

  /** Returns the chunk at `unit`, or 0. */
  get(unit: number): number {
    const pairs = this.#pairs;
    const mask = this.#mask;
    const key = unit + 1;
    for (let i = Math.imul(key, kGolden) >>> this.#shift; ; i = (i + 1) & mask) {
      const found = pairs[2 * i]!;
      if (found === key) return pairs[2 * i + 1]!;
      if (found === 0) return 0;
    }
  }

  /** Adds a chunk at a unit that has none. `makeRoom` must have returned true before. */
  set(unit: number, chunk: number): void {
    const pairs = this.#pairs;
    const mask = this.#mask;
    const key = unit + 1;
    let i = Math.imul(key, kGolden) >>> this.#shift;
    while (pairs[2 * i] !== 0) i = (i + 1) & mask;
    pairs[2 * i] = key;
    pairs[2 * i + 1] = chunk;
    this.#count++;
  }

  /** Removes the chunk at `unit`. There must be one. */
  delete(unit: number): void {
    const pairs = this.#pairs;
    const mask = this.#mask;
    const shift = this.#shift;
    const key = unit + 1;
    let hole = Math.imul(key, kGolden) >>> shift;
    while (pairs[2 * hole] !== key) hole = (hole + 1) & mask;
    // A later entry may move into the hole unless its home is after the hole.
    for (let i = (hole + 1) & mask; ; i = (i + 1) & mask) {
      const next = pairs[2 * i]!;
      if (next === 0) break;
      const home = Math.imul(next, kGolden) >>> shift;
      if (((i - home) & mask) < ((i - hole) & mask)) continue;
      pairs[2 * hole] = next;
      pairs[2 * hole + 1] = pairs[2 * i + 1]!;
      hole = i;
    }
    pairs[2 * hole] = 0;
    this.#count--;
  }

  #grow(): boolean {
    const old = this.#pairs;
    try {
      this.#pairs = new Int32Array(old.length * 2);
    } catch {
      // The engine throws a RangeError if it has no room.
      return false;
    }
    this.#mask = this.#mask * 2 + 1;
    this.#shift--;
    this.#count = 0;
    for (let i = 0; i < old.length; i += 2) if (old[i] !== 0) this.set(old[i]! - 1, old[i + 1]!);
    return true;
  }
}

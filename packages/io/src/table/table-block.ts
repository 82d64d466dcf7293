/**
 * TableBlock: the entries of a block, in the order of their keys (tsl/lib/io/block.cc).
 *
 *     entry:  varint32 shared | varint32 unshared | varint32 value length | unshared bytes of the key | value
 *             key = the first `shared` bytes of the previous key + the unshared bytes
 *     end:    fixed32 offset of each restart point ... | fixed32 number of restart points
 *
 * An entry at a restart point shares nothing. All entries are read once, in order, so restart points are only checked. The keys are
 * stored one after the other in one array: a view per key would take most of the time.
 */
import { DataLossError } from "@onebuffer/base";
import { compareBytes, shownKey } from "./compare-bytes.ts";
import { readFixed32, readVarint } from "./varint.ts";
import type { ByteCursor } from "./varint.ts";

/**
 * The bound of a block's keys together: 64 times the block's size, or 1 MiB. A key may share all bytes of the one before, so without a
 * bound a small block could declare terabytes of keys.
 */
const kMaxKeyExpansion = 64;
const kFreeKeyBytes: number = 2 ** 20;

/** From this many bytes on, the engine's block copy is faster than a loop. */
const kBlockCopy = 32;

/** The entries of a block. */
export class TableBlock {
  readonly #contents: Uint8Array<ArrayBufferLike>;
  readonly #keys: Uint8Array<ArrayBufferLike>;
  /** The start of each key in #keys, and after the last its end. */
  readonly #keyStarts: readonly number[];
  /** The start and the end of each value in #contents. */
  readonly #valueBounds: readonly number[];

  /**
   * Reads the entries of a block's contents and keeps the contents. `what` names the block in messages. `before` is a key that must be
   * before the first one, or null.
   *
   * Throws DATA_LOSS unless the entries fill the bytes before the restart points exactly, keys strictly increase, and the restart points
   * are entries that share nothing.
   */
  constructor(contents: Uint8Array<ArrayBufferLike>, what: string, before: Uint8Array<ArrayBufferLike> | null) {
    const reader = new EntryReader(contents, what);
    const end = reader.entriesEnd;
    while (reader.cursor.at < end) reader.next();
    reader.checkRestarts();
    this.#contents = contents;
    this.#keys = reader.keys;
    this.#keyStarts = reader.keyStarts;
    this.#valueBounds = reader.valueBounds;
    if (before !== null && this.count > 0 && compareBytes(this.key(0), before) <= 0) throw orderError(what, this.key(0), before);
  }

  /** The number of entries. */
  get count(): number {
    return this.#keyStarts.length - 1;
  }

  /** Returns the key of entry `i`, a view. */
  key(i: number): Uint8Array<ArrayBufferLike> {
    return this.#keys.subarray(this.#keyStarts[i], this.#keyStarts[i + 1]);
  }

  /** Returns the value of entry `i`, a view of the block's contents. */
  value(i: number): Uint8Array<ArrayBufferLike> {
    return this.#contents.subarray(this.#valueBounds[2 * i], this.#valueBounds[2 * i + 1]);
  }

  /** Returns the number of the first entry whose key is not before `key`; `count` if there is none. */
  lowerBound(key: Uint8Array<ArrayBufferLike>): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(middle, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns the number of the entry with this key, or -1. */
  find(key: Uint8Array<ArrayBufferLike>): number {
    const i = this.lowerBound(key);
    return i < this.count && this.#compare(i, key) === 0 ? i : -1;
  }

  /** `compareBytes(this.key(i), key)` without a view, which would take most of the time of a search. */
  #compare(i: number, key: Uint8Array<ArrayBufferLike>): number {
    const keys = this.#keys;
    const start = this.#keyStarts[i] as number;
    const length = (this.#keyStarts[i + 1] as number) - start;
    const common = Math.min(length, key.length);
    for (let at = 0; at < common; at++) {
      const difference = (keys[start + at] as number) - (key[at] as number);
      if (difference !== 0) return difference;
    }
    return length - key.length;
  }
}

/** Reads entries one after the other. */
class EntryReader {
  readonly cursor: ByteCursor;
  /** Where the entries end and the restart points begin. */
  readonly entriesEnd: number;
  readonly keyStarts: number[] = [0];
  readonly valueBounds: number[] = [];
  keys: Uint8Array<ArrayBuffer>;
  readonly #contents: Uint8Array<ArrayBufferLike>;
  readonly #what: string;
  readonly #restarts: number;
  readonly #maxKeyBytes: number;
  /** The number of restart points found, and the position of the next; -1 after the last. */
  #found = 0;
  #nextRestart: number;

  constructor(contents: Uint8Array<ArrayBufferLike>, what: string) {
    const { length } = contents;
    const restarts = length < 4 ? 0 : readFixed32(contents, length - 4);
    const end = length - 4 * (restarts + 1);
    if (end < 0) throw new DataLossError(`${what}: bad block contents: ${restarts} restart points in ${length} bytes`);
    this.entriesEnd = end;
    this.cursor = { bytes: contents, at: 0, end, what };
    this.keys = new Uint8Array(Math.min(length, kFreeKeyBytes));
    this.#contents = contents;
    this.#what = what;
    this.#restarts = restarts;
    this.#maxKeyBytes = Math.max(kFreeKeyBytes, kMaxKeyExpansion * length);
    this.#nextRestart = restarts > 0 ? readFixed32(contents, end) : -1;
  }

  next(): void {
    const { cursor, keyStarts, entriesEnd } = this;
    const contents = this.#contents;
    const start = cursor.at;
    let shared = contents[start] as number;
    let unshared = contents[start + 1] as number;
    let length = contents[start + 2] as number;
    if ((shared | unshared | length) < 128 && start + 3 <= entriesEnd) cursor.at = start + 3;
    else {
      shared = readVarint(cursor, 5);
      unshared = readVarint(cursor, 5);
      length = readVarint(cursor, 5);
    }
    const keyAt = cursor.at;
    const count = keyStarts.length - 1;
    const to = keyStarts[count] as number;
    const from = count === 0 ? 0 : (keyStarts[count - 1] as number);
    if (shared > to - from) throw new DataLossError(`${this.#what}: the entry at byte ${start} shares ${shared} of ${to - from} key bytes`);
    if (unshared + length > entriesEnd - keyAt)
      throw new DataLossError(`${this.#what}: the entry at byte ${start} goes beyond byte ${entriesEnd}, where the entries end`);
    if (start === this.#nextRestart) this.#passRestart(start, shared);
    if (to + shared + unshared > this.keys.length) this.#grow(to + shared + unshared);
    const { keys } = this;
    if (shared >= kBlockCopy) keys.copyWithin(to, from, from + shared);
    else for (let i = 0; i < shared; i++) keys[to + i] = keys[from + i] as number;
    if (unshared >= kBlockCopy) keys.set(contents.subarray(keyAt, keyAt + unshared), to + shared);
    else for (let i = 0; i < unshared; i++) keys[to + shared + i] = contents[keyAt + i] as number;
    const end = to + shared + unshared;
    if (count > 0 && !isAfter(keys, from, to, end, shared)) throw orderError(this.#what, keys.subarray(to, end), keys.subarray(from, to));
    keyStarts.push(end);
    cursor.at = keyAt + unshared + length;
    this.valueBounds.push(keyAt + unshared, cursor.at);
  }

  /** Throws DATA_LOSS unless all restart points were found and the first is the first entry. A block without entries has none, or 0. */
  checkRestarts(): void {
    const restarts = this.#restarts;
    const end = this.entriesEnd;
    const startsAt0 = restarts === 0 ? end === 0 : readFixed32(this.#contents, end) === 0;
    if (startsAt0 && (end === 0 ? restarts <= 1 : this.#found === restarts)) return;
    throw new DataLossError(`${this.#what}: ${this.#found} of ${restarts} restart points are entries, in ${end} bytes of entries`);
  }

  #passRestart(start: number, shared: number): void {
    if (shared !== 0)
      throw new DataLossError(`${this.#what}: the entry at byte ${start} is a restart point, but shares ${shared} key bytes`);
    this.#found++;
    this.#nextRestart = this.#found < this.#restarts ? readFixed32(this.#contents, this.entriesEnd + 4 * this.#found) : -1;
  }

  #grow(needed: number): void {
    if (needed > this.#maxKeyBytes)
      throw new DataLossError(
        `${this.#what}: its keys take more than ${this.#maxKeyBytes} bytes, which no writer makes of ${this.#contents.length}`,
      );
    const longer = new Uint8Array(Math.min(this.#maxKeyBytes, Math.max(needed, 2 * this.keys.length)));
    longer.set(this.keys);
    this.keys = longer;
  }
}

/** Returns true if the key in [to, end) comes after the key in [from, to), of which the first `shared` bytes are equal. */
function isAfter(keys: Uint8Array<ArrayBufferLike>, from: number, to: number, end: number, shared: number): boolean {
  const common = Math.min(to - from, end - to);
  for (let i = shared; i < common; i++) if (keys[to + i] !== keys[from + i]) return (keys[to + i] as number) > (keys[from + i] as number);
  return end - to > to - from;
}

function orderError(what: string, key: Uint8Array<ArrayBufferLike>, previous: Uint8Array<ArrayBufferLike>): DataLossError {
  return new DataLossError(`${what}: the keys are not in order: ${shownKey(key)} comes after ${shownKey(previous)}`);
}

/**
 * TableWriter: makes a table file byte for byte as TensorFlow's TableBuilder with its default options does, without compression
 * (tsl/lib/io/table_builder.h). table-reader.ts shows the layout.
 *
 * A data block ends when it has 256 KiB, or before an entry of at least 512 KiB. Its key in the index is made when the next block's
 * first key is known: the shortest simple key between them.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { BlockBuilder } from "./block-builder.ts";
import { rawTrailer } from "./block-contents.ts";
import { compareBytes, sharedLength, shownKey } from "./compare-bytes.ts";
import { footerBytes } from "./table-footer.ts";
import type { BlockHandle } from "./table-footer.ts";
import { writeVarint } from "./varint.ts";

const kRestartInterval = 16;
const kBlockSize = 262144;
const kOverlyLarge: number = 2 * kBlockSize;

/** Collects a table's entries and makes its bytes. */
export class TableWriter {
  readonly #data: BlockBuilder = new BlockBuilder(kRestartInterval);
  readonly #index: BlockBuilder = new BlockBuilder(1);
  readonly #chunks: Uint8Array<ArrayBuffer>[] = [];
  #offset = 0;
  #lastKey: Uint8Array<ArrayBufferLike> | null = null;
  /** The handle of the last data block until its key in the index is known. */
  #pending: BlockHandle | null = null;

  /** Appends an entry. Throws INVALID_ARGUMENT unless `key` comes after the last one. Keeps `key`, copies `value`. */
  add(key: Uint8Array<ArrayBufferLike>, value: Uint8Array<ArrayBufferLike>): void {
    const last = this.#lastKey;
    if (last !== null && compareBytes(last, key) >= 0)
      throw new InvalidArgumentError(`table: the key ${shownKey(key)} must come after ${shownKey(last)}`);
    if (key.length + value.length >= kOverlyLarge) this.#flush();
    if (this.#pending !== null) this.#addToIndex(separator(last as Uint8Array<ArrayBufferLike>, key), this.#pending);
    this.#lastKey = key;
    this.#data.add(key, value);
    if (this.#data.currentSize >= kBlockSize) this.#flush();
  }

  /** Returns the bytes of the table, in pieces. No entry can be added afterwards. */
  finish(): Uint8Array<ArrayBuffer>[] {
    this.#flush();
    const metaindex = this.#write(new BlockBuilder(kRestartInterval).finish());
    if (this.#pending !== null) this.#addToIndex(successor(this.#lastKey as Uint8Array<ArrayBufferLike>), this.#pending);
    this.#chunks.push(footerBytes(metaindex, this.#write(this.#index.finish())));
    return this.#chunks;
  }

  #addToIndex(key: Uint8Array<ArrayBufferLike>, { offset, size }: BlockHandle): void {
    const value = new Uint8Array(20);
    this.#index.add(key, value.subarray(0, writeVarint(value, writeVarint(value, 0, offset), size)));
    this.#pending = null;
  }

  #flush(): void {
    if (!this.#data.isEmpty) this.#pending = this.#write(this.#data.finish());
  }

  #write(contents: Uint8Array<ArrayBuffer>): BlockHandle {
    const trailer = rawTrailer(contents);
    const handle: BlockHandle = { offset: this.#offset, size: contents.length };
    this.#chunks.push(contents, trailer);
    this.#offset += contents.length + trailer.length;
    return handle;
  }
}

/**
 * Returns a key that is not before `last` and before `next`: `last` cut after the first byte that differs, plus 1, if that byte is then
 * still below that of `next`; otherwise `last`.
 */
function separator(last: Uint8Array<ArrayBufferLike>, next: Uint8Array<ArrayBufferLike>): Uint8Array<ArrayBufferLike> {
  const at = sharedLength(last, next);
  if (at >= last.length || at >= next.length || (last[at] as number) + 1 >= (next[at] as number)) return last;
  return cutAndRaised(last, at);
}

/** Returns a short key that is not before `last`: `last` cut after its first byte that is not ff, plus 1. */
function successor(last: Uint8Array<ArrayBufferLike>): Uint8Array<ArrayBufferLike> {
  const at = last.findIndex((byte) => byte !== 0xff);
  return at < 0 ? last : cutAndRaised(last, at);
}

function cutAndRaised(key: Uint8Array<ArrayBufferLike>, at: number): Uint8Array<ArrayBufferLike> {
  const short = new Uint8Array(key.subarray(0, at + 1));
  short[at] = (short[at] as number) + 1;
  return short;
}

/**
 * TableReader: reads a table file, a sorted map from keys to values (tsl/lib/io/table.h). Checkpoints store their index in one, and
 * version 1 of the format everything.
 *
 *     data block | ... | data block | metaindex block | index block | footer
 *          ^------------------^-------------------------- key k and handle per data block:
 *                                                         last key of the block <= k < first key of the next
 *
 * `open` reads the footer and the index block; data blocks are read when an entry of them is asked for. There is no cache: each `find`
 * reads its block again. The metaindex block is never read, as in TensorFlow.
 */
import { isSharedMemory } from "@onebuffer/allocator/internal";
import { DataLossError } from "@onebuffer/base";
import type { ByteSource } from "../source/byte-source.ts";
import type { AbortSignalLike } from "../source/transfer-options.ts";
import { blockContents } from "./block-contents.ts";
import { compareBytes, shownKey } from "./compare-bytes.ts";
import { checkedRead } from "../source/checked-read.ts";
import { TableBlock } from "./table-block.ts";
import { kFooterBytes, kTrailerBytes, readBlockHandle, readFooter } from "./table-footer.ts";
import type { BlockHandle } from "./table-footer.ts";

/** A table that is open for reading. */
export class TableReader {
  readonly #source: ByteSource;
  readonly #what: string;
  /** The keys of the data blocks. */
  readonly #index: TableBlock;
  readonly #handles: readonly BlockHandle[];

  private constructor(source: ByteSource, what: string, index: TableBlock, handles: readonly BlockHandle[]) {
    this.#source = source;
    this.#what = what;
    this.#index = index;
    this.#handles = handles;
  }

  /**
   * Opens a table: reads its footer and its index block. `what` names the file in messages. Throws DATA_LOSS if the file is not a table,
   * is cut short or damaged.
   */
  static async open(source: ByteSource, what: string, signal?: AbortSignalLike): Promise<TableReader> {
    const { size } = source;
    if (size < kFooterBytes) throw new DataLossError(`${what}: ${size} bytes are too short to be an sstable`);
    const limit = size - kFooterBytes;
    const handle = readFooter(await checkedRead(source, limit, kFooterBytes, "the footer", signal), size, what);
    const stored = await checkedRead(source, handle.offset, handle.size + kTrailerBytes, "the index block", signal);
    const where = `${what}: the index block`;
    const index = new TableBlock(blockContents(stored, where), where, null);
    return new TableReader(source, what, index, blockHandles(index, limit, where));
  }

  /** Returns the value of a key, or null if there is none. Reads one data block. Throws DATA_LOSS if the block is damaged. */
  async find(key: Uint8Array<ArrayBufferLike>, signal?: AbortSignalLike): Promise<Uint8Array<ArrayBufferLike> | null> {
    const i = this.#index.lowerBound(key);
    const handle = this.#handles[i];
    if (handle === undefined) return null;
    const block = this.#blockOf(i, await this.#read(handle.offset, handle.size + kTrailerBytes, signal));
    const found = block.find(key);
    return found < 0 ? null : block.value(found);
  }

  /**
   * Returns all data blocks, in order. Reads them at once if they follow each other, as writers write them. Throws DATA_LOSS if one of
   * them is damaged.
   */
  async blocks(signal?: AbortSignalLike): Promise<TableBlock[]> {
    const handles = this.#handles;
    const start = handles[0]?.offset ?? 0;
    const length = handles.reduce((sum, { size }) => sum + size + kTrailerBytes, 0);
    const last = handles.at(-1);
    const isOneRun = last === undefined || last.offset + last.size + kTrailerBytes === start + length;
    const run = isOneRun ? await this.#read(start, length, signal) : null;
    const blocks: TableBlock[] = [];
    for (const [i, { offset, size }] of handles.entries()) {
      const stored = size + kTrailerBytes;
      const from = offset - start;
      blocks.push(this.#blockOf(i, run === null ? await this.#read(offset, stored, signal) : run.subarray(from, from + stored)));
    }
    return blocks;
  }

  /**
   * Reads data blocks. Returns a copy if the bytes are the caller's, who may change them later, or in shared memory, which browsers do
   * not decode as text.
   */
  async #read(offset: number, length: number, signal: AbortSignalLike | undefined): Promise<Uint8Array<ArrayBufferLike>> {
    const bytes = await checkedRead(this.#source, offset, length, "the data blocks", signal);
    return this.#source.bytes === undefined && !isSharedMemory(bytes.buffer) ? bytes : new Uint8Array(bytes);
  }

  /** Returns data block `i` of its stored bytes. Checks its keys against the index. */
  #blockOf(i: number, stored: Uint8Array<ArrayBufferLike>): TableBlock {
    const where = `${this.#what}: data block ${i}`;
    const block = new TableBlock(blockContents(stored, where), where, i === 0 ? null : this.#index.key(i - 1));
    const bound = this.#index.key(i);
    if (block.count > 0 && compareBytes(block.key(block.count - 1), bound) > 0)
      throw new DataLossError(
        `${where}: its last key ${shownKey(block.key(block.count - 1))} is after its key in the index, ${shownKey(bound)}`,
      );
    return block;
  }
}

/** Returns the handles in the index block. Throws DATA_LOSS unless each block lies after the one before: a few blocks may not declare many. */
function blockHandles(index: TableBlock, limit: number, where: string): BlockHandle[] {
  const handles: BlockHandle[] = [];
  let end = 0;
  for (let i = 0; i < index.count; i++) {
    const bytes = index.value(i);
    // Bytes after a handle are allowed.
    const handle = readBlockHandle({ bytes, at: 0, end: bytes.length, what: where }, limit);
    if (handle.offset < end)
      throw new DataLossError(`${where}: the block at ${handle.offset} begins before byte ${end}, where the one before it ends`);
    end = handle.offset + handle.size + kTrailerBytes;
    handles.push(handle);
  }
  return handles;
}

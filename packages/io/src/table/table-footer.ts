/**
 * The last 48 bytes of a table (tsl/lib/io/format.h): where the metaindex and the index are, and the magic number.
 *
 *     0                                            40          48
 *     metaindex handle | index handle | padding     magic        handle = varint64 offset, varint64 size
 *
 * A handle's size does not count the block's trailer of 5 bytes. The padding's content has no meaning.
 */
import { DataLossError } from "@onebuffer/base";
import { readVarint, writeVarint } from "./varint.ts";
import type { ByteCursor } from "./varint.ts";

export const kFooterBytes = 48;

/** The bytes of a block's trailer: its type, and its checksum. */
export const kTrailerBytes = 5;

const kMagicAt = 40;
/** The magic number db4775248b80fb57, its lowest byte first: the last eight bytes of a table. */
export const kFooterMagic: readonly number[] = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb];

/** Where a block is in the file: `size` stored bytes at `offset`, followed by its trailer. */
export interface BlockHandle {
  readonly offset: number;
  readonly size: number;
}

/**
 * Reads a handle and checks that the block and its trailer lie before `limit`, the position of the footer. Throws DATA_LOSS if they do
 * not, or if the cursor's bytes end too early.
 */
export function readBlockHandle(cursor: ByteCursor, limit: number): BlockHandle {
  const offset = readVarint(cursor);
  const size = readVarint(cursor);
  if (offset + size + kTrailerBytes > limit)
    throw new DataLossError(`${cursor.what}: a block of ${size} bytes at ${offset} goes beyond byte ${limit}, where the footer begins`);
  return { offset, size };
}

/** Reads the footer of a table of `fileSize` bytes and returns the handle of the index block. Throws DATA_LOSS if it is not one. */
export function readFooter(footer: Uint8Array<ArrayBufferLike>, fileSize: number, what: string): BlockHandle {
  if (kFooterMagic.some((byte, i) => footer[kMagicAt + i] !== byte))
    throw new DataLossError(`${what}: not an sstable (bad magic number in the last 8 of ${fileSize} bytes)`);
  const cursor: ByteCursor = { bytes: footer, at: 0, end: kMagicAt, what: `${what}: the footer` };
  const limit = fileSize - kFooterBytes;
  readBlockHandle(cursor, limit); // the metaindex, which is never read
  return readBlockHandle(cursor, limit);
}

/** Returns the 48 bytes of a footer. */
export function footerBytes(metaindex: BlockHandle, index: BlockHandle): Uint8Array<ArrayBuffer> {
  const footer = new Uint8Array(kFooterBytes);
  let at = 0;
  for (const { offset, size } of [metaindex, index]) at = writeVarint(footer, writeVarint(footer, at, offset), size);
  footer.set(kFooterMagic, kMagicAt);
  return footer;
}

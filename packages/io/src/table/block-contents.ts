/**
 * The stored form of a block (tsl/lib/io/format.cc): the contents, perhaps compressed, and a trailer.
 *
 *     contents, as stored ... | type | masked crc32c, fixed32      type: 0 as they are, 1 snappy
 *                                                                  the checksum covers the stored contents and the type
 */
import { DataLossError } from "@onebuffer/base";
import { maskCrc } from "../checksum/crc-mask.ts";
import { extendCrc32c } from "../checksum/crc32c.ts";
import { snappyDecode } from "../compress/snappy.ts";
import { kTrailerBytes } from "./table-footer.ts";
import { readFixed32, writeFixed32 } from "./varint.ts";

const kRaw = 0;
const kSnappy = 1;

/** The most contents of a block, as protobuf's limit: 2 GiB. Snappy's own bound, 64/3 of the stored bytes, is nearly always lower. */
const kMaxContents = 2 ** 31 - 1;

/**
 * Returns the contents of a block from its stored bytes with their trailer: a view of them, or new memory if they are compressed.
 *
 * Throws DATA_LOSS for a wrong checksum, an unknown type and bytes that are not snappy's.
 */
export function blockContents(stored: Uint8Array<ArrayBufferLike>, what: string): Uint8Array<ArrayBufferLike> {
  const size = stored.length - kTrailerBytes;
  const crc = maskCrc(extendCrc32c(stored.subarray(0, size + 1), 0));
  const expected = readFixed32(stored, size + 1);
  if (crc !== expected) throw new DataLossError(`${what}: block checksum mismatch: stored ${expected}, calculated ${crc}`);
  const type = stored[size];
  if (type === kRaw) return stored.subarray(0, size);
  if (type === kSnappy) return snappyDecode(stored.subarray(0, size), kMaxContents, `${what}: corrupted compressed block contents`);
  throw new DataLossError(`${what}: bad block type ${type}`);
}

/** Returns the trailer of raw contents. */
export function rawTrailer(contents: Uint8Array<ArrayBufferLike>): Uint8Array<ArrayBuffer> {
  const trailer = new Uint8Array(kTrailerBytes);
  trailer[0] = kRaw;
  writeFixed32(trailer, 1, maskCrc(extendCrc32c(trailer.subarray(0, 1), extendCrc32c(contents, 0))));
  return trailer;
}

/**
 * A byte source that reads ahead: short reads that follow each other in a file are answered from one read.
 *
 *     headers and small members of a zip     |h|d| |h|d| |h|ddd|    one read of 256 KiB
 *     a large member                         straight from the source
 */
import type { ByteSource } from "./byte-source.ts";
import { checkedRead, checkedReadInto } from "./checked-read.ts";

/** The bytes of a read ahead: what a server sends in about the time that a request takes. */
const kAhead = 262144;

/**
 * Returns a source whose reads of less than 256 KiB also fetch what follows. A source in memory is returned as it is.
 *
 * @example
 * const source = readAhead(toByteSource(new Blob(["abcd"])));
 * [await source.read(0, 1), await source.read(1, 1)]; // => [Uint8Array.of(97), Uint8Array.of(98)]
 */
export function readAhead(source: ByteSource): ByteSource {
  if (source.bytes !== undefined) return source;
  const { size, name, isRemote = false } = source;
  let begin = 0;
  let window: Uint8Array<ArrayBufferLike> = new Uint8Array(0);
  const what = name ?? "the bytes";
  const isAhead = (offset: number, length: number): boolean => offset >= begin && offset + length <= begin + window.length;
  const read: ByteSource["read"] = async (offset, length, signal) => {
    if (!isAhead(offset, length)) {
      if (length >= kAhead) return await checkedRead(source, offset, length, what, signal);
      window = await checkedRead(source, offset, Math.min(kAhead, size - offset), what, signal);
      begin = offset;
    }
    return window.subarray(offset - begin, offset - begin + length);
  };
  return {
    size,
    isRemote,
    ...(name === undefined ? {} : { name }),
    read,
    readInto: async (offset, target, signal) => {
      if (target.length < kAhead || isAhead(offset, target.length)) target.set(await read(offset, target.length, signal));
      else await checkedReadInto(source, offset, target, what, signal);
    },
  };
}

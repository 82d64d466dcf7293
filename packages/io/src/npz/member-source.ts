/** A stored member of a zip file as a byte source of its own. */
import type { ByteSource } from "../source/byte-source.ts";

/** Returns a source over a part of another one. Reading it reads that one. */
export function partOf(source: ByteSource, begin: number, size: number, name: string): ByteSource {
  const { bytes, readInto } = source;
  return {
    size,
    name,
    ...(bytes === undefined ? {} : { bytes: bytes.subarray(begin, begin + size) }),
    read: (offset, length, signal) => source.read(begin + offset, length, signal),
    ...(readInto === undefined ? {} : { readInto: (offset, target, signal) => readInto.call(source, begin + offset, target, signal) }),
  };
}

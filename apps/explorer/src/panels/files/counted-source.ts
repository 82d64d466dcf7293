/** A Blob as a byte source that counts the bytes that are read. */
import type { ByteSource } from "onebuffer/io";
import { toByteSource } from "onebuffer/io";

/** The count of all sources that share it. */
export interface ByteCount {
  bytes: number;
}

/** Returns a source over a blob. */
export function countedSource(blob: Blob, name: string, count: ByteCount): ByteSource {
  const source = toByteSource(blob);
  return {
    size: source.size,
    name,
    read: async (offset, length, signal) => {
      count.bytes += length;
      return await source.read(offset, length, signal);
    },
  };
}

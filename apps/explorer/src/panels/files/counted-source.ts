/** A Blob as a byte source that counts the bytes that are read. */
import type { ByteSource } from "onebuffer/io";
import { toByteSource } from "onebuffer/io";

/** The count of all sources that share it. */
export interface ByteCount {
  bytes: number;
}

/** A source that can keep its bytes in memory, for a pass that reads all of them in small pieces. */
export interface CountedSource extends ByteSource {
  /** Reads the whole blob once; later reads take their bytes from memory. */
  load(): Promise<void>;
  /** Drops what `load` keeps. */
  unload(): void;
}

/** Returns a source over a blob. */
export function countedSource(blob: Blob, name: string, count: ByteCount): CountedSource {
  const source = toByteSource(blob);
  let loaded: Uint8Array<ArrayBuffer> | null = null;
  return {
    size: source.size,
    name,
    read: async (offset, length, signal) => {
      count.bytes += length;
      return loaded?.slice(offset, offset + length) ?? (await source.read(offset, length, signal));
    },
    load: async () => {
      loaded = new Uint8Array(await blob.arrayBuffer());
    },
    unload: () => {
      loaded = null;
    },
  };
}

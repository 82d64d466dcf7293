// Files in memory that are opened by name as sources that are read, and cannot be listed.
import { NotFoundError } from "@onebuffer/base";
import type { ByteSource } from "@onebuffer/io";

/** Returns a function that opens files as sources that are read. */
export const opener =
  (files: ReadonlyMap<string, Uint8Array>) =>
  async (name: string): Promise<ByteSource> => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new NotFoundError(name);
    return { size: bytes.length, name, read: async (offset, length) => bytes.slice(offset, offset + length) };
  };

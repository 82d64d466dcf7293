/**
 * A byte source: where a reader takes its bytes from. A file, a Blob, a Uint8Array and an HTTP resource with ranges are all one thing to
 * a reader: a size, and a way to read the bytes at an offset.
 */
import type { AbortSignalLike } from "./transfer-options.ts";

/**
 * A place with a known number of bytes, which can be read in any order.
 *
 * An object with `size` and `read` is enough. A reader checks every offset against `size` before it reads, checks that `read` returned
 * what was asked for, and copies what it keeps.
 *
 * @example
 * const source: ByteSource = { size: 4, read: async (offset, length) => new Uint8Array([1, 2, 3, 4]).subarray(offset, offset + length) };
 * source.size; // => 4
 */
export interface ByteSource {
  /** The number of bytes. */
  readonly size: number;
  /** What the source is called in messages: a path, an address; "the bytes" by default. */
  readonly name?: string;
  /** The bytes themselves, if they are in memory: readers then make views of them and read without waiting. */
  readonly bytes?: Uint8Array<ArrayBufferLike>;
  /** True if each call waits long, as over a network: readers then make fewer and longer calls. */
  readonly isRemote?: boolean;
  /** Returns `length` bytes from `offset`, which are within the size. The caller does not write to them. */
  read(offset: number, length: number, signal?: AbortSignalLike): Promise<Uint8Array<ArrayBufferLike>>;
  /**
   * Reads into `target`, which may be memory of the arena, as many bytes as it has room for. Optional: without it a reader calls `read`
   * and copies. It ends early if the signal is aborted: a reader waits for it, because the target is in use until then.
   */
  readInto?(offset: number, target: Uint8Array<ArrayBufferLike>, signal?: AbortSignalLike): Promise<void>;
}

/** Reads files by path, aligned so that the elements in them can be used in place. */
import { argumentError, checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import { readRegularFile } from "./read-regular-file.ts";

/** The largest alignment that can be asked for: a page. */
const kMostAlignment = 4096;

/**
 * The options of `readFileBytes`.
 *
 * @example
 * const options: ReadFileOptions = { endAlignment: 8 };
 * readFileBytes("no-such-file.pb", options); // throws NOT_FOUND
 */
export interface ReadFileOptions {
  /**
   * The end of the bytes is aligned to this power of two, at most 4096, for messages whose elements are last in the file. Without it
   * the bytes begin at byte 0 of their ArrayBuffer, where an .npy file's elements are aligned.
   */
  readonly endAlignment?: number;
}

/**
 * Reads a whole regular file into a new ArrayBuffer.
 *
 * Throws NOT_FOUND if there is no such file, INVALID_ARGUMENT if it is not a readable regular file, RESOURCE_EXHAUSTED if there is no
 * memory for it, DATA_LOSS if it became shorter while it was read.
 *
 * @example
 * readFileBytes("no-such-file.npy"); // throws NOT_FOUND
 */
export function readFileBytes(path: string, options?: ReadFileOptions): Uint8Array<ArrayBuffer> {
  checkText(path, "a path");
  if (options !== undefined) checkOptions("readFileBytes", options, ["endAlignment"]);
  const endAlignment = options?.endAlignment ?? 1;
  if (!Number.isInteger(endAlignment) || endAlignment < 1 || endAlignment > kMostAlignment || (endAlignment & (endAlignment - 1)) !== 0)
    throw argumentError(`an endAlignment that is a power of two up to ${kMostAlignment}`, endAlignment);
  return readRegularFile(path, endAlignment, `${shownValue(path)}: `);
}

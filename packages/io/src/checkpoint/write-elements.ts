/** Writes the bytes of tensors to a sink. */
import { extendCrc32c } from "../checksum/crc32c.ts";
import type { SinkWriter } from "../source/sink-writer.ts";

/** Short strings are collected in a block of this many bytes. */
const kBlock = 65536;

/** Returns the crc32c of bytes, not masked. */
export function crcOf(bytes: Uint8Array<ArrayBufferLike>): number {
  return extendCrc32c(bytes, 0);
}

/** Writes elements one after the other, short ones together. */
export async function writeElements(out: SinkWriter, elements: readonly Uint8Array<ArrayBufferLike>[]): Promise<void> {
  let block = new Uint8Array(0);
  let used = 0;
  for (const element of elements) {
    if (used + element.length > block.length) {
      if (used > 0) await out.write(block.subarray(0, used));
      used = 0;
      if (element.length >= kBlock) {
        await out.write(element);
        continue;
      }
      // The sink may still hold the block if it did not copy it.
      block = new Uint8Array(kBlock);
    }
    block.set(element, used);
    used += element.length;
  }
  if (used > 0) await out.write(block.subarray(0, used));
}

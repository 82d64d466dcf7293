/** Writes the bytes of tensors to a sink. */
import { extendCrc32c } from "../checksum/crc32c.ts";
import type { SinkWriter } from "../source/sink-writer.ts";

/** Short strings are collected in a block of this many bytes. */
const kBlock = 65536;

/** Bytes are written in pieces of 4 MiB, whose checksum is computed while they are written. */
const kPiece: number = 2 ** 22;

/** Writes the bytes of a tensor and returns their crc32c, not masked. `name` is that of the tensor, for the listener of progress. */
export async function writeWithCrc(out: SinkWriter, bytes: Uint8Array<ArrayBufferLike>, name: string): Promise<number> {
  let crc = 0;
  let at = 0;
  do {
    const piece = bytes.subarray(at, at + kPiece);
    at += kPiece;
    const written = at < bytes.length ? out.write(piece) : out.write(piece, name);
    crc = extendCrc32c(piece, crc);
    await written;
  } while (at < bytes.length);
  return crc;
}

/** Writes elements one after the other, short ones together. */
export async function writeElements(out: SinkWriter, elements: readonly Uint8Array<ArrayBufferLike>[], name: string): Promise<void> {
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
  await out.write(block.subarray(0, used), name);
}

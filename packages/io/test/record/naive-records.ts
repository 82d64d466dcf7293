// A TFRecord file made the slow way: a twin for the writer, and sources that give their bytes in other ways.
import type { ByteSource } from "@onebuffer/io";
import { crc32c, maskCrc } from "@onebuffer/io";

/** Returns the file of these records, by Node's Buffer. */
export function naiveFile(records: readonly Uint8Array[]): Uint8Array {
  const parts = records.flatMap((record) => {
    const head = Buffer.alloc(12);
    head.writeBigUInt64LE(BigInt(record.length));
    head.writeUInt32LE(maskCrc(crc32c(head.subarray(0, 8))), 8);
    const foot = Buffer.alloc(4);
    foot.writeUInt32LE(maskCrc(crc32c(record)));
    return [head, record, foot];
  });
  return Uint8Array.from(Buffer.concat(parts));
}

/** Returns a source that has to be read: with `read` only, or with `readInto`, too. */
export function slowSource(bytes: Uint8Array, into: boolean): ByteSource {
  const read = (offset: number, length: number): Promise<Uint8Array> => Promise.resolve(bytes.slice(offset, offset + length));
  if (!into) return { size: bytes.length, name: "slow", read };
  return {
    size: bytes.length,
    name: "slow",
    read,
    readInto: async (offset, target) => {
      target.set(await read(offset, target.length));
    },
  };
}

/** Returns all that an iterable yields. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** TFRecord files as TensorFiles: each record is a string tensor without dimensions. */
import { DataLossError, isStatusError, NotFoundError } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { crc32c, maskCrc, readTFRecords } from "@onebuffer/io";
import type { TFRecordCompression, TFRecordReader, TransferOptions } from "@onebuffer/io";
import { fileSource } from "@onebuffer/io/node";
import type { ChecksumVerdict, TensorFile, TensorInfo } from "./tensor-file.ts";

/** The most records that are listed. */
const kMostRecords = 100_000;

/** Returns the compression of a TFRecord file that begins with these bytes, or undefined if it is no such file. */
export async function recordCompression(path: string, start: Uint8Array<ArrayBufferLike>): Promise<TFRecordCompression | null | undefined> {
  if (start.length >= 12 && hasLengthChecksum(start)) return null;
  const compression = start[0] === 0x1f && start[1] === 0x8b ? "GZIP" : start[0] === 0x78 ? "ZLIB" : undefined;
  if (compression === undefined) return undefined;
  using source = fileSource(path);
  try {
    const reader = readTFRecords(source, { compression });
    await reader.next();
    await reader.return();
    return compression;
  } catch {
    return undefined;
  }
}

/** Returns true if the bytes begin with a record's length of eight bytes and the checksum of these. */
function hasLengthChecksum(start: Uint8Array<ArrayBufferLike>): boolean {
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  return view.getUint32(8, true) === maskCrc(crc32c(start.subarray(0, 8)));
}

/** Opens a TFRecord file: reads it once, for the lengths of its records. A file that ends too early, or is damaged, has a note. */
export async function openRecords(path: string, compression: TFRecordCompression | null, transfer: TransferOptions): Promise<TensorFile> {
  const source = fileSource(path);
  const options = { ...(compression === null ? {} : { compression }), verifyChecksums: false };
  const infos: TensorInfo[] = [];
  const notes: string[] = compression === null ? [] : [`compressed: ${compression}`];
  try {
    for await (const record of readTFRecords(source, { ...options, ...transfer })) {
      infos.push({ name: `record ${infos.length}`, dtype: "string", shape: [], bytes: record.length });
      if (infos.length < kMostRecords) continue;
      notes.push(`only the first ${kMostRecords} records are listed`);
      break;
    }
  } catch (error) {
    if (!isStatusError(error, "DATA_LOSS")) {
      source.close();
      throw error;
    }
    notes.push(`${error.code}: ${error.message}`);
  }
  const checked = new RecordCursor(() => readTFRecords(source, { ...options, verifyChecksums: true }));
  const unchecked = new RecordCursor(() => readTFRecords(source, options));
  const indexOf = new Map(infos.map(({ name }, index) => [name, index]));
  const find = (name: string): number => {
    const index = indexOf.get(name);
    if (index === undefined) throw new NotFoundError(`no ${name}, there are ${infos.length} records`);
    return index;
  };
  return {
    format: "TFRecord",
    hasChecksums: true,
    infos,
    notes,
    close: () => source.close(),
    tensor: async (name) => Tensor.from((await checked.record(find(name))).slice() as never, { dtype: "string" } as never) as Tensor,
    async stored(name) {
      const index = find(name);
      const bytes = (await unchecked.record(index)).slice();
      let crc: ChecksumVerdict = "ok";
      try {
        await checked.record(index);
      } catch (error) {
        if (!isStatusError(error, "DATA_LOSS")) throw error;
        crc = "bad";
      }
      return { bytes, crc };
    },
  };
}

/** Reads records by number. Records that are asked for in order are read in one pass. */
class RecordCursor {
  readonly #open: () => TFRecordReader;
  #reader: TFRecordReader | null = null;

  constructor(open: () => TFRecordReader) {
    this.#open = open;
  }

  async record(index: number): Promise<Uint8Array<ArrayBufferLike>> {
    if (this.#reader === null || this.#reader.recordCount > index) this.#reader = this.#open();
    for (;;) {
      const { value, done } = await this.#reader.next();
      if (done === true) {
        this.#reader = null;
        throw new DataLossError(`record ${index}: the file ends before it`);
      }
      if (this.#reader.recordCount > index) return value;
    }
  }
}

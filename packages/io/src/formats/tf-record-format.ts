/** TFRecord files as a format: each record is a string tensor without dimensions. */
import { DataLossError, isStatusError } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { maskCrc } from "../checksum/crc-mask.ts";
import { crc32c } from "../checksum/crc32c.ts";
import { readTFRecords } from "../record/read-tf-records.ts";
import type { TFRecordReader } from "../record/read-tf-records.ts";
import type { TFRecordCompression } from "../record/record-compression.ts";
import { abortable, checkSignal, signalOf } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import type { Format, FormatFile } from "./format.ts";
import { beginsWith } from "./format.ts";
import type { StoreNote, StoreReader } from "./checked-store.ts";
import type { ChecksumVerdict, StoredBytes, TensorInfo } from "./tensor-store.ts";

/** The most records that are listed. */
const kMostRecords = 100_000;

/**
 * Files that begin with the length of a record in eight bytes and the checksum of these, or with a compressed record. They are read once when
 * they are opened, for the lengths of the records. A file that ends too early, or is damaged, has a note.
 */
export const tfRecordFormat: Format = {
  name: "TFRecord",
  names: /\.tfrecords?$/,
  sniff: async (file, options) => hasLengthChecksum(file.start) || (await hasCompressedRecord(file, options)),
  async open(file, transfer): Promise<StoreReader> {
    const compression = hasLengthChecksum(file.start) ? null : compressionOf(file.start);
    const options = { ...(compression === null ? {} : { compression }), verifyChecksums: false };
    const infos = new Map<string, TensorInfo>();
    const offsets: number[] = [0];
    const notes: StoreNote[] = compression === null ? [] : [["compressed", compression]];
    try {
      const reader = readTFRecords(file.source, { ...options, ...transfer });
      for await (const { length } of reader) {
        const name = `record ${infos.size}`;
        infos.set(name, { name, dtype: "string", shape: [], bytes: length });
        offsets.push(reader.offset);
        if (infos.size < kMostRecords) continue;
        notes.push([`only the first ${kMostRecords} records are listed`, ""]);
        break;
      }
    } catch (error) {
      // Without its checksum, a damaged length is one of a record that is too long to be read.
      if (!isStatusError(error, "DATA_LOSS") && !isStatusError(error, "RESOURCE_EXHAUSTED")) throw error;
      notes.push([error.code, error.message]);
    }
    const places = compression === null ? offsets : null;
    const checked = new RecordCursor((offset) => readTFRecords(file.source, { ...options, offset, verifyChecksums: true }), places);
    const unchecked = new RecordCursor((offset) => readTFRecords(file.source, { ...options, offset }), places);
    const indexOf = (name: string): number => Number(name.slice("record ".length));
    return {
      format: "TFRecord",
      names: [...infos.keys()],
      hasChecksums: true,
      notes,
      info: (name) => infos.get(name),
      async read(name, _, more) {
        const record = await checked.record(indexOf(name), more);
        return Tensor.from(record.slice() as never, { dtype: "string" } as never) as Tensor;
      },
      async bytes(name, more): Promise<StoredBytes> {
        const index = indexOf(name);
        const bytes = (await unchecked.record(index, more)).slice();
        let checksum: ChecksumVerdict = "ok";
        try {
          await checked.record(index, more);
        } catch (error) {
          if (!isStatusError(error, "DATA_LOSS")) throw error;
          checksum = "bad";
        }
        return { bytes, checksum };
      },
    };
  },
  writer: null,
};

/** Returns true if the bytes begin with a record's length of eight bytes and the checksum of these. */
function hasLengthChecksum(start: Uint8Array<ArrayBufferLike>): boolean {
  if (start.length < 12) return false;
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength);
  return view.getUint32(8, true) === maskCrc(crc32c(start.subarray(0, 8)));
}

/** Returns the compression that bytes begin with. */
function compressionOf(start: Uint8Array<ArrayBufferLike>): TFRecordCompression | null {
  return beginsWith(start, 0x1f, 0x8b) ? "GZIP" : beginsWith(start, 0x78) ? "ZLIB" : null;
}

async function hasCompressedRecord({ source, start }: FormatFile, transfer: TransferOptions): Promise<boolean> {
  const compression = compressionOf(start);
  if (compression === null) return false;
  const reader = readTFRecords(source, { compression, ...signalOf(transfer) });
  try {
    await reader.next();
    return true;
  } catch (error) {
    if (!isStatusError(error) || error.code === "CANCELLED") throw error;
    return false;
  } finally {
    await reader.return();
  }
}

/** A pass over the records, and the number of the record that it gives next. */
interface RecordPass {
  readonly reader: TFRecordReader;
  next: number;
}

/**
 * Reads records by number. Records that are asked for in order are read in one pass; any other is found at its offset, in a compressed file
 * from the beginning. Calls at the same time have passes of their own.
 */
class RecordCursor {
  readonly #open: (offset: number) => TFRecordReader;
  /** Where each record begins; null for a compressed file. */
  readonly #offsets: readonly number[] | null;
  /** The pass of the last call that has ended; null while another call uses it. */
  #idle: RecordPass | null = null;

  constructor(open: (offset: number) => TFRecordReader, offsets: readonly number[] | null) {
    this.#open = open;
    this.#offsets = offsets;
  }

  async record(index: number, { signal }: TransferOptions): Promise<Uint8Array<ArrayBufferLike>> {
    const pass = this.#passTo(index);
    for (;;) {
      checkSignal(signal, `reading record ${index}`);
      // A pass outlives the call, so it does not have the signal. One that is left here is not used again.
      const { value, done } = await abortable(`reading record ${index}`, signal, pass.reader.next());
      if (done === true) throw new DataLossError(`record ${index}: the file ends before it`);
      if (pass.next++ < index) continue;
      // A pass that has thrown is at its end, and is not used again.
      this.#idle = pass;
      return value;
    }
  }

  /** Takes the idle pass if it comes to a record, or begins one. */
  #passTo(index: number): RecordPass {
    const [idle, offsets] = [this.#idle, this.#offsets];
    this.#idle = null;
    if (idle !== null && (offsets === null ? idle.next <= index : idle.next === index)) return idle;
    return { reader: this.#open(offsets?.[index] ?? 0), next: offsets === null ? 0 : index };
  }
}

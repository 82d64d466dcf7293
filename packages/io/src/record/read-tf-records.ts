/**
 * Reads TFRecord files (in C++: tsl/lib/io/record_reader.h, SequentialRecordReader; in Python: tf.data.TFRecordDataset).
 *
 * A file is read once, in pieces of 256 KiB; a longer record is read whole. Nothing is allocated for a length before it was compared with
 * the bytes that remain, which for a compressed file are only known at its end: there the memory grows with what was inflated.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { byteView, checkInteger, checkOptions } from "@onebuffer/base/internal";
import type { BytesInput } from "../source/bytes-input.ts";
import { sourceName } from "../source/checked-read.ts";
import { toByteSource } from "../source/to-byte-source.ts";
import type { SourceInput } from "../source/to-byte-source.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { checkSignal, checkTransfer } from "../source/transfer-options.ts";
import { formatOf } from "./record-compression.ts";
import type { TFRecordCompression } from "./record-compression.ts";
import { kFooterBytes, kHeaderBytes, RecordFrames } from "./record-frame.ts";
import { inflatedStream, plainStream } from "./record-stream.ts";
import type { RecordStream } from "./record-stream.ts";

/** The longest record by default: a message of protobuf's has at most 2 GiB - 1 byte. */
const kMaxRecordBytes = 2 ** 31 - 1;

/**
 * The options of `readTFRecordsSync`.
 *
 * @example
 * const sink = new ChunkSink();
 * await writeTFRecords(sink, [Uint8Array.of(1), Uint8Array.of(2)]);
 * const options: TFRecordSyncOptions = { offset: 17, verifyChecksums: false };
 * [...readTFRecordsSync(sink.toBytes(), options)]; // => [Uint8Array.of(2)]
 */
export interface TFRecordSyncOptions {
  /** False to leave the checksums of lengths and data unchecked. Default: true. */
  readonly verifyChecksums?: boolean;
  /** Where the first record to be read starts: 0, or an `offset` of an earlier reader. Only without compression. Default: 0. */
  readonly offset?: number;
  /** The longest record to be read. Default: 2^31 - 1. */
  readonly maxRecordBytes?: number;
}

/**
 * The options of `readTFRecords`.
 *
 * @example
 * const options: TFRecordReadOptions = { compression: "ZLIB", verifyChecksums: false };
 * const sink = new ChunkSink();
 * await writeTFRecords(sink, [new Uint8Array(9)], { compression: "ZLIB" });
 * (await readTFRecords(sink.toBytes(), options).next()).value?.length; // => 9
 */
export interface TFRecordReadOptions extends TFRecordSyncOptions, TransferOptions {
  /** The compression of the file. Default: none. */
  readonly compression?: TFRecordCompression;
}

const kSyncKeys = ["verifyChecksums", "offset", "maxRecordBytes"];
const kKeys = [...kSyncKeys, "compression", "signal", "onProgress"];

/**
 * The records of a file, one after the other; `readTFRecords` makes it. Calls of `next` that overlap are served in order.
 *
 * @example
 * const sink = new ChunkSink();
 * await writeTFRecords(sink, [Uint8Array.of(1, 2), Uint8Array.of(3)]);
 * const reader: TFRecordReader = readTFRecords(sink.toBytes());
 * (await reader.next()).value; // => Uint8Array.of(1, 2)
 * [reader.recordCount, reader.offset]; // => [1, 18]
 */
export class TFRecordReader implements AsyncIterableIterator<Uint8Array<ArrayBufferLike>, undefined> {
  readonly #frames: RecordFrames;
  readonly #records: AsyncGenerator<Uint8Array<ArrayBufferLike>, undefined>;

  /** @internal */
  constructor(stream: RecordStream, frames: RecordFrames, options: TransferOptions) {
    this.#frames = frames;
    this.#records = recordsOf(stream, frames, options);
  }

  /** The number of records returned so far. */
  get recordCount(): number {
    return this.#frames.count;
  }

  /** The offset of the next record: give it to `readTFRecords` to continue there later. In a compressed file, the offset after inflating. */
  get offset(): number {
    return this.#frames.offset;
  }

  /** Returns the next record, or `done` at the end of the file. Throws as `readTFRecords` says. */
  next(): Promise<IteratorResult<Uint8Array<ArrayBufferLike>, undefined>> {
    return this.#records.next();
  }

  /** Ends the reading; a `for await` loop that is left calls it. */
  return(): Promise<IteratorResult<Uint8Array<ArrayBufferLike>, undefined>> {
    return this.#records.return(undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/**
 * Returns the records of a TFRecord file, in order. The file is read while the records are taken.
 *
 * A record is a view: of the caller's bytes if the file is in memory, otherwise of a piece of the file that is not used again. Copies only
 * records that lie in two pieces.
 *
 * Reading throws DATA_LOSS, with the record's number and offset, if a checksum is wrong or the file ends inside a record or its
 * compression is damaged; RESOURCE_EXHAUSTED for a record longer than `maxRecordBytes`; CANCELLED if the signal is aborted;
 * UNIMPLEMENTED if the platform cannot inflate; the errors of the source. `readTFRecords` itself throws INVALID_ARGUMENT for wrong
 * arguments.
 *
 * @example
 * const sink = new ChunkSink();
 * await writeTFRecords(sink, [exampleCodec.encode({ features: {} }), new Uint8Array(0)]);
 * const file = sink.toBytes();
 * const lengths = [];
 * for await (const record of readTFRecords(file)) lengths.push(record.length);
 * lengths; // => [2, 0]
 * await readTFRecords(file.subarray(0, 17)).next(); // throws DATA_LOSS
 */
export function readTFRecords(source: SourceInput, given: TFRecordReadOptions = {}): TFRecordReader {
  checkOptions("readTFRecords", given, kKeys);
  // A getter could return another value when it is read again.
  const options = { ...given };
  checkTransfer(options);
  const from = toByteSource(source);
  const format = formatOf(options.compression);
  const frames = framesOf(options, sourceName(from), format === null ? from.size : 0);
  const stream = format === null ? plainStream(from, frames.offset, options) : inflatedStream(from, format, options);
  return new TFRecordReader(stream, frames, options);
}

/**
 * Returns the records of a TFRecord file in memory, without compression. Each record is a view of `bytes`.
 *
 * Taking a record throws what `readTFRecords` says; the call itself throws INVALID_ARGUMENT for wrong arguments. Copies: nothing.
 *
 * @example
 * const sink = new ChunkSink();
 * await writeTFRecords(sink, [Uint8Array.of(7, 8), Uint8Array.of(9)]);
 * const file = sink.toBytes();
 * [...readTFRecordsSync(file)]; // => [Uint8Array.of(7, 8), Uint8Array.of(9)]
 * file[12] = 0; // the first byte of data
 * [...readTFRecordsSync(file)]; // throws DATA_LOSS
 */
export function readTFRecordsSync(
  bytes: BytesInput,
  options: TFRecordSyncOptions = {},
): Generator<Uint8Array<ArrayBufferLike>, undefined, undefined> {
  checkOptions("readTFRecordsSync", options, kSyncKeys);
  const view = byteView(bytes);
  return recordsIn(view, framesOf(options, "the bytes", view.length));
}

/** Makes the checks of a file whose records may start at any offset up to `lastOffset`. */
function framesOf(options: TFRecordSyncOptions, name: string, lastOffset: number): RecordFrames {
  const { verifyChecksums = true, offset = 0, maxRecordBytes = kMaxRecordBytes } = options;
  if (typeof verifyChecksums !== "boolean") throw new InvalidArgumentError("verifyChecksums is true or false");
  checkInteger(offset, "offset", 0, lastOffset);
  checkInteger(maxRecordBytes, "maxRecordBytes");
  return new RecordFrames(name, offset, verifyChecksums, maxRecordBytes);
}

function* recordsIn(bytes: Uint8Array<ArrayBufferLike>, frames: RecordFrames): Generator<Uint8Array<ArrayBufferLike>, undefined> {
  while (frames.offset < bytes.length) {
    const { offset } = frames;
    yield frames.data(bytes, offset, frames.dataLength(bytes, offset, bytes.length - offset));
  }
  return undefined;
}

async function* recordsOf(
  stream: RecordStream,
  frames: RecordFrames,
  options: TransferOptions,
): AsyncGenerator<Uint8Array<ArrayBufferLike>, undefined> {
  try {
    for (;;) {
      checkSignal(options.signal, "reading records");
      if (available(stream) < kHeaderBytes) await stream.fill(kHeaderBytes);
      if (available(stream) === 0) return undefined;
      const length = frames.dataLength(stream.bytes, stream.pos, available(stream) < kHeaderBytes ? available(stream) : stream.remaining);
      const total = kHeaderBytes + length + kFooterBytes;
      if (available(stream) < total) await stream.fill(total);
      if (available(stream) < total) throw frames.truncated(available(stream), total);
      const record = frames.data(stream.bytes, stream.pos, length);
      stream.pos += total;
      yield record;
    }
  } finally {
    await stream.end();
  }
}

/** Returns the number of unread bytes in the stream's piece. */
function available(stream: RecordStream): number {
  return stream.bytes.length - stream.pos;
}

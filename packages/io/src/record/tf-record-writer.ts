/**
 * Writes TFRecord files (in C++: tsl/lib/io/record_writer.h; in Python: tf.io.TFRecordWriter).
 *
 * Records are collected in a buffer of 64 KiB, so that a sink gets few large writes; the data of a record that is longer goes to the sink
 * without a copy.
 */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue, typedArrayKind } from "@onebuffer/base/internal";
import { SinkWriter } from "../source/sink-writer.ts";
import { toByteSink } from "../source/to-byte-sink.ts";
import type { SinkOutput } from "../source/to-byte-sink.ts";
import type { AbortSignalLike, TransferOptions } from "../source/transfer-options.ts";
import { abortable, checkSignal, checkTransfer } from "../source/transfer-options.ts";
import { formatOf } from "./record-compression.ts";
import type { TFRecordCompression } from "./record-compression.ts";
import { abortedOnce, deflatedOutput, plainOutput } from "./record-output.ts";
import type { RecordOutput } from "./record-output.ts";
import { kFooterBytes, kHeaderBytes, putFooter, putHeader } from "./record-frame.ts";

const kBufferBytes = 65536;
const kDone: Promise<void> = Promise.resolve();

/**
 * The options of `TFRecordWriter` and `writeTFRecords`.
 *
 * @example
 * const options: TFRecordWriteOptions = { compression: "GZIP" };
 * const sink = new ChunkSink();
 * await writeTFRecords(sink, [new Uint8Array(100_000)], options);
 * sink.size < 200; // => true
 */
export interface TFRecordWriteOptions extends TransferOptions {
  /** The compression of the file. Default: none. */
  readonly compression?: TFRecordCompression;
}

/**
 * Writes records to a sink, in order.
 *
 * After an error, which the call that met it throws, the sink was aborted, and every later call throws the same error.
 *
 * @example
 * const sink = new ChunkSink();
 * await using writer = new TFRecordWriter(sink);
 * await writer.write(Uint8Array.of(1, 2, 3));
 * await writer.close();
 * [writer.recordCount, sink.size]; // => [1, 19]
 * await writer.write(Uint8Array.of(4)); // throws FAILED_PRECONDITION
 */
export class TFRecordWriter {
  readonly #output: RecordOutput;
  readonly #options: TFRecordWriteOptions;
  readonly #buffer = new Uint8Array(kBufferBytes);
  #used = 0;
  #count = 0;
  /** The last of the calls under way, or null. */
  #pending: Promise<void> | null = null;
  #failure: { readonly error: unknown } | null = null;
  #closing: Promise<void> | null = null;

  /** Starts a file. Throws INVALID_ARGUMENT for wrong arguments, UNIMPLEMENTED if the platform cannot deflate. */
  constructor(output: SinkOutput, given: TFRecordWriteOptions = {}) {
    checkOptions("TFRecordWriter", given, ["compression", "signal", "onProgress"]);
    // A getter could return another value when it is read again.
    const options = { ...given };
    checkTransfer(options);
    const format = formatOf(options.compression);
    const sink = abortedOnce(toByteSink(output));
    const writer = new SinkWriter(sink, 0, options);
    this.#options = options;
    this.#output = format === null ? plainOutput(sink, writer, options) : deflatedOutput(sink, writer, format, options);
  }

  /** The number of records written so far. */
  get recordCount(): number {
    return this.#count;
  }

  /**
   * Writes a record. Its bytes must not change until the promise is fulfilled. A short record is only copied to the buffer.
   *
   * Throws INVALID_ARGUMENT if `record` is not a Uint8Array, FAILED_PRECONDITION after `close`, CANCELLED if the signal is aborted, the
   * errors of the sink.
   */
  write(record: Uint8Array<ArrayBufferLike>): Promise<void> {
    if (typedArrayKind(record) !== "Uint8Array")
      return Promise.reject(new InvalidArgumentError(`a record is a Uint8Array, got ${shownValue(record)}`));
    if (this.#closing !== null && this.#failure === null)
      return Promise.reject(new FailedPreconditionError("the file of records is closed"));
    const isIdle = this.#pending === null && this.#failure === null && this.#options.signal?.aborted !== true;
    if (isIdle && this.#fits(record)) {
      this.#append(record);
      return kDone;
    }
    return this.#enqueue(() => this.#appendSlowly(record));
  }

  /** Gives the sink all records written so far. With compression, what the compressor keeps back is not among them. */
  flush(): Promise<void> {
    return this.#enqueue(() => this.#flushBuffer());
  }

  /** Writes what is left and closes the sink. A second call has no effect. */
  close(): Promise<void> {
    this.#closing ??= this.#enqueue(async () => {
      await this.#flushBuffer();
      await this.#output.close();
    });
    return this.#closing;
  }

  /** Gives the file up: aborts the sink. Later calls throw `reason`. */
  abort(reason: unknown): Promise<void> {
    if (this.#failure !== null || this.#closing !== null) return Promise.resolve();
    this.#failure = { error: reason };
    return this.#output.abort(reason);
  }

  /** Closes the file at the end of an `await using` block. After an error, which a call has thrown, or `abort` there is nothing to close. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#failure === null) await this.close();
  }

  /** Runs `act` after the calls under way. */
  #enqueue(act: () => Promise<void>): Promise<void> {
    const run = async (): Promise<void> => {
      if (this.#failure !== null) throw this.#failure.error;
      try {
        checkSignal(this.#options.signal, "writing records");
        await act();
      } catch (error) {
        this.#failure = { error };
        await this.#output.abort(error);
        throw error;
      }
    };
    const done: Promise<void> = (this.#pending === null ? run() : this.#pending.then(run, run)).finally(() => {
      if (this.#pending === done) this.#pending = null;
    });
    this.#pending = done;
    return done;
  }

  /** Returns true if the buffer has room for a record. */
  #fits(record: Uint8Array<ArrayBufferLike>): boolean {
    return kHeaderBytes + record.length + kFooterBytes <= kBufferBytes - this.#used;
  }

  /** Puts a record into the buffer. */
  #append(record: Uint8Array<ArrayBufferLike>): void {
    this.#putHeader(record);
    this.#buffer.set(record, this.#used);
    this.#used += record.length;
    this.#putFooter(record);
    this.#count++;
  }

  /** Makes room for a record, and puts it into the buffer or gives it to the sink. */
  async #appendSlowly(record: Uint8Array<ArrayBufferLike>): Promise<void> {
    if (!this.#fits(record)) await this.#flushBuffer();
    if (this.#fits(record)) {
      this.#append(record);
      return;
    }
    this.#putHeader(record);
    await this.#flushBuffer();
    await this.#output.write(record);
    this.#putFooter(record);
    this.#count++;
  }

  #putHeader(record: Uint8Array<ArrayBufferLike>): void {
    putHeader(this.#buffer, this.#used, record.length);
    this.#used += kHeaderBytes;
  }

  #putFooter(record: Uint8Array<ArrayBufferLike>): void {
    putFooter(this.#buffer, this.#used, record);
    this.#used += kFooterBytes;
  }

  async #flushBuffer(): Promise<void> {
    const used = this.#used;
    this.#used = 0;
    if (used > 0) await this.#output.write(this.#buffer.subarray(0, used));
  }
}

/**
 * Writes a TFRecord file of all records of an iterable, and closes the sink. Returns the number of records.
 *
 * Throws as the calls of TFRecordWriter do, and what the iterable throws; the sink is then aborted.
 *
 * @example
 * const sink = new ChunkSink();
 * await writeTFRecords(sink, [Uint8Array.of(1), new Uint8Array(0)]); // => 2
 * [...readTFRecordsSync(sink.toBytes())]; // => [Uint8Array.of(1), new Uint8Array(0)]
 */
export async function writeTFRecords(
  output: SinkOutput,
  records: Iterable<Uint8Array<ArrayBufferLike>> | AsyncIterable<Uint8Array<ArrayBufferLike>>,
  options: TFRecordWriteOptions = {},
): Promise<number> {
  const { [Symbol.iterator]: each, [Symbol.asyncIterator]: eachAsync } = Object(records) as Partial<
    Iterable<unknown> & AsyncIterable<unknown>
  >;
  if (typeof records === "string" || ArrayBuffer.isView(records) || (typeof each !== "function" && typeof eachAsync !== "function"))
    throw new InvalidArgumentError(`writeTFRecords: expected the records, one by one, got ${shownValue(records)}`);
  const writer = new TFRecordWriter(output, options);
  try {
    const { signal } = options;
    if (signal !== undefined) checkTransfer({ signal });
    for await (const record of signal === undefined ? records : untilAborted(records, signal)) await writer.write(record);
    await writer.close();
  } catch (error) {
    await writer.abort(error);
    throw error;
  }
  return writer.recordCount;
}

/** Yields records until the signal is aborted: then throws CANCELLED, and does not wait for the one that is to come. */
async function* untilAborted<T>(records: Iterable<T> | AsyncIterable<T>, signal: AbortSignalLike): AsyncGenerator<T, void, undefined> {
  const each = inOrder(records);
  try {
    for (;;) {
      const { done, value } = await abortable("writing records", signal, each.next());
      if (done === true) return;
      yield value;
    }
  } finally {
    const returned = each.return();
    if (signal.aborted) returned.catch(() => undefined);
    else await returned;
  }
}

async function* inOrder<T>(records: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
  yield* records;
}

/** Writes a file to a sink: counts the bytes, reports progress, and ends the sink in the right way. */
import type { ByteSink } from "./byte-sink.ts";
import { toByteSink } from "./to-byte-sink.ts";
import type { SinkOutput } from "./to-byte-sink.ts";
import type { TransferOptions } from "./transfer-options.ts";
import { abortable, checkSignal, checkTransfer, transferOf } from "./transfer-options.ts";

/** The bytes that go to a sink at once, so that a signal is noticed and progress is seen within a large tensor. */
const kPiece = 16 << 20;

/** What a format's writer writes to. */
export class SinkWriter {
  readonly #sink: ByteSink;
  readonly #options: TransferOptions;
  readonly #totalBytes: number;
  #position = 0;

  constructor(sink: ByteSink, totalBytes: number, options: TransferOptions) {
    this.#sink = sink;
    this.#options = options;
    this.#totalBytes = totalBytes;
  }

  /** The number of bytes written so far, which is the offset of the next one in the file. */
  get position(): number {
    return this.#position;
  }

  /** Writes the next bytes. `name` is that of the tensor or member that they complete, for the listener of progress. */
  async write(bytes: Uint8Array<ArrayBufferLike>, name?: string): Promise<void> {
    const { signal, onProgress } = this.#options;
    for (let from = 0; from < bytes.length || from === 0; from += kPiece) {
      checkSignal(signal, "writing");
      const piece = bytes.length <= kPiece ? bytes : bytes.subarray(from, from + kPiece);
      if (piece.length > 0) {
        const written = this.#sink.write(piece);
        if (written !== undefined) await abortable("writing", signal, Promise.resolve(written));
      }
      this.#position += piece.length;
      const isLast = from + kPiece >= bytes.length;
      onProgress?.({ bytes: this.#position, totalBytes: this.#totalBytes, ...(isLast && name !== undefined ? { name } : {}) });
    }
  }
}

/**
 * Calls `write` with a writer over `output`, then closes the sink. If anything fails, aborts the sink with the error and throws the error.
 * `totalBytes` is the size of the file, or 0 if it is not known, for the listener of progress.
 */
export async function writeToSink<T>(
  output: SinkOutput,
  totalBytes: number,
  given: TransferOptions,
  write: (writer: SinkWriter) => Promise<T>,
): Promise<T> {
  const sink = toByteSink(output);
  try {
    // A getter could return another value when it is read again.
    const options = transferOf(given);
    checkTransfer(options);
    checkSignal(options.signal, "writing");
    const result = await write(new SinkWriter(sink, totalBytes, options));
    checkSignal(options.signal, "writing");
    await closeSink(sink, options);
    return result;
  } catch (error) {
    await abortSink(sink, error);
    throw error;
  }
}

/** Closes a sink. Throws CANCELLED as soon as the signal is aborted. */
export async function closeSink(sink: ByteSink, { signal }: TransferOptions): Promise<void> {
  await abortable("writing", signal, Promise.resolve(sink.close()));
}

/** Aborts a sink after an error. The error of the abortion itself is of no interest: the first one is thrown. */
async function abortSink(sink: ByteSink, reason: unknown): Promise<void> {
  try {
    await sink.abort?.(reason);
  } catch {
    // The caller throws `reason`.
  }
}

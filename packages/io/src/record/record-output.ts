/** Where the bytes of a TFRecord file go: a sink, with the platform's compression in between or without. */
import { deflateChunks } from "../compress/deflate.ts";
import type { CompressionFormat } from "../compress/transform-chunks.ts";
import type { ByteSink } from "../source/byte-sink.ts";
import { closeSink } from "../source/sink-writer.ts";
import type { SinkWriter } from "../source/sink-writer.ts";
import type { TransferOptions } from "../source/transfer-options.ts";

/** What a writer of records writes to. A call waits for the one before. */
export interface RecordOutput {
  /** Takes the next bytes, which may change after the promise is fulfilled. */
  write(bytes: Uint8Array<ArrayBufferLike>): Promise<void>;
  /** Closes the sink after all bytes. */
  close(): Promise<void>;
  /** Aborts the sink after an error. */
  abort(reason: unknown): Promise<void>;
}

/**
 * Returns a sink that passes the first `abort` on, and after it nothing: a writer may be given up while a write is under way, which would go on
 * with the next bytes, and give up, too.
 */
export function abortedOnce(sink: ByteSink): ByteSink {
  let aborted: { readonly reason: unknown; done: void | Promise<void> } | null = null;
  const checkOpen = (): void => {
    if (aborted !== null) throw aborted.reason;
  };
  return {
    write: (bytes) => {
      checkOpen();
      return sink.write(bytes);
    },
    close: () => {
      checkOpen();
      return sink.close();
    },
    abort: (reason) => {
      if (aborted !== null) return aborted.done;
      aborted = { reason, done: undefined };
      aborted.done = sink.abort?.(reason);
      return aborted.done;
    },
  };
}

/** Returns an output that writes to the sink. */
export function plainOutput(sink: ByteSink, writer: SinkWriter, options: TransferOptions): RecordOutput {
  return {
    write: (bytes) => writer.write(bytes),
    close: () => closeSink(sink, options),
    abort: (reason) => abortSink(sink, reason),
  };
}

/** Returns an output that writes compressed bytes to the sink. Bytes are copied, because the platform keeps them after a write. */
export function deflatedOutput(sink: ByteSink, writer: SinkWriter, format: CompressionFormat, options: TransferOptions): RecordOutput {
  const queue = new ChunkQueue();
  const pump = async (): Promise<void> => {
    try {
      for await (const piece of deflateChunks(queue, format, { what: "writing records", signal: options.signal }))
        await writer.write(piece);
    } catch (error) {
      queue.fail(error);
      throw error;
    }
  };
  const done = pump();
  // The error is thrown by the `write` or `close` that waits.
  done.catch(() => undefined);
  return {
    write: (bytes) => queue.put(bytes.slice()),
    close: async () => {
      queue.end();
      await done;
      await closeSink(sink, options);
    },
    abort: async (reason) => {
      queue.fail(reason);
      await abortSink(sink, reason);
    },
  };
}

/** Aborts a sink. An error of `abort` is of no interest: the reason is thrown. */
async function abortSink(sink: ByteSink, reason: unknown): Promise<void> {
  try {
    await sink.abort?.(reason);
  } catch {
    // The caller throws `reason`.
  }
}

/** Chunks from one writer to one reader; a `put` waits until the reader wants the next chunk. */
class ChunkQueue implements AsyncIterable<Uint8Array<ArrayBufferLike>> {
  #chunk: Uint8Array<ArrayBufferLike> | null = null;
  #ended = false;
  #failure: { readonly error: unknown } | null = null;
  /** Called when there is a chunk, the end or an error. */
  #wakeReader: () => void = () => undefined;
  /** Called when the chunk was taken, or with an error. */
  #wakeWriter: () => void = () => undefined;

  async put(chunk: Uint8Array<ArrayBufferLike>): Promise<void> {
    this.#chunk = chunk;
    await new Promise<void>((resolve) => {
      this.#wakeWriter = resolve;
      if (this.#failure !== null) resolve();
      this.#wakeReader();
    });
    if (this.#failure !== null) throw this.#failure.error;
  }

  end(): void {
    this.#ended = true;
    this.#wakeReader();
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wakeReader();
    this.#wakeWriter();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array<ArrayBufferLike>, void, undefined> {
    for (;;) {
      if (this.#failure !== null) throw this.#failure.error;
      if (this.#chunk !== null) {
        const chunk = this.#chunk;
        this.#chunk = null;
        this.#wakeWriter();
        yield chunk;
      } else if (this.#ended) return;
      else {
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    }
  }
}

/**
 * Sends bytes through one of the platform's compression streams. Browsers, Node 20, Deno and Bun have them; a synchronous inflate exists
 * in none of them all, so everything here is asynchronous.
 */
import { UnimplementedError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import type { AbortSignalLike } from "../source/transfer-options.ts";
import { checkSignal } from "../source/transfer-options.ts";

/** A format of the platform's compression streams: zlib's (RFC 1950), bare deflate (RFC 1951, in zip files), gzip's (RFC 1952). */
export type CompressionFormat = "deflate" | "deflate-raw" | "gzip";

/** Bytes in pieces, in order: an array of pieces, or a generator. */
export type ByteChunks = Iterable<Uint8Array<ArrayBufferLike>> | AsyncIterable<Uint8Array<ArrayBufferLike>>;

/** The part of a writer of a WritableStream of bytes that is used here. */
interface ByteWriter {
  readonly ready: Promise<unknown>;
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(reason?: unknown): Promise<void>;
}

/** The part of a TransformStream of bytes that is used here. */
interface ByteTransform {
  readonly readable: {
    getReader(): { read(): Promise<{ done: boolean; value?: Uint8Array<ArrayBuffer> }>; cancel(reason?: unknown): Promise<void> };
  };
  readonly writable: {
    getWriter(): ByteWriter;
  };
}

/** The name of a platform class that makes such a stream. */
export type CompressionClass = "CompressionStream" | "DecompressionStream";

/**
 * The bytes that are given to the stream at once. A browser's stream puts all output of one piece into its queue, so a piece bounds the
 * memory: deflate expands by 1032 at most, 32 KiB to 33 MiB.
 */
const kPiece = 32768;

/** How a transfer through a stream is named, ended, and fails. */
export interface TransformOptions {
  /** The name of the bytes in messages. */
  readonly what: string;
  readonly signal?: AbortSignalLike | undefined;
  /** Makes the error for bytes that the stream refuses. */
  failure(cause: unknown): StatusError;
}

/**
 * Yields what comes out of a stream of the class `name` when `chunks` go in. The yielded arrays are new memory. Ends the stream when the
 * caller leaves the loop.
 *
 * Throws `options.failure` if the stream refuses the bytes, whatever the iterator of `chunks` throws, CANCELLED if the signal is aborted,
 * UNIMPLEMENTED if the platform has no such stream.
 */
export async function* transformChunks(
  name: CompressionClass,
  format: CompressionFormat,
  chunks: ByteChunks,
  options: TransformOptions,
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { what, signal, failure } = options;
  const stream = newStream(name, format, what);
  const reader = stream.readable.getReader();
  const feed = new Feed(stream.writable.getWriter(), chunks);
  try {
    for (;;) {
      checkSignal(signal, what);
      let result: Awaited<ReturnType<typeof reader.read>>;
      try {
        result = await reader.read();
      } catch (cause) {
        throw feed.chunkError === null ? failure(cause) : feed.chunkError.cause;
      }
      if (result.done) break;
      if (result.value !== undefined) yield result.value;
    }
  } finally {
    // This also fails the writer's wait for room, which ends the iterator of the chunks.
    reader.cancel().catch(ignore);
  }
}

/** Writes chunks to a stream while another loop reads from it. */
class Feed {
  /** The error that the iterator of the chunks threw. */
  chunkError: { readonly cause: unknown } | null = null;
  readonly #writer: ByteWriter;

  constructor(writer: ByteWriter, chunks: ByteChunks) {
    this.#writer = writer;
    void this.#run(chunks);
  }

  async #run(chunks: ByteChunks): Promise<void> {
    try {
      for await (const chunk of chunks) {
        for (let from = 0; from < chunk.length; from += kPiece) {
          if (!(await this.#hasRoom())) return;
          // If the stream refuses the piece, reading from it fails, too.
          this.#writer.write(unshared(chunk.subarray(from, from + kPiece))).catch(ignore);
        }
      }
    } catch (cause) {
      this.chunkError = { cause };
      this.#writer.abort(cause).catch(ignore);
      return;
    }
    this.#writer.close().catch(ignore);
  }

  /** Waits until the stream has room. Returns false if the stream has failed or the reader has cancelled it. */
  async #hasRoom(): Promise<boolean> {
    try {
      await this.#writer.ready;
      return true;
    } catch {
      return false;
    }
  }
}

function newStream(name: CompressionClass, format: CompressionFormat, what: string): ByteTransform {
  const found = (globalThis as Partial<Record<CompressionClass, new (format: CompressionFormat) => ByteTransform>>)[name];
  try {
    if (found !== undefined) return new found(format);
  } catch (cause) {
    throw new UnimplementedError(`${what}: this platform's ${name} has no ${format}`, { cause });
  }
  throw new UnimplementedError(`${what}: this platform has no ${name}`);
}

/** The platform's streams do not take bytes of shared memory: those are copied. */
function unshared(bytes: Uint8Array<ArrayBufferLike>): Uint8Array {
  return Object.prototype.toString.call(bytes.buffer) === "[object SharedArrayBuffer]" ? new Uint8Array(bytes) : bytes;
}

function ignore(): void {}

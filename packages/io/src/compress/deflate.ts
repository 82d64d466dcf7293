/** Compresses bytes through the platform's CompressionStream, as deflate, zlib or gzip data. */
import { InternalError } from "@onebuffer/base";
import { concatBytes } from "../source/concat-bytes.ts";
import type { InflateOptions } from "./inflate.ts";
import { transformChunks } from "./transform-chunks.ts";
import type { ByteChunks, CompressionFormat } from "./transform-chunks.ts";

/**
 * Yields the compressed bytes in pieces of new memory.
 *
 * Throws CANCELLED if the signal is aborted, UNIMPLEMENTED where the platform has no CompressionStream.
 */
export async function* deflateChunks(
  chunks: ByteChunks,
  format: CompressionFormat,
  options: InflateOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { what = "deflate", signal } = options;
  const failure = (cause: unknown): InternalError => new InternalError(`${what}: the platform's CompressionStream failed`, { cause });
  yield* transformChunks("CompressionStream", format, chunks, { what, signal, failure });
}

/** Returns the compressed bytes in new memory. Throws what `deflateChunks` throws. */
export async function deflate(
  bytes: Uint8Array<ArrayBufferLike>,
  format: CompressionFormat,
  options: InflateOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  for await (const piece of deflateChunks([bytes], format, options)) pieces.push(piece);
  return concatBytes(pieces);
}

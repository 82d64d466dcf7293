/**
 * Inflates deflate, zlib and gzip data through the platform's DecompressionStream. The output is bounded by what the file declares, so a
 * small file cannot fill the memory: reading stops with the first byte too many.
 *
 * Bytes after the end of the data are refused by browsers and by Node 24 and later; before, Node ignored them or read another gzip member.
 * Deno does not notice that bare deflate data ("deflate-raw") ends early: its reader must know the length or the checksum of the output.
 *
 *     inflateChunks   pieces in, pieces out: for a file whose length is not known before
 *     inflateInto     fills memory of the declared length, for example of the arena
 *     inflate         the same into a new array
 */
import { DataLossError } from "@onebuffer/base";
import { newBytes } from "../source/new-bytes.ts";
import type { AbortSignalLike } from "../source/transfer-options.ts";
import { transformChunks } from "./transform-chunks.ts";
import type { ByteChunks, CompressionFormat } from "./transform-chunks.ts";
import { missesEnds, ZlibTrailer } from "./zlib-trailer.ts";

/** The options of a transfer through `inflate` and `deflate`. */
export interface InflateOptions {
  /** The name of the bytes in messages; "inflate" by default. */
  readonly what?: string;
  /** An AbortSignal that ends the transfer with CANCELLED. */
  readonly signal?: AbortSignalLike | undefined;
}

/** Deflate's largest expansion: a symbol of two bits can stand for 258 bytes, so 8 bits for 1032. */
const kMostExpansion = 1032;

/**
 * Throws DATA_LOSS if deflate cannot make `length` bytes of `compressed` bytes. Call it before allocating a declared length.
 */
export function checkExpansion(compressed: number, length: number, what: string = "inflate"): void {
  const possible = compressed * kMostExpansion;
  if (length > possible) throw new DataLossError(`${what}: ${compressed} bytes cannot inflate to ${length}, at most to ${possible}`);
}

/**
 * Yields the inflated bytes in pieces of new memory, at most `maxLength` bytes in all.
 *
 * Throws DATA_LOSS if the data is damaged, ends early or inflates to more than `maxLength` bytes, CANCELLED if the signal is aborted,
 * UNIMPLEMENTED where the platform has no DecompressionStream.
 */
export async function* inflateChunks(
  chunks: ByteChunks,
  format: CompressionFormat,
  maxLength: number,
  options: InflateOptions = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const { what = "inflate", signal } = options;
  const failure = (cause: unknown): DataLossError => new DataLossError(`${what}: the ${format} data is damaged or ends early`, { cause });
  const trailer = format === "deflate" && (await missesEnds()) ? new ZlibTrailer() : null;
  const input = trailer?.input(chunks) ?? chunks;
  let length = 0;
  for await (const piece of transformChunks("DecompressionStream", format, input, { what, signal, failure })) {
    length += piece.length;
    if (length > maxLength) throw new DataLossError(`${what}: the data inflates to more than ${maxLength} bytes`);
    trailer?.add(piece);
    yield piece;
  }
  if (trailer?.matches() === false) throw failure("the checksum at the end is missing or wrong");
}

/**
 * Inflates into `target`, which the output must fill exactly.
 *
 * Throws what `inflateChunks` throws, and DATA_LOSS if the output is shorter than `target`, whose content is then of no use.
 */
export async function inflateInto(
  target: Uint8Array<ArrayBufferLike>,
  chunks: ByteChunks,
  format: CompressionFormat,
  options: InflateOptions = {},
): Promise<void> {
  let length = 0;
  for await (const piece of inflateChunks(chunks, format, target.length, options)) {
    target.set(piece, length);
    length += piece.length;
  }
  if (length !== target.length) throw new DataLossError(`${options.what ?? "inflate"}: expected ${target.length} bytes, got ${length}`);
}

/**
 * Returns the inflated bytes, exactly `length` bytes, in new memory.
 *
 * Throws what `inflateInto` throws. A length that these bytes cannot inflate to is refused before anything is allocated.
 */
export async function inflate(
  bytes: Uint8Array<ArrayBufferLike>,
  format: CompressionFormat,
  length: number,
  options: InflateOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  checkExpansion(bytes.length, length, options.what);
  const target = newBytes(length, options.what ?? "inflate");
  await inflateInto(target, [bytes], format, options);
  return target;
}

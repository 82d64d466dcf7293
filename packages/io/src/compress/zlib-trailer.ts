/**
 * Notices zlib data that ends early where the platform does not: Deno's DecompressionStream takes the end of the input for the end of the
 * data. The last four bytes of zlib data are the Adler-32 checksum of the output (RFC 1950), which is computed here then.
 *
 *     a = 1 + sum of the bytes, b = sum of all a; both modulo 65521        checksum = b << 16 | a, the highest byte first
 */
import { DataLossError } from "@onebuffer/base";
import type { ByteChunks } from "./transform-chunks.ts";
import { transformChunks } from "./transform-chunks.ts";

const kModulus = 65521;

/** After so many bytes the sums are still below 2^32, where numbers are exact. */
const kMostBytes = 5552;

/** The last result of `missesEnds`, and the stream class that it is of. */
let known: { readonly type: unknown; readonly misses: Promise<boolean> } | null = null;

/** True if the platform inflates zlib data whose checksum is missing without an error. */
export function missesEnds(): Promise<boolean> {
  const type = (globalThis as { readonly DecompressionStream?: unknown }).DecompressionStream;
  if (known === null || known.type !== type) known = { type, misses: probe() };
  return known.misses;
}

async function probe(): Promise<boolean> {
  // A header, and one empty block that says it is the last.
  const noChecksum = Uint8Array.of(0x78, 0x9c, 3, 0);
  try {
    const pieces = transformChunks("DecompressionStream", "deflate", [noChecksum], {
      what: "a test",
      failure: () => new DataLossError("noticed"),
    });
    for (let next = await pieces.next(); next.done !== true; ) next = await pieces.next();
    return true;
  } catch {
    return false;
  }
}

/** Compares the checksum of the output with the last four bytes of the input. */
export class ZlibTrailer {
  #a = 1;
  #b = 0;
  /** The last bytes of the input, as a big-endian number of 32 bits. */
  #last = 0;

  /** Yields the chunks of the input unchanged. */
  async *input(chunks: ByteChunks): AsyncGenerator<Uint8Array<ArrayBufferLike>, void, undefined> {
    for await (const chunk of chunks) {
      for (const byte of chunk.subarray(-4)) this.#last = (this.#last << 8) | byte;
      yield chunk;
    }
  }

  /** Takes the next bytes of the output. */
  add(output: Uint8Array<ArrayBufferLike>): void {
    let a = this.#a;
    let b = this.#b;
    for (let from = 0; from < output.length; from += kMostBytes) {
      const to = Math.min(output.length, from + kMostBytes);
      for (let i = from; i < to; i++) {
        a += output[i] as number;
        b += a;
      }
      a %= kModulus;
      b %= kModulus;
    }
    this.#a = a;
    this.#b = b;
  }

  /** True if the input ends with the checksum of the output. */
  matches(): boolean {
    return this.#last === ((this.#b << 16) | this.#a);
  }
}

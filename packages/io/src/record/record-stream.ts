/**
 * RecordStream: the bytes of a TFRecord file, a piece at a time (in C++: tsl/lib/io/buffered_inputstream.h).
 *
 *     bytes   [ … read … | unread, from pos … ]        fill(needed): the unread bytes, and after them more of the file
 *
 * A piece is never written to again: the records are views of it.
 */
import { ResourceExhaustedError } from "@onebuffer/base";
import { inflateChunks } from "../compress/inflate.ts";
import type { CompressionFormat } from "../compress/transform-chunks.ts";
import type { ByteSource } from "../source/byte-source.ts";
import { checkedRead, checkedReadInto, sourceName } from "../source/checked-read.ts";
import type { TransferOptions } from "../source/transfer-options.ts";

/** A file is read in pieces of this many bytes. */
const kPieceBytes = 1 << 18;

/** A position in a file that is read once, from a start to the end. */
export interface RecordStream {
  /** The current piece. */
  readonly bytes: Uint8Array<ArrayBufferLike>;
  /** The position of the first unread byte in the piece. */
  pos: number;
  /** The number of bytes from `pos` to the end of the file; infinity while it is not known. */
  readonly remaining: number;
  /** Makes at least `needed` bytes from `pos` available in the piece, or all that there are. */
  fill(needed: number): Promise<void>;
  /** Ends the stream. */
  end(): Promise<void>;
}

/** Returns a stream over a source without compression, from `offset`. */
export function plainStream(source: ByteSource, offset: number, options: TransferOptions): RecordStream {
  const { signal, onProgress } = options;
  const { size } = source;
  let next = source.bytes === undefined ? offset : size;
  return {
    bytes: source.bytes ?? new Uint8Array(0),
    pos: source.bytes === undefined ? 0 : offset,
    get remaining() {
      return size - next + this.bytes.length - this.pos;
    },
    async fill(needed) {
      const unread = this.bytes.subarray(this.pos);
      const length = Math.min(this.remaining, Math.max(needed, kPieceBytes));
      if (length <= unread.length) return;
      const piece = newPiece(length, sourceName(source));
      piece.set(unread);
      await checkedReadInto(source, next, piece.subarray(unread.length), "records", signal);
      next += length - unread.length;
      (this as { bytes: Uint8Array<ArrayBufferLike> }).bytes = piece;
      this.pos = 0;
      onProgress?.({ bytes: next, totalBytes: size });
    },
    end: () => Promise.resolve(),
  };
}

/** Returns a stream over the inflated bytes of a source. */
export function inflatedStream(source: ByteSource, format: CompressionFormat, options: TransferOptions): RecordStream {
  const what = sourceName(source);
  const pieces = inflateChunks(sourceChunks(source, options), format, Number.POSITIVE_INFINITY, { what, signal: options.signal });
  let ended = false;
  return {
    bytes: new Uint8Array(0),
    pos: 0,
    get remaining() {
      return ended ? this.bytes.length - this.pos : Number.POSITIVE_INFINITY;
    },
    async fill(needed) {
      const unread = this.bytes.subarray(this.pos);
      const parts = [unread];
      let { length } = unread;
      // Memory grows with what the stream inflates to, not with `needed`.
      while (length < needed && !ended) {
        const { done, value } = await pieces.next();
        if (done === true) ended = true;
        else {
          parts.push(value);
          length += value.length;
        }
      }
      (this as { bytes: Uint8Array<ArrayBufferLike> }).bytes = joined(parts, length, what);
      this.pos = 0;
    },
    async end() {
      await pieces.return();
    },
  };
}

/** Returns the parts as one array: the only one that is not empty, or a copy. */
function joined(parts: readonly Uint8Array<ArrayBufferLike>[], length: number, what: string): Uint8Array<ArrayBufferLike> {
  const only = parts.find((part) => part.length === length);
  if (only !== undefined) return only;
  const all = newPiece(length, what);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function* sourceChunks(source: ByteSource, { signal, onProgress }: TransferOptions): AsyncGenerator<Uint8Array<ArrayBufferLike>> {
  const { size } = source;
  for (let offset = 0; offset < size; ) {
    const length = Math.min(kPieceBytes, size - offset);
    const bytes = await checkedRead(source, offset, length, "records", signal);
    offset += length;
    yield bytes;
    onProgress?.({ bytes: offset, totalBytes: size });
  }
}

/** Returns new memory for a piece. Throws RESOURCE_EXHAUSTED if there is none, as for a record of more bytes than an array can have. */
function newPiece(length: number, what: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new ResourceExhaustedError(`${what}: no memory for a record of about ${length} bytes`, { cause });
  }
}

/**
 * Reads a source with all checks: the range is within the size before anything is read or allocated, and `read` returned what was asked
 * for. All readers of this package read through these functions.
 */
import { DataLossError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue, typedArrayKind, viewPlace } from "@onebuffer/base/internal";
import type { ByteSource } from "./byte-source.ts";
import type { AbortSignalLike } from "./transfer-options.ts";
import { abortable, checkSignal } from "./transfer-options.ts";

/** Returns what a source is called in messages. */
export function sourceName(source: ByteSource): string {
  return source.name ?? "the bytes";
}

/**
 * Throws DATA_LOSS unless the source has `length` bytes at `offset`. `what` names them in the message: "the footer", "tensor w".
 */
export function checkRange(source: ByteSource, offset: number, length: number, what: string): void {
  const isRange = Number.isSafeInteger(offset) && Number.isSafeInteger(length) && offset >= 0 && length >= 0;
  if (isRange && offset <= source.size && length <= source.size - offset) return;
  throw new DataLossError(`${sourceName(source)}: ${what} needs ${length} bytes at ${offset}, there are ${source.size} bytes`);
}

/**
 * Returns `length` bytes from `offset`: a view if the source is in memory. The caller does not write to them.
 *
 * Throws DATA_LOSS if the range is not within the source or if `read` returned fewer or more bytes, INVALID_ARGUMENT if it returned
 * anything but a Uint8Array, CANCELLED if the signal is aborted, and the errors of `read`.
 */
export async function checkedRead(
  source: ByteSource,
  offset: number,
  length: number,
  what: string,
  signal?: AbortSignalLike,
): Promise<Uint8Array<ArrayBufferLike>> {
  checkRange(source, offset, length, what);
  checkSignal(signal, what);
  if (source.bytes !== undefined) return source.bytes.subarray(offset, offset + length);
  if (length === 0) return new Uint8Array(0);
  return checkedBytes(source, await read(source, offset, length, what, signal), offset, length, what);
}

/**
 * Fills `target` with the bytes from `offset`, without a copy in between if the source has `readInto`. When the promise is settled, nothing writes
 * to the target any more.
 *
 * Throws what `checkedRead` throws.
 */
export async function checkedReadInto(
  source: ByteSource,
  offset: number,
  target: Uint8Array<ArrayBufferLike>,
  what: string,
  signal?: AbortSignalLike,
): Promise<void> {
  checkRange(source, offset, target.length, what);
  checkSignal(signal, what);
  if (target.length === 0) return;
  if (source.bytes !== undefined) target.set(source.bytes.subarray(offset, offset + target.length));
  else if (source.readInto === undefined)
    target.set(checkedBytes(source, await read(source, offset, target.length, what, signal), offset, target.length, what));
  else {
    try {
      await source.readInto(offset, target, signal);
    } catch (error) {
      checkSignal(signal, what);
      throw error;
    }
  }
}

/** Calls `read` of a source. Throws CANCELLED as soon as the signal is aborted, whether or not the source heeds it. */
function read(
  source: ByteSource,
  offset: number,
  length: number,
  what: string,
  signal: AbortSignalLike | undefined,
): Promise<Uint8Array<ArrayBufferLike>> {
  return abortable(what, signal, Promise.resolve(source.read(offset, length, signal)));
}

/** Returns what a source's `read` returned, after checking that it is a Uint8Array of this length. */
function checkedBytes(source: ByteSource, bytes: unknown, offset: number, length: number, what: string): Uint8Array<ArrayBufferLike> {
  if (typedArrayKind(bytes) !== "Uint8Array")
    throw new InvalidArgumentError(`${sourceName(source)}: read returned ${shownValue(bytes)} for ${what}, expected a Uint8Array`);
  const place = viewPlace(bytes);
  if (place.byteLength !== length) {
    throw new DataLossError(
      `${sourceName(source)}: read returned ${place.byteLength} of the ${length} bytes at ${offset} for ${what}, of a size of ${source.size}`,
    );
  }
  return new Uint8Array(place.buffer, place.byteOffset, place.byteLength);
}

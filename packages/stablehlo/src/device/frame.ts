/**
 * The frames between Node and the runner (xla_protocol.py has the same table). All integers are little-endian.
 *
 *     request   u32 length of the rest | u32 id | u8 kind   | body
 *     answer    u32 length of the rest | u32 id | u8 status | body     status 0: done, 1: error, 2: an event, whose id is 0
 *
 * Nothing that arrives is trusted: a length above kMostBytes or below that of an empty frame ends the connection.
 */
import { DataLossError } from "@onebuffer/base";

/** The version of the protocol. Both sides must have the same. */
export const kProtocol = 1;

/** The kinds of requests. */
export const kRequest = {
  start: 1,
  segment: 2,
  dropSegment: 3,
  put: 4,
  begin: 5,
  fill: 6,
  compile: 7,
  run: 8,
  fetch: 9,
  free: 10,
  drop: 11,
  shards: 12,
  stop: 13,
  share: 14,
} as const;

/** The status byte of an answer. */
export const kStatus = { done: 0, error: 1, released: 2 } as const;

/** Bytes before the body of a frame: length, id, kind or status. */
const kHeaderBytes = 9;

/** The longest answer: the runner cuts its messages, and elements are not in frames. */
const kMostBytes = 16 * 2 ** 20;

/** A frame that has arrived. */
export interface Frame {
  readonly id: number;
  readonly status: number;
  readonly body: Uint8Array;
}

/** Returns a request as bytes; the body is the concatenation of `parts`. */
export function requestFrame(id: number, kind: number, parts: readonly Uint8Array[]): Uint8Array {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  const frame = new Uint8Array(kHeaderBytes + bytes);
  const view = new DataView(frame.buffer);
  view.setUint32(0, kHeaderBytes - 4 + bytes, true);
  view.setUint32(4, id, true);
  frame[8] = kind;
  let at = kHeaderBytes;
  for (const part of parts) {
    frame.set(part, at);
    at += part.length;
  }
  return frame;
}

/** Returns numbers as u32 one after the other. */
export function words(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * numbers.length);
  const view = new DataView(bytes.buffer);
  numbers.forEach((number, k) => view.setUint32(4 * k, number, true));
  return bytes;
}

/** Returns the u32 numbers of a body. Throws DATA_LOSS if its length is not a multiple of 4. */
export function wordsOf(body: Uint8Array): number[] {
  if (body.length % 4 !== 0) throw new DataLossError(`the runner sent ${body.length} bytes instead of u32 numbers`);
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  return Array.from({ length: body.length / 4 }, (_, k) => view.getUint32(4 * k, true));
}

/** Divides a stream of bytes into frames. */
export class FrameReader {
  #rest: Uint8Array = new Uint8Array(0);

  /**
   * Returns the frames that `chunk` completes. Throws DATA_LOSS for a length that no frame has; the reader is of no use then. Copies a
   * frame only if it comes in several chunks.
   */
  read(chunk: Uint8Array): Frame[] {
    const bytes = this.#rest.length === 0 ? chunk : joined(this.#rest, chunk);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const frames: Frame[] = [];
    let at = 0;
    while (bytes.length - at >= 4) {
      const length = view.getUint32(at, true);
      if (length < kHeaderBytes - 4 || length > kMostBytes) throw new DataLossError(`the runner sent a frame of ${length} bytes`);
      const end = at + 4 + length;
      if (end > bytes.length) break;
      frames.push({ id: view.getUint32(at + 4, true), status: bytes[at + 8] as number, body: bytes.subarray(at + kHeaderBytes, end) });
      at = end;
    }
    this.#rest = bytes.subarray(at);
    return frames;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

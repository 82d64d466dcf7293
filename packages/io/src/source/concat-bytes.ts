/** Joins pieces of bytes into one array. */
import { newBytes } from "./new-bytes.ts";

/** Returns the bytes of all pieces, one after the other, in new memory. Throws RESOURCE_EXHAUSTED if there is none. */
export function concatBytes(pieces: readonly Uint8Array<ArrayBufferLike>[]): Uint8Array<ArrayBuffer> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const whole = newBytes(length, "joining pieces");
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Joins pieces of bytes into one array. */

/** Returns the bytes of all pieces, one after the other, in new memory. */
export function concatBytes(pieces: readonly Uint8Array<ArrayBufferLike>[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

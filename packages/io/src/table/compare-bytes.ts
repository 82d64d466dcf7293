/** The order of a table's keys: unsigned bytes, first to last; a key comes before every longer key that begins with it. */

/** Returns a negative number, 0 or a positive number as `a` is before, equal to or after `b`. */
export function compareBytes(a: Uint8Array<ArrayBufferLike>, b: Uint8Array<ArrayBufferLike>): number {
  const common = Math.min(a.length, b.length);
  for (let i = 0; i < common; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Returns the number of leading bytes that `a` and `b` have in common. */
export function sharedLength(a: Uint8Array<ArrayBufferLike>, b: Uint8Array<ArrayBufferLike>): number {
  const common = Math.min(a.length, b.length);
  for (let i = 0; i < common; i++) if (a[i] !== b[i]) return i;
  return common;
}

/** Returns the bytes as text for a message: quoted, with what is not printable ASCII as \xff, and not more than about 100 bytes. */
export function shownKey(key: Uint8Array<ArrayBufferLike>): string {
  const kShown = 100;
  let text = "";
  for (const byte of key.subarray(0, kShown)) {
    if (byte >= 0x20 && byte < 0x7f) text += byte === 0x22 || byte === 0x5c ? `\\${String.fromCharCode(byte)}` : String.fromCharCode(byte);
    else text += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return key.length > kShown ? `"${text}…" (${key.length} bytes)` : `"${text}"`;
}

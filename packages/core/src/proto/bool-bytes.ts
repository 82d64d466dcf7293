/**
 * Checks bytes that become bool elements: each must be 0 or 1, as TensorFlow requires of tensor_content (the bool case of
 * tensorflow/core/framework/tensor.cc).
 */

/** The bits that are 0 in every bool, for four bytes at once. */
const kNotBool = 0xfefefefe;

/**
 * Returns the index of the first byte that is neither 0 nor 1, or -1. Reads four bytes at a time if the bytes begin at a multiple
 * of 4.
 */
export function firstBadBool(bytes: Uint8Array): number {
  const { buffer, byteOffset, byteLength } = bytes;
  let at = 0;
  if (byteOffset % 4 === 0) {
    const words = new Uint32Array(buffer, byteOffset, byteLength >>> 2);
    let i = 0;
    while (i < words.length && ((words[i] as number) & kNotBool) === 0) i += 1;
    at = 4 * i;
  }
  for (; at < byteLength; at += 1) if ((bytes[at] as number) > 1) return at;
  return -1;
}

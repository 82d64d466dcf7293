/** Compares two lists of sizes (TensorShape::IsSameSize in TensorFlow). */

/** Returns true if both lists have the same length and equal entries. */
export function sameSizes(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let d = 0; d < a.length; d += 1) if (a[d] !== b[d]) return false;
  return true;
}

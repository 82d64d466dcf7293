/**
 * equal-parts: divides a range into parts of nearly equal length.
 */

/** Divides 0 .. size into parts that begin at multiples of `unit`. There are at least `parts` whole units. */
export function equalParts(size: number, unit: number, parts: number): readonly (readonly [begin: number, end: number])[] {
  const units = Math.floor(size / unit);
  const at = (part: number): number => (part === parts ? size : Math.floor((units * part) / parts) * unit);
  return Array.from({ length: parts }, (_, part) => [at(part), at(part + 1)] as const);
}

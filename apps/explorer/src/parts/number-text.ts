/** Numbers and lists as texts, and texts as numbers and lists. */

/** Returns a number with at most six significant digits, as a cell has room for. */
export function shortNumber(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value !== "number") return String(value);
  if (Object.is(value, -0)) return "-0";
  if (!Number.isFinite(value) || Number.isInteger(value))
    return Math.abs(value) < 1e7 || !Number.isFinite(value) ? String(value) : value.toExponential(2);
  const digits = Number(value.toPrecision(4));
  return Math.abs(digits) >= 1e-3 && Math.abs(digits) < 1e6 ? String(digits) : value.toExponential(2);
}

/** Returns a byte as two hexadecimal digits. */
export const hexByte = (byte: number): string => byte.toString(16).padStart(2, "0");

/** Returns a number of bytes with its unit. */
export function bytesText(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let unit = 0;
  while (bytes >= 1024 && unit < units.length - 1) {
    bytes /= 1024;
    unit++;
  }
  const text = unit === 0 || bytes >= 100 ? String(Math.round(bytes)) : bytes.toFixed(1);
  return `${text} ${unit === 0 && bytes === 1 ? "byte" : units[unit]}`;
}

/** Returns a duration in the unit that suits it. */
export function timeText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(2)} s`;
  return milliseconds >= 1 ? `${milliseconds.toFixed(2)} ms` : `${(milliseconds * 1000).toFixed(milliseconds >= 0.01 ? 1 : 2)} µs`;
}

/** Returns a list of sizes as text: `[3, 4]`. */
export const sizesText = (sizes: readonly number[]): string => `[${sizes.join(", ")}]`;

/**
 * Reads a list of whole numbers: `3, 4`, `[3,4]`, `3x4`, or an empty text for no numbers. `?` is -1. Throws a RangeError that names
 * what is wrong.
 */
export function parseSizes(text: string): number[] {
  const inside = text
    .trim()
    .replace(/^\[(.*)\]$/s, "$1")
    .trim();
  if (inside === "") return [];
  return inside.split(/\s*[,x×]\s*|\s+/).map((word) => {
    if (word === "?") return -1;
    if (!/^-?\d{1,16}$/.test(word)) throw new RangeError(`${JSON.stringify(word)} is no whole number`);
    return Number(word);
  });
}

/** Returns the product of sizes; 1 for none. */
export const productOf = (sizes: readonly number[]): number => sizes.reduce((product, size) => product * size, 1);

/** Returns the row-major index of element `flat` of an array of these sizes. */
export function indexOf(flat: number, sizes: readonly number[]): number[] {
  const index: number[] = [];
  for (let d = sizes.length - 1; d >= 0; d--) {
    index[d] = flat % sizes[d]!;
    flat = Math.floor(flat / sizes[d]!);
  }
  return index;
}

/** Returns the row-major number of the element at `index`. */
export const flatOf = (index: readonly number[], sizes: readonly number[]): number =>
  sizes.reduce((flat, size, d) => flat * size + index[d]!, 0);

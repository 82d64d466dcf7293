/** True in `npm run long`, which runs every test in its long form. `npm test` runs samples of tests that repeat the same check. */
export const isLong: boolean = process.env["ONEBUFFER_LONG"] !== undefined;

/** `npm run ways` runs the short forms with more samples, so that every way is taken. */
const kMore = process.env["ONEBUFFER_WAYS"] === undefined ? 1 : 2;

/** The fraction of the golden ratio. The multiples of no other number are spread as evenly, whatever the period of a table. */
const kGolden = (Math.sqrt(5) - 1) / 2;

/**
 * Returns about `count` items of a table, always the same ones; all of them in `npm run long`. They are spread evenly and without
 * a period: of a table of every operation with every dtype, the sample has some dtypes of each operation and some operations of each
 * dtype.
 */
export function sampled<T>(items: readonly T[], count: number): readonly T[] {
  return isLong ? items : items.filter((_, i) => (i * kGolden) % 1 < (kMore * count) / items.length);
}

/**
 * sorting-networks: sorts short rows, as many at a time as a vector has lanes, as WebAssembly. Vector k has the k-th elements of these rows.
 *
 *     rows       5 2 9    1 8 3    7 7 0    4 6 2
 *     vectors    x0 = 5 1 7 4    x1 = 2 8 7 6    x2 = 9 3 0 2
 *
 * A comparator puts the lesser elements of two vectors, lane by lane, into one of them and the others into the other one. Comparators in a
 * fixed order sort any rows, without a branch: here those of Batcher's merge exchange (The Art of Computer Programming, 5.2.2, algorithm M).
 *
 * Elements are compared as values: -0 and NaN have an order only as keys. A network stops at rows that have them, and sort-kernel.ts goes on.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { isFloat, isInteger } from "@onebuffer/expression/internal";
import { arrayKernel, textFunction } from "../calls/array-kernel.ts";

/** The widest rows for a network. Each element of wider ones has more comparators, and a kernel with so many takes long to compile. */
const kWidestRow = 64;
/** The least number of rows that are worth the compilation of a kernel for their width. */
const kLeastRows = 256;
/** The widest elements that are integers for which there is an instruction for the lesser of two. */
const kWidestInteger = 4;

/** Returns true if rows are sorted by a network. */
export function suitsNetwork(dtype: DType, { rows, width }: { readonly rows: number; readonly width: number }): boolean {
  const isCompared = isFloat(dtype) || (isInteger(dtype) && dtypeSize(dtype) <= kWidestInteger);
  return isCompared && width > 1 && width <= kWidestRow && rows >= kLeastRows;
}

/**
 * Returns the function that sorts rows of float32, float64 or integers of up to 32 bits at address `from` into those at `to`, which may be
 * `from`. It returns the number of rows at the end that are left, 0 or less if none are: the first of them or one of the next rows has -0 or
 * NaN. Returns null if the engine refuses the kernel.
 */
export function networkSorter(
  dtype: DType,
  width: number,
  descending: boolean,
): ((from: number, to: number, rows: number) => number) | null {
  const kernel = arrayKernel(`sort ${width} ${dtype} ${descending ? "descending" : "ascending"}`, (module) => {
    const numLanes = 16 / dtypeSize(dtype);
    const locals = `${names("row", numLanes)} last ${names("x", width, ":v128")} x:v128 zero:v128 signs:v128 special:v128`;
    textFunction(module, "rows", "from to rows", locals, rowsText(dtype, width, descending));
  });
  return (kernel?.["rows"] as ReturnType<typeof networkSorter> | undefined) ?? null;
}

/** Returns the places that are compared to sort so many elements, two at a time, in their order. */
export function comparators(count: number): [lower: number, upper: number][] {
  const pairs: [number, number][] = [];
  const top = 2 ** (Math.ceil(Math.log2(count)) - 1);
  for (let bit = top; bit >= 1; bit /= 2) {
    // First places without the bit are compared with those that have it, then those that have it with places behind that do not.
    for (let [span, value, distance] = [top, 0, bit]; span >= bit; [span, value, distance] = [span / 2, bit, span - bit]) {
      for (let lower = 0; lower + distance < count; lower++) if ((lower & bit) === value) pairs.push([lower, lower + distance]);
    }
  }
  return pairs;
}

/** Returns the words for each of the numbers from 0 to count - 1. */
const each = (count: number, words: (k: number) => string): string => Array.from({ length: count }, (_, k) => words(k)).join(" ");

const names = (name: string, count: number, type = ""): string => each(count, (k) => `${name}${k}${type}`);

/** Returns the words of the kernel. The lanes behind the last row have that row, too, and store the same elements again. */
function rowsText(dtype: DType, width: number, descending: boolean): string {
  const item = dtypeSize(dtype);
  const [numLanes, bits, step] = [16 / item, 8 * item, width * item];
  const shape = `${bits}x${numLanes}`;
  const isReal = isFloat(dtype);
  const sign = dtype.startsWith("u") ? "_u" : "_s";
  const [min, max] = ["min", "max"].map((name) => (isReal ? `f${shape}.p${name}` : `i${shape}.${name}${sign}`)) as [string, string];
  const [first, second] = descending ? [max, min] : [min, max];
  const load = (k: number): string => `
    row0 v128.load${bits}_splat:${k * item} ->x
    ${each(numLanes - 1, (lane) => `row${lane + 1} x v128.load${bits}_lane:${k * item},${lane + 1} ->x`)}
    x ->x${k}`;
  const store = (k: number): string => each(numLanes, (lane) => `row${lane} x${k} v128.store${bits}_lane:${k * item},${lane}`);
  const findSpecial = (k: number): string => `x${k} x${k} f${shape}.ne x${k} signs i${shape}.eq v128.or special v128.or ->special`;
  return `
    rows 1 - ${step} * from + ->last
    to from - ->to
    ${isReal ? `i${bits}:${-(2n ** BigInt(bits - 1))} i${shape}.splat ->signs` : ""}
    block:stop
    loop
      from ->row0
      ${each(numLanes - 1, (lane) => `row${lane} row${lane} last < ${step} * + ->row${lane + 1}`)}
      ${each(width, load)}
      ${isReal ? `zero ->special ${each(width, findSpecial)} special v128.any_true br_if:stop` : ""}
      ${comparators(width)
        .map(([lower, upper]) => `x${lower} x${upper} ${first} x${lower} x${upper} ${second} ->x${upper} ->x${lower}`)
        .join(" ")}
      ${each(numLanes, (lane) => `row${lane} to + ->row${lane}`)}
      ${each(width, store)}
      from+=${numLanes * step}
      rows+=${-numLanes}
    rows 0 i32.gt_s while
    end
    rows`;
}

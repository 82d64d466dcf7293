/**
 * Reshape without a copy: computes the strides that give the same elements, in the same row-major order, under other sizes.
 *
 *     [2, 3, 4] -> [6, 4]     dimensions 0 and 1 merge when stride 0 = size 1 * stride 1
 *     [6, 4] -> [2, 3, 4]     a dimension can always be split
 *
 * Old and new sizes are cut into the shortest groups with equal products (XLA's CommonFactors). Within a group the old dimensions must
 * merge into one run of equally spaced elements, as in NumPy's reshape without a copy. Old dimensions of size 1 are ignored.
 */
import { isArray } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { product } from "./map-geometry.ts";
import type { StridedGeometry } from "./strided-geometry.ts";
import { checkSizes, rowMajorStrides } from "./strided-geometry.ts";

/** The longest list of sizes that is searched for a -1. Searching a sparse array of a billion entries would take seconds. */
const kMaxSearchedSizes = 2 ** 16;

/**
 * Returns a copy of the sizes `asked`, with a -1 replaced by the size that makes the element counts agree. Throws INVALID_ARGUMENT unless
 * the sizes have as many elements as `dims`.
 */
export function reshapeSizes(dims: readonly number[], asked: readonly number[]): readonly number[] {
  const count = product(dims);
  const unknown = unknownSize(asked);
  const known = checkSizes(unknown < 0 ? asked : asked.with(unknown, 1), "reshape");
  const knownCount = product(known);
  if (unknown >= 0 && knownCount > 0 && count % knownCount === 0) return known.with(unknown, count / knownCount);
  if (unknown >= 0 || knownCount !== count)
    throw new InvalidArgumentError(`[${dims}] with ${count} elements cannot be reshaped to [${asked}]`);
  return known;
}

/** Returns the place of the first -1, or -1 if there is none. A loop: for the few sizes of a shape `indexOf` costs three times as much. */
function unknownSize(asked: readonly number[]): number {
  if (!isArray(asked) || asked.length > kMaxSearchedSizes) return -1;
  for (let d = 0; d < asked.length; d++) if (asked[d] === -1) return d;
  return -1;
}

/**
 * Returns the strides of the reshaped map, or a sentence that says why the reshape needs a copy. `sizes` must have as many elements as
 * `dims`.
 */
export function reshapeStrides({ dims, strides }: StridedGeometry, sizes: readonly number[]): number[] | string {
  if (dims.includes(0)) return rowMajorStrides(sizes);
  const result = new Array<number>(sizes.length).fill(0);
  const old = dims.map((_, d) => d).filter((d) => dims[d] !== 1);
  let to = 0;
  for (let from = 0; from < old.length; ) {
    const first = from;
    let oldCount = dims[old[from++] as number] as number;
    const start = to;
    let newCount = 1;
    while (newCount !== oldCount || newCount === 1) {
      if (newCount < oldCount) newCount *= sizes[to++] as number;
      else oldCount *= dims[old[from++] as number] as number;
    }
    const step = mergedStep({ dims, strides }, old.slice(first, from), sizes.slice(start, to));
    if (typeof step === "string") return step;
    let stride = step;
    for (let d = to - 1; d >= start; d--) {
      result[d] = stride;
      stride *= sizes[d] as number;
    }
  }
  return result;
}

/** Returns the step of the run that a group of dimensions merges into, or a sentence that says why the group does not merge. */
function mergedStep(
  { dims, strides }: Pick<StridedGeometry, "dims" | "strides">,
  group: readonly number[],
  sizes: readonly number[],
): number | string {
  for (let k = 0; k + 1 < group.length; k++) {
    const outer = group[k] as number;
    const inner = group[k + 1] as number;
    const needed = (dims[inner] as number) * (strides[inner] as number);
    if (strides[outer] === needed) continue;
    return (
      `dimensions ${outer} and ${inner} of [${dims}] cannot merge into [${sizes}]: ` +
      `the stride of dimension ${outer} is ${strides[outer]}, but it must be ${dims[inner]} * ${strides[inner]} = ${needed}`
    );
  }
  return strides[group.at(-1) as number] as number;
}

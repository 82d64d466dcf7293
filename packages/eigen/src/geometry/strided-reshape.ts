/**
 * Reshape without a copy: which strides show the same elements, in the same row-major order, under other sizes.
 *
 *     [2, 3, 4] -> [6, 4]     dimensions 0 and 1 merge when stride 0 = size 1 * stride 1
 *     [6, 4] -> [2, 3, 4]     splitting is always free
 *
 * Old and new sizes are cut into the shortest groups with equal products; within a group the old dimensions have to
 * collapse into one run of equal steps (NumPy's attempt at a reshape without a copy; the groups are XLA's CommonFactors).
 * Dimensions of size 1 take no part.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { product } from "./map-geometry.ts";
import type { StridedGeometry } from "./strided-geometry.ts";
import { checkSizes, rowMajorStrides } from "./strided-geometry.ts";

/** Only so many sizes are searched for a -1: longer lists are refused, and a sparse array of a billion would take seconds to search. */
const kMostSizes = 2 ** 16;

/** The sizes asked for, -1 worked out. Throws INVALID_ARGUMENT unless they have as many elements as `dims`. */
export function reshapeSizes(dims: readonly number[], asked: readonly number[]): readonly number[] {
  const count = product(dims);
  const unknown = Array.isArray(asked) && asked.length <= kMostSizes ? asked.indexOf(-1) : -1;
  const known = checkSizes(unknown < 0 ? asked : asked.with(unknown, 1), "reshape");
  const rest = product(known);
  if (unknown >= 0 && rest > 0 && count % rest === 0) return known.with(unknown, count / rest);
  if (unknown >= 0 || rest !== count) throw new InvalidArgumentError(`[${dims}] with ${count} elements cannot be reshaped to [${asked}]`);
  return known;
}

/** The strides of the reshaped map, or the sentence that says why there are none. */
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

/** The step of a group of dimensions that collapse into one run, or why they do not. */
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
      `the stride of dimension ${outer} is ${strides[outer]}, ${dims[inner]} elements of stride ${strides[inner]} behind it need ${needed}`
    );
  }
  return strides[group.at(-1) as number] as number;
}

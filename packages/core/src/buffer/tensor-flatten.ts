/**
 * The sizes of flattened views: Tensor::ComputeFlatInnerDims and ComputeFlatOuterDims
 * (tensorflow/core/framework/tensor.cc).
 *
 * Collapsing adjacent dimensions of row-major data moves no elements, so these functions only multiply sizes.
 */
import { checkArray, shownValue } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";

/** Returns the last `rank` sizes, padded with 1 on the left. All earlier sizes are multiplied into the first. */
export function innerDims(dims: readonly number[], rank: number): number[] {
  checkRank(rank);
  const offset = dims.length - rank;
  const out: number[] = [];
  for (let k = 0; k < rank; k += 1) out.push(k + offset < 0 ? 1 : (dims[k + offset] ?? 1));
  let first = out[0] ?? 1;
  for (let d = 0; d < offset; d += 1) first *= dims[d] ?? 1;
  out[0] = first;
  return out;
}

/** Returns the first `rank` sizes, padded with 1 on the right. All later sizes are multiplied into the last. */
export function outerDims(dims: readonly number[], rank: number): number[] {
  checkRank(rank);
  const out: number[] = [];
  for (let k = 0; k < rank; k += 1) out.push(dims[k] ?? 1);
  let last = out[rank - 1] ?? 1;
  for (let d = rank; d < dims.length; d += 1) last *= dims[d] ?? 1;
  out[rank - 1] = last;
  return out;
}

/**
 * Returns `rank` sizes. The first is the product of dimensions 0 to `begin`; the last is the product of dimension
 * `begin + rank - 1` and all later ones. A negative `begin` pads with 1 on the left.
 */
export function innerOuterDims(dims: readonly number[], begin: number, rank: number): number[] {
  checkRank(rank);
  if (!Number.isInteger(begin) || begin + rank < 1 || begin + rank > 254)
    throw new InvalidArgumentError(
      `flatInnerOuterDims: begin + rank must lie between 1 and 254, got ${shownValue(begin)} + ${shownValue(rank)}`,
    );
  return innerDims(outerDims(dims, begin + rank), rank);
}

/**
 * Returns the product of the sizes. Throws INVALID_ARGUMENT if a size is not an integer from 0 to 2^53 - 1, or if a TensorShape refuses
 * the sizes because their product is too large.
 */
export function countOfSizes(sizes: readonly number[]): number {
  checkArray(sizes, "an array of sizes");
  let product = 1;
  for (const size of sizes) {
    if (!Number.isSafeInteger(size) || size < 0)
      throw new InvalidArgumentError(`Expected a non-negative size, got ${shownValue(size)} among ${sizes.length} sizes`);
    product *= size;
  }
  return product > 0 && product <= Number.MAX_SAFE_INTEGER ? product : new TensorShape(sizes).numElements;
}

/**
 * Returns the sizes with the -1 among them replaced by the size that gives `count` elements. Throws INVALID_ARGUMENT if there are
 * several -1 or no size fits.
 */
export function inferSize(sizes: readonly number[], count: number): number[] {
  const at = sizes.indexOf(-1);
  const others = sizes.filter((_, d) => d !== at);
  if (others.includes(-1)) throw new InvalidArgumentError(`at most one size can be -1, got [${sizes.join(",")}]`);
  const product = countOfSizes(others);
  const missing = product === 0 ? Number.NaN : count / product;
  if (!Number.isInteger(missing)) throw new InvalidArgumentError(`no size for the -1 in [${sizes.join(",")}] gives ${count} elements`);
  return sizes.map((size, d) => (d === at ? missing : size));
}

/** Throws INVALID_ARGUMENT unless the rank is from 1 (rank 0 has room for one element only) to 254, the most dimensions of a shape. */
function checkRank(rank: number): void {
  if (!Number.isInteger(rank) || rank < 1 || rank > 254)
    throw new InvalidArgumentError(`a flattened view needs a rank from 1 to 254, got ${shownValue(rank)}`);
}

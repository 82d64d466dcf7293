/**
 * added-product: finds a product that is added to the target of its own assignment (BLAS's gemm with beta = 1). The kernel of products then
 * adds its blocks to the target, and nothing is stored in between.
 *
 *     t = t + matMul(a, b)      t is neither read nor written by another kernel
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { isMap, treeOrder } from "@onebuffer/expression/internal";
import { mayOverlap } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { contractionDType } from "@onebuffer/kernels/internal";
import { leafPlaces } from "../plan/leaf-places.ts";
import { isBlockProduct } from "./matrix-products.ts";

/** Returns the product of a sum of a map and a product, in either order; null for other nodes. */
export function addedProduct({ op, inputs, dimensions }: ExpressionTree): ExpressionTree | null {
  if (op !== "add") return null;
  const [a, b] = inputs as readonly [ExpressionTree, ExpressionTree];
  const [map, product] = isMap(a) ? [a, b] : [b, a];
  const isWhole = isMap(map) && [map, product].every((each) => each.dimensions.length === dimensions.length);
  if (!isWhole || !isBlockProduct(product) || contractionDType(product.dtype) !== product.dtype) return null;
  return map.dimensions.every((size, d) => size === product.dimensions[d]) ? product : null;
}

/** Returns true if the map that a product is added to is the target, and the product reads nothing of it. */
export function addsToTarget(sum: ExpressionTree, product: ExpressionTree, target: RawPlaces): boolean {
  const map = leafPlaces(sum.inputs[sum.inputs[0] === product ? 1 : 0]!);
  const isTarget =
    map.buffer === target.buffer &&
    map.byteOffset === target.byteOffset &&
    target.strides.at(-1) === 1 &&
    map.dims.every((size, d) => size === target.dims[d] && (size === 1 || map.strides[d] === target.strides[d]));
  return isTarget && treeOrder([product]).every((node) => !isMap(node) || !mayOverlap(leafPlaces(node), target));
}

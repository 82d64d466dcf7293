/**
 * FusedProduct: a product of matrices, and the program that is computed with each of its elements before that is stored.
 *
 *     relu(add(matMul(a, b), bias))      the product matMul(a, b); a program of max(add(load 0, load 1), 0)
 *
 * Any elementwise program is fused that reads the product once, element by element. The product must have no other users.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { fieldsOf, noAttributes } from "@onebuffer/expression/internal";
import { isBlockProduct, lower } from "@onebuffer/compiler/internal";
import type { Lowered, Program, Sharing } from "@onebuffer/compiler/internal";
import { product as productOf, rowMajorStrides } from "@onebuffer/storage/internal";

/** A product with the program of its elements. */
export interface FusedProduct {
  readonly product: ExpressionTree;
  readonly lowered: Lowered;
  /** The operand of the program that is the product, and the value that loads it. */
  readonly operand: number;
  readonly load: number;
}

/** Returns a node as a product and what is computed with it; null for a node that is none. */
export function fusedProduct(tree: ExpressionTree, dtype: DType, sharing: Sharing): FusedProduct | null {
  const isAlone = isBlockProduct(tree);
  // A product by itself is stored by a program that only reads it.
  const root = isAlone ? { ...fieldsOf(tree), op: "reshape" as const, inputs: [tree], attributes: noAttributes } : tree;
  if (!isAlone && !sharing.kindOf(tree).startsWith("elementwise")) return null;
  const lowered = lower(root, dtype, "rows", sharing);
  if (lowered === null || lowered.program.axes.length > 0) return null;
  for (const [stage, product] of lowered.stages.entries()) {
    if (!isBlockProduct(product) || (!isAlone && sharing.usesOf(product) > 1)) continue;
    const place = placeOf(lowered.program, stage);
    if (place !== null && productOf(product.dimensions) === productOf(tree.dimensions)) return { product, lowered, ...place };
  }
  return null;
}

/** Returns the operand and the load of a stage that a program reads once, element by element; null if it reads the stage otherwise. */
function placeOf({ dims, operands, nodes }: Program, stage: number): Pick<FusedProduct, "operand" | "load"> | null {
  const own = operands.flatMap(({ source }, k) => (source === stage ? [k] : []));
  const operand = own[0]!;
  const loads = nodes.flatMap(({ kind, index }, k) => (kind === "load" && index === operand ? [k] : []));
  const { offset, itemBytes, strides } = operands[operand]!;
  const isWhole = dtypeSize(nodes[loads[0]!]!.dtype) === itemBytes && offset === 0;
  const isInPlace = rowMajorStrides(dims).every((stride, d) => dims[d] === 1 || stride * itemBytes === strides[d]);
  return own.length === 1 && loads.length === 1 && isWhole && isInPlace ? { operand, load: loads[0]! } : null;
}

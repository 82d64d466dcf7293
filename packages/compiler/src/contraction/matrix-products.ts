/**
 * matrix-products: which products of an expression are computed in blocks.
 */
import { attributesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
import { contractionDType } from "@onebuffer/kernels/internal";
import type { Product } from "@onebuffer/kernels/internal";
import { byteOperands, widenedOperand, withoutCast } from "./product-operands.ts";
import { treeNode } from "../plan/plain-nodes.ts";

/** Products with fewer rows or columns, whose panels would be mostly zeros, are computed faster by other kernels. */
export const kFewLines = 4;
/** Products with fewer multiplications are computed by other kernels. */
export const kLeastWork = 512;

/** Returns the sizes of the products of a node. */
export function productOf(node: ExpressionTree): Product {
  const { transposeA } = attributesOf(node, "matMul");
  const [rows, columns] = node.dimensions.slice(-2) as [number, number];
  return { rows, columns, inner: node.inputs[0]!.dimensions.at(transposeA ? -2 : -1) as number };
}

/** Returns true if a node is a product that is computed in blocks. */
export function isBlockProduct(node: ExpressionTree): boolean {
  if (opTable[node.op].class !== "contraction" || contractionDType(node.dtype) === null) return false;
  const { rows, inner, columns } = productOf(node);
  return rows >= kFewLines && columns >= kFewLines && inner > 1 && rows * inner * columns >= kLeastWork;
}

/**
 * Returns a product with its operands in the dtype that blocks are computed in; the node itself if that is its own. Sums of int8 and int16
 * wrap around like those of int32, so the lower bits of the wider sum are right. Operands of int8 and uint8, and casts of such to int32 or
 * uint32, stay bytes.
 */
export function widenedProduct(node: ExpressionTree): ExpressionTree {
  const dtype = contractionDType(node.dtype)!;
  const { op, attributes, dimensions } = node;
  const withOperands = (operands: readonly ExpressionTree[]): ExpressionTree => {
    const inputs = node.inputs[0] === node.inputs[1] ? [operands[0]!, operands[0]!] : operands;
    return treeNode(op, inputs, dimensions, attributes, dtype);
  };
  const isInteger = dtype === "int32" || dtype === "uint32";
  const bytes = byteOperands(node) !== null ? node.inputs : isInteger ? node.inputs.map(withoutCast) : [null];
  if (bytes.every((each) => each !== null)) return withOperands(bytes);
  return dtype === node.dtype ? node : withOperands(node.inputs.map((input) => widenedOperand(input, dtype)));
}

/**
 * ProductMemory: where a product finds its operands, and its loops over them. compiler/contraction decides it: operands under movements are
 * read where they are, so the patches of a convolution are read from the image.
 */
import { dtypeSize } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { isMap } from "@onebuffer/expression/internal";
import { baseOf, heldDType, operandPlaces, productNest, storedOperands } from "@onebuffer/compiler/internal";
import type { ProductNest, Sharing } from "@onebuffer/compiler/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { rowMajorStrides } from "@onebuffer/storage/internal";

/** An operand in memory: the node that is stored, and its dtype there. */
export interface ProductOperand {
  readonly source: ExpressionTree;
  readonly dtype: DType;
}

/** The operands of a product and its loops, in bytes. */
export interface ProductMemory {
  readonly operands: readonly [ProductOperand, ProductOperand];
  readonly loops: ProductNest;
}

const kNoMemory: ArrayBuffer = new ArrayBuffer(0);

/** Returns the nodes that must be in memory before a product is computed. */
export function productNeeds(product: ExpressionTree, sharing: Sharing): ExpressionTree[] {
  return [...new Set([...storedOperands(product, sharing), ...product.inputs.map(baseOf).filter(isMap)])];
}

/** Returns the operands and loops of a product whose needs are stored dense, each in its heldDType. */
export function productMemory(product: ExpressionTree, needs: readonly ExpressionTree[]): ProductMemory {
  const stored = new Map(needs.map((node) => [node, densePlaces(node.dimensions, heldDType(node))]));
  const [a, b] = product.inputs.map((input) => operandPlaces(input, stored)) as [Places, Places];
  const operandOf = ({ source }: Places): ProductOperand => ({ source, dtype: heldDType(source) });
  const target = densePlaces(product.dimensions, product.dtype);
  return { operands: [operandOf(a), operandOf(b)], loops: productNest(product, [a, b], target) };
}

type Places = ReturnType<typeof operandPlaces>;

const densePlaces = (dims: readonly number[], dtype: DType): RawPlaces => ({
  buffer: kNoMemory,
  byteOffset: 0,
  itemBytes: dtypeSize(dtype),
  dims,
  strides: rowMajorStrides(dims),
});

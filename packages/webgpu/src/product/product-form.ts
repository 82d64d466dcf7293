/**
 * The form of products of matrices, with the elementwise program above them. Products of few rows or columns are left to the form of
 * programs, as the compiler decides.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import type { Sharing } from "@onebuffer/compiler/internal";
import { boundProgram, programNeeds } from "../form/program-memory.ts";
import type { PlannedStep } from "../step/step-form.ts";
import type { StepWriter } from "../step/step-writer.ts";
import { laneKind } from "../wgsl/element-memory.ts";
import { typeOf } from "../wgsl/wgsl-kinds.ts";
import { fusedProduct } from "./fused-product.ts";
import type { FusedProduct } from "./fused-product.ts";
import { productMemory, productNeeds } from "./product-memory.ts";
import { productDispatch } from "./product-shader.ts";

/** Returns how a product is computed, also with what follows it element by element; null for other nodes and for numbers of 64 bits. */
export function productForm(tree: ExpressionTree, dtype: DType, sharing: Sharing): PlannedStep | null {
  const fused = fusedProduct(tree, dtype, sharing);
  if (fused === null || typeOf(laneKind(fused.product.dtype)) === "vec2<u32>") return null;
  const { lowered, product, operand } = fused;
  const own = productNeeds(product, sharing);
  return {
    needs: [...new Set([...own, ...programNeeds(lowered, operand)])],
    write: (writer, target) => writeProduct(writer, fused, own, tree.dimensions, dtype, target),
  };
}

function writeProduct(
  writer: StepWriter,
  { product, lowered: given, operand, load }: FusedProduct,
  needs: readonly ExpressionTree[],
  dimensions: readonly number[],
  dtype: DType,
  target: number,
): void {
  const { lowered, memory } = boundProgram(writer, given, { except: operand, reserved: 2 });
  const { operands, loops } = productMemory(product, needs);
  const [a, b] = operands.map(({ source, dtype: held }) => ({ slot: writer.stored(source).slot, dtype: held })) as [Bound, Bound];
  const shape = { dtype: product.dtype, dimensions: product.dimensions };
  // Elements that share words are added to words that are 0.
  if (dtypeSize(dtype) < 4) writer.clear(target);
  writer.dispatch(productDispatch({ lowered, dimensions, dtype, target, part: null, memory }, { ...shape, load, operands: [a, b], loops }));
}

type Bound = { readonly slot: number; readonly dtype: DType };

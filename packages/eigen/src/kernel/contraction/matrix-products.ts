/**
 * matrix-products: which products of an expression are computed in blocks, where their operands are, and the products of a batch one by one
 * (in Eigen the dimension sorting of TensorContraction).
 *
 *     matMul(a[8, 3, 64, 64], b[64, 32])     24 products of [64, 64] x [64, 32]; b is read again each time
 *
 * An operand that is a map, also under movements that strides express, is read where it is. Other operands are computed first.
 */
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { broadcastGeometry } from "../../geometry/strided-geometry.ts";
import { heldDType } from "../plan/kernel-support.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { movedGeometry, movedMap } from "../plan/lowering-moves.ts";
import type { Moves } from "../plan/lowering-moves.ts";
import type { Access, LoopNest } from "../plan/loop-nest.ts";
import { castTo } from "../plan/plain-nodes.ts";
import type { Sharing } from "../plan/sharing.ts";
import { contractionDType } from "./block-shape.ts";
import { Contraction } from "./contract.ts";
import type { Product } from "./contract.ts";
import type { GebpKernel } from "./gebp-kernel.ts";

/** Products with fewer rows or columns, whose panels would be mostly zeros, and very small ones are computed faster by other kernels. */
const kFewLines = 4;
const kLeastWork = 512;

/** Returns the sizes of the products of a node. */
export function productOf(node: ExpressionTree): Product {
  const { transposeA } = attributesOf(node, "matMul");
  const [rows, columns] = node.dimensions.slice(-2) as [number, number];
  return { rows, columns, inner: node.inputs[0]!.dimensions.at(transposeA ? -2 : -1) as number };
}

/** Returns true if a node is a product that is computed in blocks. */
export function isBlockProduct(node: ExpressionTree): boolean {
  if (node.op !== "matMul" || contractionDType(node.dtype) === null) return false;
  const { rows, inner, columns } = productOf(node);
  return rows >= kFewLines && columns >= kFewLines && inner > 1 && rows * inner * columns >= kLeastWork;
}

/**
 * Returns a product with its operands in the dtype that blocks are computed in; the node itself if that is its own. Sums of int8 and int16
 * wrap around like those of int32, so the lower bits of the wider sum are right. Operands of float16 and bfloat16 that have to be stored
 * are not rounded: a stage of them is float32 already.
 */
export function widenedProduct(node: ExpressionTree): ExpressionTree {
  const dtype = contractionDType(node.dtype)!;
  if (dtype === node.dtype) return node;
  const { op, attributes, dimensions } = node;
  const wide = new Map(node.inputs.map((input) => [input, heldDType(input) === dtype ? input : castTo(dtype, input)]));
  return { op, attributes, dimensions, dtype, inputs: node.inputs.map((input) => wide.get(input)!), depth: node.depth + 1 };
}

/** Returns the operands of a product that have to be stored first. */
export function storedOperands(node: ExpressionTree, sharing: Sharing): ExpressionTree[] {
  const isRead = (operand: ExpressionTree): boolean => {
    if (operand.dtype !== node.dtype) return false;
    const leaf = movedMap(operand);
    return leaf !== null && !sharing.isOutsideLinearMemory(leaf) && operandPlaces(operand) !== null;
  };
  return [...new Set(node.inputs.filter((input) => !isRead(input)))];
}

/** Returns where the elements of a map under movements are; null if strides cannot express a movement. */
export function operandPlaces(operand: ExpressionTree): RawPlaces | null {
  const leaf = leafPlaces(movedMap(operand)!);
  let moves: Moves | null = null;
  const steps: ExpressionTree[] = [];
  for (let node = operand; node.op !== "map"; node = node.inputs[0]!) steps.push(node);
  for (const step of steps) moves = { step, rest: moves, length: steps.length, reshapes: false };
  const moved = movedGeometry({ offset: 0, dims: leaf.dims, strides: leaf.strides }, moves);
  if (moved === null) return null;
  const { dims, strides, offset } = moved;
  return { buffer: leaf.buffer, byteOffset: leaf.byteOffset + offset * leaf.itemBytes, itemBytes: leaf.itemBytes, dims, strides };
}

/**
 * Returns the loops of a product over the batch, rows, k and columns, with the target and both operands. The operands' batches are
 * broadcast by strides of 0.
 */
export function contractionNest(node: ExpressionTree, [a, b]: readonly [RawPlaces, RawPlaces], target: RawPlaces): LoopNest {
  const { transposeA, transposeB } = attributesOf(node, "matMul");
  const batch = node.dimensions.slice(0, -2);
  const { rows, inner, columns } = productOf(node);
  const access = (places: RawPlaces, isTransposed: boolean, loops: (row: number, column: number) => readonly number[]): Access => {
    const { byteOffset, itemBytes } = places;
    const { strides } = broadcastGeometry({ offset: 0, dims: places.dims, strides: places.strides }, [...batch, ...places.dims.slice(-2)]);
    const bytes = strides.map((stride) => stride * itemBytes);
    const [first, second] = bytes.slice(-2) as [number, number];
    const matrix = isTransposed ? loops(second, first) : loops(first, second);
    return { start: byteOffset, itemBytes, strides: [...bytes.slice(0, -2), ...matrix] };
  };
  return {
    sizes: [...batch, rows, inner, columns],
    accesses: [
      access(target, false, (row, column) => [row, 0, column]),
      access(a, transposeA, (row, column) => [row, column, 0]),
      access(b, transposeB, (row, column) => [0, row, column]),
    ],
  };
}

/** Multiplies the matrices of a nest, whose addresses are in the linear memory. The target's rows are dense and overlap no operand. */
export function runContraction(kernel: GebpKernel, { sizes, accesses }: LoopNest): void {
  const loops = sizes.length - 3;
  const [rows, inner, columns] = sizes.slice(loops) as [number, number, number];
  const [c, a, b] = accesses as readonly [Access, Access, Access];
  const contraction = new Contraction(kernel, { rows, inner, columns });
  const left = { start: a.start, rowStride: a.strides[loops] as number, columnStride: a.strides[loops + 1] as number };
  const right = { start: b.start, rowStride: b.strides[loops + 1] as number, columnStride: b.strides[loops + 2] as number };
  const target = { start: c.start, rowStride: c.strides[loops] as number, columnStride: c.strides[loops + 2] as number };
  const matrices = [target, left, right] as const;
  const index = new Array<number>(loops).fill(0);
  try {
    for (let d = 0; d >= 0; ) {
      contraction.run(left, right, target);
      for (d = loops - 1; d >= 0; d--) {
        const size = sizes[d] as number;
        const isBack = ++index[d]! === size;
        for (let m = 0; m < matrices.length; m++) matrices[m]!.start += (isBack ? 1 - size : 1) * (accesses[m]!.strides[d] as number);
        if (!isBack) break;
        index[d] = 0;
      }
    }
  } finally {
    contraction.release();
  }
}

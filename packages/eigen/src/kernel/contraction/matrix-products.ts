/**
 * matrix-products: which products of an expression are computed in blocks, where their operands are, and the products of a batch one by one
 * (in Eigen the dimension sorting of TensorContraction).
 *
 *     matMul(a[8, 3, 64, 64], b[64, 32])     24 products of [64, 64] x [64, 32]; b is read again each time
 *
 * An operand that is a map, also under movements that strides express, is read where it is. Other operands are computed first.
 */
import type { DType } from "@onebuffer/base";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { broadcastGeometry } from "../../geometry/strided-geometry.ts";
import { heldDType } from "../plan/kernel-support.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { isStrideMove, movedGeometry } from "../plan/lowering-moves.ts";
import type { Moves } from "../plan/lowering-moves.ts";
import { kCheap } from "../plan/sharing.ts";
import type { Sharing } from "../plan/sharing.ts";
import type { ContractionDType } from "./block-shape.ts";
import { contractionDType } from "./block-shape.ts";
import { Contraction } from "./contract.ts";
import type { MatrixPlaces, Product } from "./contract.ts";
import { gebpKernel } from "./gebp-kernel.ts";

/** Products with fewer rows, columns or elements of k are sums of few products, which other kernels compute as fast. */
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
  return rows >= kFewLines && columns >= kFewLines && inner >= kFewLines && rows * inner * columns >= kLeastWork;
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
  const wide = new Map(node.inputs.map((input) => [input, heldDType(input) === dtype ? input : castOf(input, dtype)]));
  return { op, attributes, dimensions, dtype, inputs: node.inputs.map((input) => wide.get(input)!), depth: node.depth + 1 };
}

/** Returns a conversion to another dtype. */
export function castOf(input: ExpressionTree, dtype: DType): ExpressionTree {
  return { op: "cast", inputs: [input], attributes: { saturate: false }, dimensions: input.dimensions, dtype, depth: input.depth + 1 };
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

/** Returns the map below a few movements; null if there is something else. */
function movedMap(operand: ExpressionTree): ExpressionTree | null {
  let node = operand;
  for (let moves = 0; moves < kCheap && isStrideMove(node); moves++) node = node.inputs[0]!;
  return node.op === "map" ? node : null;
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
 * Computes the products of a node into places in the linear memory, whose rows are dense and which overlap no operand. Returns false, with
 * nothing done, if the engine refuses the kernel.
 */
export function multiply(node: ExpressionTree, [a, b]: readonly [RawPlaces, RawPlaces], target: RawPlaces): boolean {
  const kernel = gebpKernel(node.dtype as ContractionDType);
  if (kernel === null) return false;
  const { transposeA, transposeB } = attributesOf(node, "matMul");
  const batch = node.dimensions.slice(0, -2);
  const matrices = [matricesOf(a, batch, transposeA), matricesOf(b, batch, transposeB), matricesOf(target, batch, false)] as const;
  const contraction = new Contraction(kernel, productOf(node));
  try {
    for (let n = product(batch); n > 0; n--) {
      const [left, right, result] = matrices.map((each) => each.next().value as MatrixPlaces) as [MatrixPlaces, MatrixPlaces, MatrixPlaces];
      contraction.run(left, right, result);
    }
  } finally {
    contraction.release();
  }
  return true;
}

/** Yields the matrices of a batch, in row-major order; a matrix that all of the batch read is yielded again and again. */
function* matricesOf(places: RawPlaces, batch: readonly number[], isTransposed: boolean): Generator<MatrixPlaces> {
  const { byteOffset, itemBytes } = places;
  const { dims, strides } = broadcastGeometry({ offset: 0, dims: places.dims, strides: places.strides }, [
    ...batch,
    ...places.dims.slice(-2),
  ]);
  const [row, column] = strides.slice(-2).map((stride) => stride * itemBytes) as [number, number];
  const rowStride = isTransposed ? column : row;
  const columnStride = isTransposed ? row : column;
  const index = batch.map(() => 0);
  let start = byteOffset;
  for (;;) {
    yield { start, rowStride, columnStride };
    let d = batch.length - 1;
    for (; d >= 0; d--) {
      const step = (strides[d] as number) * itemBytes;
      start += step;
      if (++index[d]! < (dims[d] as number)) break;
      start -= step * (dims[d] as number);
      index[d] = 0;
    }
    if (d < 0) return;
  }
}

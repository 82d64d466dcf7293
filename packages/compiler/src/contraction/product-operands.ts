/**
 * product-operands: where a product in blocks reads its operands, and the loops over them (in Eigen the index mappers of TensorContraction).
 *
 *     contract(a[8, 5, 6], b[6, 5, 7], [[2, 0], [1, 1]])     rows 8, columns 7, k in two loops: 5 and 6
 *
 * An operand that is a map, also under movements, is read where the map is. One that is computed is stored first, without the movements if
 * it then has fewer elements: the patches of a padded image are read from the padded image. A last reshape that joins dimensions that are
 * not adjacent in memory, as `contract` makes it, becomes several loops: over rows, over columns, over k and over the batch.
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { attributesOf, isCast, isMap } from "@onebuffer/expression/internal";
import { product, rowMajorStrides } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import type { StridedGeometry } from "@onebuffer/storage/internal";
import type { ByteDType, ByteOperands, LoopNest, ProductLoops, StridedLoops } from "@onebuffer/kernels/internal";
import { batchLoops, innerLoops, merged, partsOf } from "./product-loops.ts";
import type { Loop, OperandGeometry } from "./product-loops.ts";
import { heldDType } from "../plan/kernel-support.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { baseOf, movedBase, stepGeometry } from "../plan/lowering-moves.ts";
import { castTo, treeNode } from "../plan/plain-nodes.ts";
import type { Sharing } from "../plan/sharing.ts";

/** Returns the operand with its base cast to a dtype. A base of float16 or bfloat16 that is computed is stored as float32 anyway. */
export function widenedOperand(operand: ExpressionTree, dtype: ExpressionTree["dtype"]): ExpressionTree {
  const base = movedBase(operand);
  if (heldDType(base) === dtype) return operand;
  return product(base.dimensions) > product(operand.dimensions) ? castTo(dtype, operand) : onBase(operand, base, castTo(dtype, base));
}

/** Returns the dtypes of the operands if both are bytes, which the kernel multiplies in pairs; otherwise null. */
export function byteOperands({ inputs }: ExpressionTree): ByteOperands {
  const [left, right] = inputs.map(({ dtype }) => dtype) as [ExpressionTree["dtype"], ExpressionTree["dtype"]];
  return isByte(left) && isByte(right) ? [left, right] : null;
}

const isByte = (dtype: ExpressionTree["dtype"]): dtype is ByteDType => dtype === "int8" || dtype === "uint8";

/** Returns an operand without the cast from int8 or uint8 below its movements; null if there is none. */
export function withoutCast(operand: ExpressionTree): ExpressionTree | null {
  const base = movedBase(operand);
  const [inner] = base.inputs;
  if (!isCast(base) || attributesOf(base, "cast").saturate || !isByte(inner!.dtype)) return null;
  return onBase(operand, base, inner!);
}

/** Returns the movements of an operand over another base. */
function onBase(operand: ExpressionTree, base: ExpressionTree, other: ExpressionTree): ExpressionTree {
  if (operand === base) return other;
  const { op, attributes, dimensions } = operand;
  return treeNode(op, [onBase(operand.inputs[0]!, base, other)], dimensions, attributes);
}

/** Returns the operands of a product, or parts of them, that have to be stored first. */
export function storedOperands(node: ExpressionTree, sharing: Sharing): ExpressionTree[] {
  const bytes = byteOperands(node);
  const isRead = (base: ExpressionTree, k: number): boolean =>
    isMap(base) && base.dtype === (bytes?.[k] ?? node.dtype) && !sharing.isOutsideLinearMemory(base);
  const bases = node.inputs.map(baseOf);
  const geometries = bases.map((base, k) =>
    operandGeometry(node.inputs[k]!, base, isRead(base, k) ? leafPlaces(base) : denseGeometry(base.dimensions)),
  );
  const stored = node.inputs.map((input, k) => (geometries[k] === null ? input : isRead(bases[k]!, k) ? null : bases[k]!));
  const plain = node.inputs.map(({ dimensions }, k) => geometries[k] ?? { ...denseGeometry(dimensions), counts: null });
  const both = plain as [OperandGeometry, OperandGeometry];
  // Loops over k and over the batch that both operands can be read in do not always exist. One that is stored as it is can be read in any.
  const inner = innerLoops(node, both, [1, 1]);
  const loops = batchLoops(node, both, [1, 1]) === null ? null : inner;
  if (loops === null) stored[1] = node.inputs[1]!;
  // A pair of bytes lies within one run of k.
  if (bytes !== null && (loops === null || (loops.length > 1 && loops.at(-1)!.size % 2 === 1))) return [...new Set(node.inputs)];
  return [...new Set(stored.filter((each) => each !== null))];
}

const denseGeometry = (dims: readonly number[]): StridedGeometry => ({ offset: 0, dims, strides: rowMajorStrides(dims) });

/** An operand in memory: the places of its elements in the dimensions of `counts`, and the map or stage that they are read from. */
export interface OperandPlaces {
  readonly places: RawPlaces;
  readonly counts: readonly number[] | null;
  readonly source: ExpressionTree;
}

/** Returns where an operand is; `stored` has the places of everything that storedOperands asked for. */
export function operandPlaces(operand: ExpressionTree, stored: ReadonlyMap<ExpressionTree, RawPlaces>): OperandPlaces {
  const whole = stored.get(operand);
  if (whole !== undefined) return { places: whole, counts: null, source: operand };
  const base = baseOf(operand);
  const at = stored.get(base) ?? leafPlaces(base);
  const { offset, dims, strides, counts } = operandGeometry(operand, base, at)!;
  const byteOffset = at.byteOffset + offset * at.itemBytes;
  return { places: { ...at, byteOffset, dims, strides }, counts, source: base };
}

/** Returns the geometry of an operand whose base has the given one; null if strides cannot express it. */
function operandGeometry(
  operand: ExpressionTree,
  base: ExpressionTree,
  { dims, strides }: Pick<StridedGeometry, "dims" | "strides">,
): OperandGeometry | null {
  const steps: ExpressionTree[] = [];
  for (let node = operand; node !== base; node = node.inputs[0]!) steps.push(node);
  let geometry: StridedGeometry = { offset: 0, dims, strides };
  while (steps.length > 0) {
    const step = steps.pop()!;
    const moved = stepGeometry(geometry, step);
    if (moved === null) return steps.length > 0 ? null : joined(geometry, operand);
    geometry = moved;
  }
  return { ...geometry, counts: null };
}

/** Returns the geometry of a reshape in the dimensions of its operand, some of them split. Null if they overlap those of the result. */
function joined({ offset, dims, strides }: StridedGeometry, { dimensions, inputs }: ExpressionTree): OperandGeometry | null {
  if (inputs[0]!.dimensions.includes(0)) return null;
  const parts: { size: number; stride: number }[] = [];
  const counts: number[] = [];
  let d = dims.length;
  let [left, step] = [1, 0];
  for (let size of dimensions.toReversed()) {
    const before = parts.length;
    while (size > 1) {
      while (left === 1) [left, step] = [dims[--d] as number, strides[d] as number];
      const part = Math.min(size, left);
      if (size % part !== 0 || left % part !== 0) return null;
      parts.push({ size: part, stride: step });
      size /= part;
      left /= part;
      step *= part;
    }
    counts.push(parts.length - before);
  }
  parts.reverse();
  return { offset, dims: parts.map(({ size }) => size), strides: parts.map(({ stride }) => stride), counts: counts.reverse() };
}

/** The loops of products in blocks: those of the batch, then those of one product. The target is access 0, then A and B. */
export interface ProductNest {
  readonly nest: LoopNest;
  readonly batch: number;
  readonly loops: ProductLoops;
}

/** Returns the loops of a product. The operands' batches are broadcast by strides of 0. */
export function productNest(node: ExpressionTree, [a, b]: readonly [OperandPlaces, OperandPlaces], target: RawPlaces): ProductNest {
  const { transposeA, transposeB } = attributesOf(node, "matMul");
  const [left, right] = [geometryOf(a), geometryOf(b)];
  const [bytesA, bytesB] = [a.places.itemBytes, b.places.itemBytes];
  const suffix = (loops: readonly Loop[], stride: number) =>
    rowMajorStrides(loops.map(({ size }) => size)).map((each, k) => ({ ...loops[k]!, c: each * stride }));
  const batch = batchLoops(node, [left, right], [bytesA, bytesB])!.flatMap((loops, d) =>
    suffix(loops, (target.strides[d] as number) * target.itemBytes),
  );
  const rows = merged(partsOf(left, transposeA ? -1 : -2).map(({ size, stride }) => ({ size, a: stride * bytesA, b: 0 })));
  const columns = merged(partsOf(right, transposeB ? -2 : -1).map(({ size, stride }) => ({ size, a: 0, b: stride * bytesB })));
  const inner = innerLoops(node, [left, right], [bytesA, bytesB])!;
  const rowStride = (target.strides.at(-2) as number) * target.itemBytes;
  const all = [...batch, ...suffix(rows, rowStride), ...inner.map((loop) => ({ ...loop, c: 0 })), ...suffix(columns, target.itemBytes)];
  const sizes = all.map(({ size }) => size);
  const nest = {
    sizes,
    accesses: [
      { start: target.byteOffset, itemBytes: target.itemBytes, strides: all.map(({ c }) => c) },
      { start: a.places.byteOffset, itemBytes: bytesA, strides: all.map((loop) => loop.a) },
      { start: b.places.byteOffset, itemBytes: bytesB, strides: all.map((loop) => loop.b) },
    ],
  };
  const part = (loops: readonly Loop[], operand: "a" | "b"): StridedLoops => ({
    sizes: loops.map(({ size }) => size),
    strides: loops.map((loop) => loop[operand]),
  });
  const loops = { rows: part(rows, "a"), columns: part(columns, "b"), innerA: part(inner, "a"), innerB: part(inner, "b"), rowStride };
  return { nest, batch: batch.length, loops };
}

const geometryOf = ({ places: { dims, strides }, counts }: OperandPlaces): OperandGeometry => ({ offset: 0, dims, strides, counts });

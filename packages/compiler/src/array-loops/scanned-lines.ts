/**
 * scanned-lines: scans along an axis, and products of complex numbers over axes, as the lines that scan-kernel.ts goes through.
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import type { OpNameOf, ReduceAttributes } from "@onebuffer/expression/internal";
import { attributesOf, inputsOf, sizesOf } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { scanOfLines } from "@onebuffer/kernels/internal";
import type { AddressScan } from "@onebuffer/kernels/internal";

/** Returns the function that computes a scan; null if the engine refuses the kernel. */
export function lineScan(node: ExpressionTree, dtype: DType): AddressScan | null {
  const { axis, exclusive, reverse } = attributesOf(node, "cumsum");
  const dims = sizesOf(node);
  const [outer, inner] = [product(dims.slice(0, axis)), product(dims.slice(axis + 1))];
  return scanOfLines(node.op as OpNameOf<"scan">, dtype, exclusive, { outer, count: dims[axis]!, inner, reverse, isTotal: false });
}

/** Returns true if the reduced axes of a product are neighbors. */
const areNeighbors = (axes: readonly number[]): boolean => axes.every((axis, k) => axis === axes[0]! + k);

/** Returns the operand of a product over axes in the order in which `multiplyLines` reads it: its reduced axes are neighbors. */
export function withNeighborAxes(node: ExpressionTree): ExpressionTree {
  const operand = node.inputs[0]!;
  const { axes } = node.attributes as ReduceAttributes;
  if (areNeighbors(axes)) return operand;
  const permutation = [...operand.dimensions.map((_, d) => d).filter((d) => !axes.includes(d)), ...axes];
  const { dtype, depth } = operand;
  const dimensions = permutation.map((d) => operand.dimensions[d]!);
  return { op: "shuffle", inputs: [operand], attributes: { permutation }, dtype, dimensions, depth: depth + 1 };
}

/** Multiplies dense complex numbers over axes. Returns false, with nothing done, if the engine refuses the kernel. */
export function multiplyLines(node: ExpressionTree, from: number, to: number): boolean {
  const { axes } = node.attributes as ReduceAttributes;
  const dims = sizesOf(inputsOf(node)[0]!);
  const inner = areNeighbors(axes) ? product(dims.slice(axes.at(-1)! + 1)) : 1;
  const count = product(axes.map((axis) => dims[axis]!));
  const outer = product(dims) / (count * inner);
  const scan = scanOfLines("cumprod", node.dtype, false, { outer, count, inner, reverse: false, isTotal: true });
  scan?.(from, to);
  return scan !== null;
}

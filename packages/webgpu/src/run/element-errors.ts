/**
 * findElementError: the error of an element that a shader has marked: the evaluator computes the expressions again from copies of the
 * operands, and throws it. Shaders cannot tell which element it was.
 */
import { dtypeSize, InternalError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { leafOf } from "@onebuffer/compiler/internal";
import { treeOrder, withNodes } from "@onebuffer/expression/internal";
import { evaluateInto } from "@onebuffer/evaluator/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { product, rowMajorStrides } from "@onebuffer/storage/internal";
import type { GpuSession } from "../gpu/gpu-session.ts";
import type { GpuContent } from "./gpu-content.ts";

/** Memory of this process, as a leaf, as places and as bytes. */
interface HostLeaf {
  readonly leaf: ExpressionTree;
  readonly places: RawPlaces;
  readonly bytes: Uint8Array;
}

/** Rejects with the error of an element. */
export async function findElementError(
  session: GpuSession,
  trees: readonly ExpressionTree[],
  leaves: readonly ExpressionTree[],
  operands: readonly GpuContent[],
): Promise<never> {
  const copies = new Map<ExpressionTree, ExpressionTree>();
  const copied = leaves.map(async (leaf, k) => {
    const made = hostLeaf(leaf);
    copies.set(leaf, made.leaf);
    await session.read(operands[k]!.buffer, made.bytes.length, () => made.bytes);
  });
  await Promise.all(copied);
  for (const tree of trees) evaluateInto(hostLeaf(tree).places, withNodes(tree, copies));
  // The evaluator gathers the rows that are read; a stage gathers all of them.
  for (const node of treeOrder(trees)) if (node.op === "gather") evaluateInto(hostLeaf(node).places, withNodes(node, copies));
  throw new InternalError("WebGPU marks an element as an error that is none");
}

/** Returns dense memory of this process as a leaf with the dtype and the sizes of a node. */
function hostLeaf({ dtype, dimensions }: ExpressionTree): HostLeaf {
  const itemBytes = dtypeSize(dtype);
  const buffer = new ArrayBuffer(product(dimensions) * itemBytes);
  const places = { buffer, byteOffset: 0, itemBytes, dims: dimensions, strides: rowMajorStrides(dimensions) };
  return { leaf: leafOf({ dtype }, places), places, bytes: new Uint8Array(buffer) };
}

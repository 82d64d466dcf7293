/**
 * CpuFallback: expressions that the GPU does not compute, computed by this process (in TensorFlow: soft placement; in tfjs: the forwarding of
 * kernels to the CPU backend).
 *
 *     GpuMaps ── fetch ── tensors ── kernels ── tensor ── the device puts it in place of the expression
 */
import type { DType } from "@onebuffer/base";
import { isRawDType, isStatusError } from "@onebuffer/base";
import { leafPlaces } from "@onebuffer/compiler/internal";
import { Tensor } from "@onebuffer/core";
import type { DeviceAssignment, ExpressionTree } from "@onebuffer/eigen";
import { holdMemory, treeOf } from "@onebuffer/eigen";
import { computeAssignments } from "@onebuffer/eigen/internal";
import { isMap, treeOrder, withNodes } from "@onebuffer/expression/internal";
import { GpuMap } from "./gpu-map.ts";

/** Copies a map of the device to this process. */
export type MapFetcher = (map: GpuMap<DType, number>) => Promise<Tensor<DType>>;

const leafOfTensor = (tensor: Tensor<DType>): ExpressionTree => treeOf(tensor.asOperand() as never);

/**
 * Calls `compute` with the assignments. If `compute` is rejected with UNIMPLEMENTED, which a device does before it writes anything, their whole
 * expressions are computed in this process, and `compute` is called with the results in their place. The memory of all maps is held meanwhile.
 * Expressions whose result or maps have no bytes stay UNIMPLEMENTED.
 */
export async function withFallback<T>(
  assignments: readonly DeviceAssignment[],
  fetch: MapFetcher,
  compute: (assignments: readonly DeviceAssignment[]) => Promise<T>,
): Promise<T> {
  const release = holdMemory(assignments);
  const tensors: Tensor<DType>[] = [];
  try {
    return await compute(assignments);
  } catch (error) {
    const trees = assignments.map(({ tree }) => tree);
    const leaves = treeOrder(trees).filter(isMap);
    const haveBytes = [...trees, ...leaves].every(({ dtype }) => isRawDType(dtype));
    if (!isStatusError(error, "UNIMPLEMENTED") || !haveBytes) throw error;
    const copies = await fetchedLeaves(leaves, fetch, tensors);
    const results = trees.map(({ dtype, dimensions }) => {
      const result = new Tensor<DType>(dtype, dimensions);
      tensors.push(result);
      return leafOfTensor(result);
    });
    computeAssignments(results.map((leaf, k) => ({ places: leafPlaces(leaf), tree: withNodes(trees[k]!, copies) })));
    return await compute(assignments.map((assignment, k) => ({ ...assignment, tree: results[k]! })));
  } finally {
    for (const tensor of tensors) tensor.dispose();
    release();
  }
}

/** Copies the GpuMaps among leaves to this process. Adds the copies to `tensors`, also when it is rejected. */
async function fetchedLeaves(
  leaves: readonly ExpressionTree[],
  fetch: MapFetcher,
  tensors: Tensor<DType>[],
): Promise<ReadonlyMap<ExpressionTree, ExpressionTree>> {
  const copies = new Map<ExpressionTree, ExpressionTree>();
  for (const leaf of leaves) {
    if (!GpuMap.isOne(leaf)) continue;
    const tensor = await fetch(leaf);
    tensors.push(tensor);
    copies.set(leaf, leafOfTensor(tensor));
  }
  return copies;
}

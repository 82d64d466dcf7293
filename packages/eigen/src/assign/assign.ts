/**
 * assign: computes `target = expression`. Kernels compute it where they can; otherwise the plain evaluator does
 * (Eigen's `TensorDevice::operator=`).
 */
import { checkAssignment } from "@onebuffer/evaluator/internal";
import type { Assignment, AssignTarget, Update } from "@onebuffer/evaluator/internal";
import { isTree } from "@onebuffer/expression/internal";
import { copyPlaces, densePlaces, product } from "@onebuffer/storage/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { OtherOperand } from "@onebuffer/expression/internal";
import { evaluateEarly } from "./evaluate-early.ts";
import { loadedKernels } from "./loaded-kernels.ts";

/**
 * Assigns `target = source`, or `target = target update source` if `update` is given. Throws what checkAssignment and
 * evaluateInto throw.
 */
export function assignExpression(target: AssignTarget, source: OtherOperand, update: Update | null): void {
  const kernels = loadedKernels();
  if (kernels !== null && update === null && isTree(source) && "set" in target && kernels.assignAsBefore(target, source)) return;
  const assignment = checkAssignment(target, source, update);
  // A plain assignment of an expression has been tried above.
  if (kernels === null || update === null || !kernels.assignAsBefore(target, assignment.tree)) computeAssignment(assignment);
}

/** Computes a checked assignment. Throws what evaluateInto throws. */
export function computeAssignment({ places, tree }: Assignment): void {
  const kernels = loadedKernels();
  if (kernels === null) evaluateEarly({ places, tree });
  else kernels.computeInto(places, tree);
}

/**
 * Computes checked assignments as if one after the other. Parts that they have in common are computed once where possible. Throws what
 * evaluateInto throws.
 */
export function computeAssignments(assignments: readonly Assignment[]): void {
  if (assignments.length > 1 && loadedKernels()?.computeTogether(assignments) === true) return;
  assignments.forEach(computeAssignment);
}

/**
 * Computes checked assignments of which each reads what was there before all of them. Parts that they have in common are computed once.
 * Throws what evaluateInto throws, and RESOURCE_EXHAUSTED without room for the results that wait.
 */
export function computeUpdates(assignments: readonly Assignment[]): void {
  if (loadedKernels()?.computeUpdates(assignments) === true) return;
  const results = assignments.map(({ places, tree }) => {
    const result = densePlaces(new Uint8Array(product(places.dims) * places.itemBytes), 0, places.itemBytes, places.dims);
    computeAssignment({ places: result, tree });
    return result;
  });
  for (const [k, result] of results.entries()) copyPlaces(result, assignments[k]!.places);
}

/**
 * Computes truth values and returns the places of the true ones in ascending order. Returns null if the plain evaluator has to compute them.
 * Throws what evaluateInto throws.
 */
export function findNonzero(flags: ExpressionTree): Int32Array<ArrayBuffer> | null {
  return loadedKernels()?.findNonzero(flags) ?? null;
}

/**
 * Computes an expression into `numElements` elements of its dtype at `byteOffset` of `bytes`. The memory has exactly as
 * many elements as the expression and was allocated for it just now. Returns false if the caller has to use a map and
 * its `assign` instead, for instance if the bytes are not in the linear memory; the elements are then undefined until
 * they are assigned. Checks nothing and throws nothing. The result is not copied.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * assignFresh(treeOf(a.add(a)), new ArrayBuffer(8), 0, 2); // => false
 */
export function assignFresh(expression: ExpressionTree, bytes: ArrayBufferLike | null, byteOffset: number, numElements: number): boolean {
  return loadedKernels()?.computeFresh(expression, bytes, byteOffset, numElements) ?? false;
}

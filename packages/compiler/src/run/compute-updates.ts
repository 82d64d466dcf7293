/**
 * compute-updates: assignments of which each reads what was there before all of them (one step of an optimizer: the gradient of one layer
 * reads the weights of another).
 *
 *     [w1, w1 - rate * g1], [w2, w2 - rate * g2]      g2 reads w1: w1 is written after g2, in place (schedule.ts)
 *
 * Where one plan cannot compute them (targets outside the linear memory, no SIMD), the targets that an expression reads, and those that share
 * bytes with one before them that is read, are computed in scratch memory, and moved at the end, in their order.
 */
import type { Assignment } from "@onebuffer/evaluator/internal";
import { isMap, treeOrder } from "@onebuffer/expression/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { copyPlaces, product } from "@onebuffer/storage/internal";
import { withScratch } from "@onebuffer/kernels/internal";
import { leafPlaces } from "../plan/leaf-places.ts";
import { computeInto, computeTogether } from "./dispatch.ts";
import { overlapping } from "../places/overlaps.ts";
import { scratchLike } from "./scratch-places.ts";

/** Computes assignments from what was there before all of them. Throws what the evaluator throws, and RESOURCE_EXHAUSTED without scratch memory. */
export function computeUpdates(assignments: readonly Assignment[]): void {
  if (assignments.length === 0 || computeTogether(assignments, true)) return;
  withScratch(() => {
    const leaves = treeOrder(assignments.map(({ tree }) => tree)).filter(isMap);
    const isMoved = movedTargets(
      assignments.map(({ places }) => places),
      leaves.map(leafPlaces),
    );
    const moved = assignments.map(({ places, tree }, k) => ({ places: isMoved[k] ? scratchLike(places) : places, tree }));
    if (!computeTogether(moved)) for (const { places, tree } of moved) computeInto(places, tree);
    for (const [k, { places }] of moved.entries()) if (places !== assignments[k]!.places) copyPlaces(places, assignments[k]!.places);
  });
}

/**
 * Returns for each target whether its result is moved to it at the end: if it overlaps a leaf, which has to be read before, or a target before
 * it whose result is moved, because the later result stays where both are written.
 */
function movedTargets(targets: readonly RawPlaces[], leaves: readonly RawPlaces[]): readonly boolean[] {
  const read = overlapping(targets, leaves);
  const shared = overlapping(targets, targets);
  const isMoved: boolean[] = [];
  for (const [k, { dims }] of targets.entries()) {
    isMoved.push(product(dims) > 0 && (read[k]!.length > 0 || shared[k]!.some((other) => other < k && isMoved[other])));
  }
  return isMoved;
}

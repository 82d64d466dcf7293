/**
 * compute-updates: assignments of which each reads what was there before all of them (one step of an optimizer: the gradient of one layer
 * reads the weights of another).
 *
 *     [w1, w1 - rate * g1], [w2, w2 - rate * g2]      g2 reads w1: w1 is written after g2, in place (schedule.ts)
 *
 * Where one plan cannot compute them (targets outside the linear memory, no SIMD), the targets that an expression reads are computed in
 * scratch memory, and moved at the end.
 */
import type { Assignment } from "@onebuffer/evaluator/internal";
import { isMap, treeOrder } from "@onebuffer/expression/internal";
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
    const read = overlapping(
      assignments.map(({ places }) => places),
      leaves.map(leafPlaces),
    );
    const moved = assignments.map(({ places, tree }, k) => {
      const isRead = product(places.dims) > 0 && read[k]!.length > 0;
      return { places: isRead ? scratchLike(places) : places, tree };
    });
    if (!computeTogether(moved)) for (const { places, tree } of moved) computeInto(places, tree);
    for (const [k, { places }] of moved.entries()) if (places !== assignments[k]!.places) copyPlaces(places, assignments[k]!.places);
  });
}

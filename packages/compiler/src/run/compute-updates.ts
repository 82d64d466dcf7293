/**
 * compute-updates: assignments of which each reads what was there before all of them (one step of an optimizer: the gradient of one layer
 * reads the weights of another).
 *
 *     [w1, w1 - rate * g1], [w2, w2 - rate * g2]      g2 reads w1: the new w1 is computed in scratch memory, and moved at the end
 *
 * A target that no expression reads is written at once. What the expressions have in common is computed once, by a plan that is kept.
 */
import type { Assignment } from "@onebuffer/evaluator/internal";
import { isMap, treeOrder } from "@onebuffer/expression/internal";
import { copyPlaces, mayOverlap, product } from "@onebuffer/storage/internal";
import { withScratch } from "../plan/scratch.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { computeInto, computeTogether } from "./dispatch.ts";
import { scratchLike } from "./scratch-places.ts";

/** Computes assignments from what was there before all of them. Throws what the evaluator throws, and RESOURCE_EXHAUSTED without scratch memory. */
export function computeUpdates(assignments: readonly Assignment[]): void {
  if (assignments.length === 0) return;
  withScratch(() => {
    const leaves = treeOrder(assignments.map(({ tree }) => tree))
      .filter(isMap)
      .map(leafPlaces);
    const moved = assignments.map(({ places, tree }) => {
      const isRead = product(places.dims) > 0 && leaves.some((leaf) => mayOverlap(leaf, places));
      return { places: isRead ? scratchLike(places) : places, tree };
    });
    if (!computeTogether(moved)) for (const { places, tree } of moved) computeInto(places, tree);
    for (const [k, { places }] of moved.entries()) if (places !== assignments[k]!.places) copyPlaces(places, assignments[k]!.places);
  });
}

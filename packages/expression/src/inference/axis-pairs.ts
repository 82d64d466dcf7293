/**
 * axis-pairs: checks the pairs of axes of a contraction (Eigen's IndexPair).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { checkAxis } from "./axes.ts";
import { shownCall } from "./broadcast-dims.ts";
import type { StoredTree } from "../tree/op-attributes.ts";

/** An axis of the left operand and one of the right operand, both in [0, rank). */
export type AxisPair = readonly [left: number, right: number];

/**
 * Returns the pairs with non-negative axes. Throws INVALID_ARGUMENT unless they are pairs of axes of the same size, each axis of an operand
 * in one pair at most.
 */
export function checkPairs(op: string, a: StoredTree, b: StoredTree, pairs: unknown): AxisPair[] {
  const sizesA = a.rawDimensions ?? a.dimensions;
  const sizesB = b.rawDimensions ?? b.dimensions;
  const shown = (): string => shownCall(op, [a, b]);
  const listError = (): InvalidArgumentError =>
    new InvalidArgumentError(`${shown()}: the pairs are a list of [axis, axis of the other], got ${shownValue(pairs)}`);
  if (!isArray(pairs)) throw listError();
  const checked: AxisPair[] = [];
  // Each is checked at once: a list may have a billion holes, which `every` and `map` pass over.
  for (let n = 0; n < pairs.length; n++) {
    const pair: unknown = pairs[n];
    if (!isArray(pair) || pair.length !== 2) throw listError();
    checked.push([checkAxis(op, pair[0], a), checkAxis(op, pair[1], b)]);
  }
  for (const [n, [left, right]] of checked.entries()) {
    const earlier = checked.slice(0, n);
    const twice = earlier.some(([other]) => other === left) ? left : earlier.some(([, other]) => other === right) ? right : -1;
    if (twice >= 0) throw new InvalidArgumentError(`${shown()}: axis ${twice} is in two pairs`);
    if (sizesA[left] !== sizesB[right]) {
      const sizes = `axis ${left} has size ${sizesA[left]}, axis ${right} of the other ${sizesB[right]}`;
      throw new InvalidArgumentError(`${shown()}: the axes of a pair have the same size, ${sizes}`);
    }
  }
  return checked;
}

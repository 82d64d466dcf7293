/**
 * assign-together: several assignments as one (in TensorFlow the outputs of one kernel, as those of tf.nn.moments in XLA).
 *
 *     mean      = mean(x, 1)                      x is read once: a row that has just been summed up is still in the
 *     variance  = mean(square(x - mean(x, 1)))    first-level cache, and the mean is the same mean
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import { checkAssignment } from "./evaluator/assignable.ts";
import type { AssignTarget } from "./evaluator/assignable.ts";
import { checkTree } from "./expression/inference/elementwise-inference.ts";
import type { Operand } from "./expression/tree/operand.ts";
import { computeInto, computeTogether } from "./kernel/run/dispatch.ts";

/** A map and what it is assigned; sizes and dtype as `assign` wants them. */
export type Assigned = readonly [target: Operand<DType, number>, expression: Operand<DType, number>];

/**
 * `target.assign(expression)` for each pair, in this order. Expressions of one dtype that have one value for each row of the same
 * rows (a mean and a variance, a minimum and a maximum) are computed by one kernel, which reads their operands once.
 *
 * All pairs are checked before anything is written. Throws as `assign` does, INVALID_ARGUMENT for what is no list of pairs; results
 * of earlier pairs may be written then. Copies: never.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 5, 5, 5), [2, 3]);
 * const [low, high] = [tensorMap("float32", new Float32Array(2), [2]), tensorMap("float32", new Float32Array(2), [2])];
 * assignTogether([[low, x.min([1])], [high, x.max([1])]]);
 * [low.toArray(), high.toArray()]; // => [[1, 5], [3, 5]]
 * assignTogether([[low, x.min([0])]]); // throws INVALID_ARGUMENT
 */
export function assignTogether(assignments: readonly Assigned[]): void {
  if (!Array.isArray(assignments)) throw new InvalidArgumentError(`assignTogether: ${shownValue(assignments)} is no list of pairs`);
  const checked = Array.from(assignments, (pair: unknown) => {
    if (!Array.isArray(pair) || pair.length !== 2) throw new InvalidArgumentError(`assignTogether: ${shownValue(pair)} is no pair`);
    const [target, expression] = pair as unknown as Assigned;
    const map = checkTree("assignTogether", target);
    if (map.op !== "map") throw new InvalidArgumentError(`assignTogether: ${shownValue(target)} is no map`);
    return checkAssignment(map as AssignTarget, checkTree("assignTogether", expression), null);
  });
  if (checked.length > 1 && computeTogether(checked)) return;
  for (const { places, tree } of checked) computeInto(places, tree);
}

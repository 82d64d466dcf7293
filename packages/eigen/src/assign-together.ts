/**
 * assign-together: computes several assignments in one pass (in TensorFlow: several outputs of one kernel, such as those of
 * tf.nn.moments compiled by XLA).
 *
 *     mean      = mean(x, 1)                      x is read once: after the sum of a row, the row is still in the
 *     variance  = mean(square(x - mean(x, 1)))    first-level cache, and the mean is computed once for both
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { checkAssignment } from "@onebuffer/evaluator/internal";
import type { AssignTarget } from "@onebuffer/evaluator/internal";
import { checkTree, isMap } from "@onebuffer/expression/internal";
import type { Device, DeviceAssignment, OperandLike } from "@onebuffer/expression";
import { computeAssignments } from "./assign/assign.ts";
import { checkDevice } from "./device/tensor-device.ts";

/**
 * A map or tensor and the expression assigned to it. Sizes and dtype must match as for `assign`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 5), [2, 2]);
 * const sums = tensorMap("float32", new Float32Array(2), [2]);
 * const pairs: Assigned[] = [[sums, x.sum(1)]];
 * assignTogether(pairs);
 * sums.toArray(); // => [3, 8]
 */
export type Assigned = readonly [target: OperandLike<DType, number>, expression: OperandLike<DType, number>];

/**
 * Does `target.assign(expression)` for each pair, in this order. If all expressions have the same dtype and give one value per row of
 * the same rows (a mean and a variance, a minimum and a maximum), one kernel computes all of them and reads the operands once.
 *
 * Checks all pairs before it writes anything. Throws as `assign` does, and INVALID_ARGUMENT if the argument is not a list of pairs. If an
 * assignment throws while it is computed, the results of earlier pairs may have been written. Copies: never.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 5, 5, 5), [2, 3]);
 * const [low, high] = [tensorMap("float32", new Float32Array(2), [2]), tensorMap("float32", new Float32Array(2), [2])];
 * assignTogether([[low, x.min([1])], [high, x.max([1])]]);
 * [low.toArray(), high.toArray()]; // => [[1, 5], [3, 5]]
 * assignTogether([[low, x.min([0])]]); // throws INVALID_ARGUMENT
 */
export function assignTogether(assignments: readonly Assigned[]): void;
/**
 * Does the same on a device: `target.device(device).assign(expression)` for each pair. The promise is rejected with what the other form
 * throws, and with errors of the device.
 *
 * @example
 * const [x, out] = [tensorMap("float32", Float32Array.of(3, 5), [2]), tensorMap("float32", new Float32Array(2), [2])];
 * await assignTogether([[out, x.mul(x)]], new DefaultDevice());
 * out.toArray(); // => [9, 25]
 */
export function assignTogether(assignments: readonly Assigned[], device: Device): Promise<void>;
export function assignTogether(assignments: readonly Assigned[], device?: Device): void | Promise<void> {
  if (device !== undefined) return assignOn(assignments, device);
  computeAssignments(checkedPairs("assignTogether", assignments));
}

async function assignOn(assignments: readonly Assigned[], device: Device): Promise<void> {
  await checkDevice(device).assign(checkedPairs("assignTogether", assignments));
}

/** Returns the assignments of a list of pairs. Throws as assignTogether does; `call` is the name of the function that was called. */
export function checkedPairs(call: string, assignments: readonly Assigned[]): readonly DeviceAssignment[] {
  if (!Array.isArray(assignments)) throw new InvalidArgumentError(`${call}: ${shownValue(assignments)} is not a list of pairs`);
  const checked: DeviceAssignment[] = [];
  // The first hole of a list of billions ends the loop.
  for (let k = 0; k < assignments.length; k++) {
    const pair: unknown = assignments[k];
    if (!Array.isArray(pair) || pair.length !== 2) throw new InvalidArgumentError(`${call}: ${shownValue(pair)} is not a pair`);
    const to: unknown = pair[0];
    const expression: unknown = pair[1];
    const target = checkTree(call, to);
    if (!isMap(target)) throw new InvalidArgumentError(`${call}: ${shownValue(to)} is not a map`);
    const { places, tree } = checkAssignment(target as AssignTarget, checkTree(call, expression), null);
    checked.push({ target, places, tree });
  }
  return checked;
}

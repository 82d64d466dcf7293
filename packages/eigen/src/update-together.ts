/**
 * update-together: computes several assignments of which each reads what was there before all of them (in TensorFlow: the update of all
 * variables by an optimizer, after all gradients).
 *
 *     [[w1, w1 - g1], [w2, w2 - g2]]      g2 reads w1: assignTogether would read the new one, updateTogether reads the old one
 */
import { UnimplementedError } from "@onebuffer/base";
import type { Device } from "@onebuffer/expression";
import { computeUpdates } from "./assign/assign.ts";
import { checkedPairs } from "./assign-together.ts";
import type { Assigned } from "./assign-together.ts";
import { checkDevice } from "./device/tensor-device.ts";

/**
 * Does `target.assign(expression)` for each pair, as if all expressions were computed before anything is written. So a training step is one
 * group: parts that its expressions have in common are computed once, by a plan that is kept for the next step, and each target is written
 * after its last reader.
 *
 * Checks all pairs before it writes anything. Throws as `assignTogether` does, and RESOURCE_EXHAUSTED without scratch memory. Copies: the
 * results whose targets are read by other elements or results that wait for them (as in a swap), once.
 *
 * @example
 * const [a, b] = [tensorMap("float32", Float32Array.of(1), [1]), tensorMap("float32", Float32Array.of(2), [1])];
 * updateTogether([[a, b], [b, a]]);
 * [a.toArray(), b.toArray()]; // => [[2], [1]]
 * updateTogether([[a]] as never); // throws INVALID_ARGUMENT
 */
export function updateTogether(assignments: readonly Assigned[]): void;
/**
 * Does the same on a device. The promise is rejected with what the other form throws, with errors of the device, and with UNIMPLEMENTED for a
 * device that has no method `update`.
 *
 * @example
 * const [a, b] = [tensorMap("float32", Float32Array.of(1), [1]), tensorMap("float32", Float32Array.of(2), [1])];
 * await updateTogether([[a, b], [b, a]], new DefaultDevice());
 * [a.toArray(), b.toArray()]; // => [[2], [1]]
 */
export function updateTogether(assignments: readonly Assigned[], device: Device): Promise<void>;
export function updateTogether(assignments: readonly Assigned[], device?: Device): void | Promise<void> {
  if (device !== undefined) return updateOn(assignments, device);
  computeUpdates(checkedPairs("updateTogether", assignments));
}

async function updateOn(assignments: readonly Assigned[], device: Device): Promise<void> {
  const checked = checkDevice(device);
  if (checked.update === undefined) throw new UnimplementedError(`updateTogether: ${checked.name} has no update`);
  await checked.update(checkedPairs("updateTogether", assignments));
}

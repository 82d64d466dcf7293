/**
 * DefaultDevice: computes on the calling thread (Eigen's DefaultDevice).
 */
import type { DeviceAssignment, SyncDevice } from "../expression/tree/device.ts";
import { computeInto, computeTogether } from "../kernel/run/dispatch.ts";

/**
 * Computes checked assignments on this thread, as if one after the other. Parts that they have in common are computed once where possible.
 */
export function computeAssignments(assignments: readonly DeviceAssignment[]): void {
  if (assignments.length > 1 && computeTogether(assignments)) return;
  for (const { places, tree } of assignments) computeInto(places, tree);
}

/**
 * The device that computes on the calling thread: `map.device(new DefaultDevice()).assignSync(e)` is `map.assign(e)`.
 *
 * @example
 * const out = tensorMap("float32", new Float32Array(3), [3]);
 * await out.device(new DefaultDevice()).assign(4);
 * out.toArray(); // => [4, 4, 4]
 */
export class DefaultDevice implements SyncDevice {
  readonly name: string = "DefaultDevice";

  /** See Device. All is computed before the call returns. */
  async assign(assignments: readonly DeviceAssignment[]): Promise<void> {
    computeAssignments(assignments);
  }

  /** See SyncDevice. */
  assignSync(assignments: readonly DeviceAssignment[]): void {
    computeAssignments(assignments);
  }
}

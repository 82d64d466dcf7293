/**
 * DefaultDevice: computes on the calling thread (Eigen's DefaultDevice).
 */
import { computeAssignments } from "../assign/assign.ts";
import type { DeviceAssignment, SyncDevice } from "../expression/tree/device.ts";

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

/**
 * DefaultDevice: computes on the calling thread (Eigen's DefaultDevice).
 */
import { assignExpression, computeAssignments } from "../assign/assign.ts";
import type { DeviceAssignment, SyncDevice } from "../expression/tree/device.ts";
import { setDirectRoad } from "./direct-device.ts";
import type { DirectRoad } from "./direct-device.ts";

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

  constructor() {
    setDirectRoad(this, road);
  }

  /** See Device. All is computed before the call returns. */
  async assign(assignments: readonly DeviceAssignment[]): Promise<void> {
    computeAssignments(assignments);
  }

  /** See SyncDevice. */
  assignSync(assignments: readonly DeviceAssignment[]): void {
    computeAssignments(assignments);
  }
}

const road: DirectRoad = {
  soon(target, source, update) {
    assignExpression(target, source, update);
    return null;
  },
  now: assignExpression,
};

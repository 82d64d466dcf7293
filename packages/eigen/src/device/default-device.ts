/**
 * DefaultDevice: computes on the calling thread (Eigen's DefaultDevice).
 */
import { assignExpression, computeAssignments, computeUpdates } from "../assign/assign.ts";
import type { DeviceAssignment, SyncDevice } from "@onebuffer/expression";
import { setDirectRoad } from "./direct-device.ts";
import type { DirectRoad } from "./direct-device.ts";
import { checkedAssignments } from "./checked-assignments.ts";

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

  /** See Device. All is computed before the call returns. The promise is rejected with INVALID_ARGUMENT for what is no list of assignments. */
  async assign(assignments: readonly DeviceAssignment[]): Promise<void> {
    computeAssignments(checkedAssignments(assignments));
  }

  /** See Device. All is computed before the call returns. The promise is rejected with INVALID_ARGUMENT for what is no list of assignments. */
  async update(assignments: readonly DeviceAssignment[]): Promise<void> {
    computeUpdates(checkedAssignments(assignments));
  }

  /** See SyncDevice. Throws INVALID_ARGUMENT for what is no list of assignments. */
  assignSync(assignments: readonly DeviceAssignment[]): void {
    computeAssignments(checkedAssignments(assignments));
  }
}

const road: DirectRoad = {
  soon(target, source, update) {
    assignExpression(target, source, update);
    return null;
  },
  now: assignExpression,
};

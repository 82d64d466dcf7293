/**
 * reduce-in-blocks
 */
import type { DeviceAssignment } from "../expression/tree/device.ts";

export function inBlocks(assignments: readonly DeviceAssignment[], compute: (assignments: readonly DeviceAssignment[]) => void): void {
  compute(assignments);
}

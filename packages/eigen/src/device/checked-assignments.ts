/**
 * checked-assignments: what a program passes to `assign` of a device. Maps pass assignments that have been checked; a program may pass
 * anything.
 */
import { checkArray, checkObject } from "@onebuffer/base/internal";
import { checkAssignment } from "@onebuffer/evaluator/internal";
import type { AssignTarget } from "@onebuffer/evaluator/internal";
import { checkTree } from "@onebuffer/expression/internal";
import type { DeviceAssignment } from "@onebuffer/expression";

/**
 * Returns the assignments of a list, each checked again: its places are those of its target. Throws INVALID_ARGUMENT for a value that is no
 * array of assignments, and what checkAssignment throws.
 */
export function checkedAssignments(assignments: readonly DeviceAssignment[]): readonly DeviceAssignment[] {
  checkArray(assignments, "a list of assignments");
  // The first hole of a list of billions ends the loop.
  return Array.from(assignments, (each) => {
    checkObject(each, "an assignment");
    const { target, tree } = each;
    return { target, ...checkAssignment(target as AssignTarget, checkTree("assign", tree), null) };
  });
}

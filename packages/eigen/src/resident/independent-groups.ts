/**
 * independentGroups: divides assignments that happen one after the other into groups that one program can compute, because none of a group
 * reads or writes what an earlier one of it writes.
 */
import type { DeviceAssignment, ExpressionTree } from "@onebuffer/expression";
import { isMap, treeOrder } from "@onebuffer/expression/internal";
import { mayOverlap } from "@onebuffer/storage/internal";
import { leafPlaces } from "@onebuffer/compiler/internal";
import { DeviceMap } from "./device-map.ts";

/** Returns the assignments in groups, in their order. */
export function independentGroups(assignments: readonly DeviceAssignment[]): DeviceAssignment[][] {
  if (assignments.length === 1) return [[...assignments]];
  const groups: DeviceAssignment[][] = [];
  let group: DeviceAssignment[] = [];
  for (const assignment of assignments) {
    const touched = treeOrder([assignment.tree]).filter(isMap);
    touched.push(assignment.target);
    if (group.some(({ target }) => touched.some((map) => sharesMemory(map, target)))) {
      groups.push(group);
      group = [];
    }
    group.push(assignment);
  }
  if (group.length > 0) groups.push(group);
  return groups;
}

/** Returns true if the two may have bytes in common. */
function sharesMemory(a: ExpressionTree, b: ExpressionTree): boolean {
  if (a === b) return true;
  if (DeviceMap.is(a) || DeviceMap.is(b)) return false;
  return mayOverlap(leafPlaces(a), leafPlaces(b));
}

/**
 * independentGroups: divides assignments that happen one after the other into groups that one program can compute, because none of a group
 * reads what an earlier one of it writes.
 */
import type { DeviceAssignment, ExpressionTree, RawPlaces } from "@onebuffer/eigen";
import { leafPlaces, placeRange, treeOrder } from "@onebuffer/eigen/internal";
import { XlaMap } from "./xla-map.ts";

/** Returns the assignments in groups, in their order. */
export function independentGroups(assignments: readonly DeviceAssignment[]): DeviceAssignment[][] {
  const groups: DeviceAssignment[][] = [];
  let group: DeviceAssignment[] = [];
  for (const assignment of assignments) {
    const leaves = treeOrder([assignment.tree]).filter(({ op }) => op === "map");
    if (group.some(({ target }) => leaves.some((leaf) => sharesMemory(leaf, target)))) {
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
  if (XlaMap.is(a) || XlaMap.is(b)) return false;
  const [from, to] = [leafPlaces(a), leafPlaces(b)];
  if (from.buffer !== to.buffer) return false;
  const [low, end] = byteRange(from);
  const [begin, stop] = byteRange(to);
  return low < stop && begin < end;
}

function byteRange({ byteOffset, itemBytes, dims, strides }: RawPlaces): readonly [number, number] {
  const [low, end] = placeRange({ offset: 0, dims, strides });
  return [byteOffset + low * itemBytes, byteOffset + end * itemBytes];
}

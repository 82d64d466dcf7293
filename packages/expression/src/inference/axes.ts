/**
 * Checks and normalizes the axes and flags of expressions. geometry/axis.ts has the rules for axes.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { resolveAxes, resolveAxis } from "@onebuffer/storage/internal";
import { shownOperand } from "./broadcast-dims.ts";
import type { StoredTree } from "../tree/op-attributes.ts";

/** Returns an axis in [0, rank of the operand + extra). Throws INVALID_ARGUMENT with the operand's dtype and sizes. */
export function checkAxis(op: string, axis: unknown, operand: StoredTree, extra: number = 0): number {
  return resolveAxis(axis, (operand.rawDimensions ?? operand.dimensions).length + extra, () => `${op}(${shownOperand(operand)})`);
}

/** Returns a list of distinct axes in the order given. Throws INVALID_ARGUMENT with the operand's dtype and sizes. */
export function checkAxisList(op: string, axes: unknown, operand: StoredTree): number[] {
  return resolveAxes(axes, (operand.rawDimensions ?? operand.dimensions).length, () => `${op}(${shownOperand(operand)})`);
}

/** Returns distinct, ascending axes from a number or an array; all axes for undefined and null. Throws INVALID_ARGUMENT. */
export function checkAxes(op: string, axes: unknown, operand: StoredTree): readonly number[] {
  if (axes === undefined || axes === null) return (operand.rawDimensions ?? operand.dimensions).map((_, d) => d);
  if (typeof axes !== "number" && !isArray(axes)) {
    throw new InvalidArgumentError(
      `${op}(${shownOperand(operand)}): axes must be a number or an array, as in ${op}(0, options) or ${op}([0, 1], options), got ${shownValue(axes)}`,
    );
  }
  const list = checkAxisList(op, typeof axes === "number" ? [axes] : axes, operand);
  // Nearly all lists are in order, and the engine's sort takes as long as making the node.
  for (let k = 1; k < list.length; k++) if (list[k - 1]! > list[k]!) return list.sort((a, b) => a - b);
  return list;
}

/** Returns `flag` if it is a boolean, otherwise throws INVALID_ARGUMENT. */
export function checkFlag(op: string, name: string, flag: unknown): boolean {
  if (typeof flag !== "boolean") throw new InvalidArgumentError(`${op}: ${name} must be true or false, got ${shownValue(flag)}`);
  return flag;
}

/**
 * Axes and sizes as callers give them, checked and brought to one form. A negative axis counts from the end, as in TensorFlow.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import { shownOperand } from "./broadcast-dims.ts";
import type { ExpressionTree } from "./op-attributes.ts";

/** An axis in [0, rank). Throws INVALID_ARGUMENT, which names the operand. */
export function checkAxis(op: string, axis: unknown, operand: ExpressionTree, extra: number = 0): number {
  const rank = operand.dimensions.length + extra;
  if (!Number.isInteger(axis) || (axis as number) < -rank || (axis as number) >= rank) {
    throw new InvalidArgumentError(`${op}(${shownOperand(operand)}): axis ${shownValue(axis)} is not in [${-rank}, ${rank})`);
  }
  return ((axis as number) < 0 ? (axis as number) + rank : (axis as number)) + 0;
}

/** Distinct axes, ascending; all for undefined and null. Throws INVALID_ARGUMENT. */
export function checkAxes(op: string, axes: unknown, operand: ExpressionTree): readonly number[] {
  if (axes === undefined || axes === null) return operand.dimensions.map((_, d) => d);
  if (typeof axes !== "number" && !Array.isArray(axes)) {
    throw new InvalidArgumentError(`${op}(${shownOperand(operand)}): axes come as a number or an array, got ${shownValue(axes)}`);
  }
  const list: readonly unknown[] = typeof axes === "number" ? [axes] : axes;
  const rank = operand.dimensions.length;
  // Before they are read: a sparse array of a billion would take minutes.
  if (list.length > rank) throw new InvalidArgumentError(`${op}(${shownOperand(operand)}): ${list.length} axes of rank ${rank}`);
  const checked = Array.from(list, (axis) => checkAxis(op, axis, operand));
  const twice = checked.find((axis, k) => checked.indexOf(axis) !== k);
  if (twice !== undefined) throw new InvalidArgumentError(`${op}(${shownOperand(operand)}): axis ${twice} is named twice in [${list}]`);
  return checked.sort((a, b) => a - b);
}

/** A truth value. Throws INVALID_ARGUMENT. */
export function checkFlag(op: string, name: string, flag: unknown): boolean {
  if (typeof flag !== "boolean") throw new InvalidArgumentError(`${op}: ${name} is true or false, got ${shownValue(flag)}`);
  return flag;
}

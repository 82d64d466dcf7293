/**
 * The axes and flags of expressions, checked and brought to one form; see axis.ts.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import { resolveAxes, resolveAxis } from "../../geometry/axis.ts";
import { shownOperand } from "./broadcast-dims.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";

/** An axis in [0, rank), of `extra` more than the operand has. Throws INVALID_ARGUMENT, which names the operand. */
export function checkAxis(op: string, axis: unknown, operand: ExpressionTree, extra: number = 0): number {
  return resolveAxis(axis, operand.dimensions.length + extra, () => `${op}(${shownOperand(operand)})`);
}

/** Different axes in their order. Throws INVALID_ARGUMENT, which names the operand. */
export function checkAxisList(op: string, axes: unknown, operand: ExpressionTree): number[] {
  return resolveAxes(axes, operand.dimensions.length, () => `${op}(${shownOperand(operand)})`);
}

/** Different axes, ascending, from a number or an array; all of them for undefined and null. Throws INVALID_ARGUMENT. */
export function checkAxes(op: string, axes: unknown, operand: ExpressionTree): readonly number[] {
  if (axes === undefined || axes === null) return operand.dimensions.map((_, d) => d);
  if (typeof axes !== "number" && !Array.isArray(axes)) {
    throw new InvalidArgumentError(`${op}(${shownOperand(operand)}): axes come as a number or an array, got ${shownValue(axes)}`);
  }
  return checkAxisList(op, typeof axes === "number" ? [axes] : axes, operand).sort((a, b) => a - b);
}

/** A truth value. Throws INVALID_ARGUMENT. */
export function checkFlag(op: string, name: string, flag: unknown): boolean {
  if (typeof flag !== "boolean") throw new InvalidArgumentError(`${op}: ${name} is true or false, got ${shownValue(flag)}`);
  return flag;
}

/**
 * elementwise-op: precomputed facts about a unary or binary operation, for making its nodes fast.
 *
 * Making a node takes less time than three look-ups of a string in a map. The methods therefore pass these records, in which an accepted
 * dtype is one bit. A dtype that is not accepted, or has no kernels, and an operation whose result is uint8, takes the slow path through
 * the op table, which throws the errors.
 */
import type { OpName } from "../tree/op-table.ts";
import { opTable } from "../tree/op-table.ts";
import { codedDTypes, operationCode } from "../tree/node-code.ts";

/** The facts about one operation. */
export interface ElementwiseOp<N extends OpName> {
  readonly name: N;
  /** Its node code without the dtype's number: see tree/node-code.ts. */
  readonly code: number;
  /** Bit n is set if the dtype with number n is accepted. */
  readonly accepts: number;
  /** True if the result is bool; otherwise it has the operands' dtype. */
  readonly isBool: boolean;
}

/** Returns the facts about an operation. */
export function elementwiseOp<N extends OpName>(name: N): ElementwiseOp<N> {
  const { dtypes, result } = opTable[name];
  let accepts = 0;
  for (const dtype of result === "uint8" ? [] : dtypes) if (codedDTypes.includes(dtype)) accepts |= 1 << codedDTypes.indexOf(dtype);
  return { name, code: operationCode(name, false), accepts, isBool: result === "bool" };
}

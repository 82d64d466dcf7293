/**
 * xlaCapabilities: which operations XLA computes: those of the op table, on the dtypes that it accepts, that the lowering table can write.
 */
import type { DType } from "@onebuffer/base";
import { opTable } from "@onebuffer/eigen";
import type { ExpressionTree, OpName } from "@onebuffer/eigen";
import { reasonAgainst } from "./custom-calls.ts";
import { isSupported } from "./lowering-table.ts";

/**
 * Returns true if an operation on a dtype has a form in StableHLO, or else the reason why XLA does not compute it. The operations of other
 * packages are known by their node alone.
 */
export function xlaCapabilities(op: OpName, dtype: DType, node?: ExpressionTree): true | string {
  if (op === "customCall" && node !== undefined) return reasonAgainst(node) ?? true;
  const isKnown = Object.hasOwn(opTable, op) && opTable[op].dtypes.includes(dtype);
  return (isKnown && isSupported(op, dtype)) || "it has no form in StableHLO";
}

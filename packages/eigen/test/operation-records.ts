// The records of operations by name, for tests whose subjects, domains and bounds follow from them.
import type { OpName } from "@onebuffer/eigen";
import { families, wholeFamilies } from "@onebuffer/expression/src/ops/families";
import type { AnyOpRecord } from "@onebuffer/expression/src/ops/op-record";
import type { AnyWholeRecord } from "@onebuffer/expression/src/ops/whole-record";

/** The records of elementwise operations. */
export const records: Readonly<Partial<Record<OpName, AnyOpRecord>>> = Object.assign({}, ...families);

/** The records of the other operations, with `cast` and `select`. */
export const wholeRecords: Readonly<Partial<Record<OpName, AnyWholeRecord>>> = Object.assign({}, ...wholeFamilies);

/** Returns the operations whose records fulfill a condition, in the order of the op table. */
export function operationsWhere(holds: (record: AnyOpRecord, op: OpName) => boolean): OpName[] {
  return (Object.keys(records) as OpName[]).filter((op) => holds(records[op]!, op));
}

/** Operations on integers that refuse a second operand of 0. */
export const divisions: readonly OpName[] = operationsWhere(({ domain }) => domain === "divisor");

/** Elementary functions: operations whose results are within a number of units of the exact one. */
export const functions: readonly OpName[] = operationsWhere(({ accuracy }) => typeof accuracy !== "string");

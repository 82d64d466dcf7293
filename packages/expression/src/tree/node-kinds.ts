/**
 * node-kinds: what code that plans or evaluates expressions asks of a node, whatever operations there are. A map reads elements from
 * memory; a constant has its one element in its attributes; an element of an elementwise operation depends on the operands' elements at the
 * same index. The answers follow from the records of the operations.
 */
import type { DType } from "@onebuffer/base";
import { movementReads, uniformOps } from "../generated/op-facts.ts";
import type { MovementReads } from "../generated/op-facts.ts";
import { opNames, opTable } from "./op-table.ts";

/** A node, or a value of a kernel: what has an operation. */
interface Operated {
  readonly op: string;
}

const maps: ReadonlySet<string> = new Set(opNames("leaf"));
const casts: ReadonlySet<string> = new Set(opNames("unary").filter((op) => opTable[op].result === "asked"));
const selections: ReadonlySet<string> = new Set(opNames("ternary"));
const elementwise: ReadonlySet<string> = new Set([...opNames("unary"), ...opNames("binary"), ...selections]);
const movesBy = (from: MovementReads): ReadonlySet<string> =>
  new Set(Object.entries(movementReads).flatMap(([op, reads]) => (reads === from ? [op] : [])));
const strideMoves: ReadonlySet<string> = movesBy("strides");
const joins: ReadonlySet<string> = movesBy("operands");

/** Returns true for a map: a leaf that reads memory. */
export function isMap({ op }: Operated): boolean {
  return maps.has(op);
}

/** Returns true for a constant: every element is the value in its attributes. */
export function isConstant({ op }: Operated): boolean {
  return uniformOps.has(op);
}

/** Returns true for an operation on the operands' elements at the same, broadcast, index. */
export function isElementwise({ op }: Operated): boolean {
  return elementwise.has(op);
}

/** Returns true for a cast: an operation on one operand to a dtype that the node names. */
export function isCast({ op }: Operated): boolean {
  return casts.has(op);
}

/** Returns true for a movement whose elements are at places in the operand that strides give. */
export function isStrideMove({ op }: Operated): boolean {
  return strideMoves.has(op);
}

/** Returns true for a movement that reads several operands, one behind the other. */
export function isJoin({ op }: Operated): boolean {
  return joins.has(op);
}

/** Returns true for an operation that chooses between its second and third operand. */
export function isSelection({ op }: Operated): boolean {
  return selections.has(op);
}

/** Returns the dtype that decides whether a kernel or a backend has an operation: the first operand's, of a selection the second's. */
export function decisiveDType({
  op,
  dtype,
  inputs,
}: Operated & { readonly dtype: DType; readonly inputs: readonly { readonly dtype: DType }[] }): DType {
  return selections.has(op) ? dtype : (inputs[0]?.dtype ?? dtype);
}

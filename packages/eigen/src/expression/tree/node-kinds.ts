/**
 * node-kinds: what code that plans or evaluates expressions asks of a node, whatever operations there are. A map reads elements from
 * memory; a constant has its one element in its attributes; an element of an elementwise operation depends on the operands' elements at the
 * same index.
 */
import { opTable } from "./op-table.ts";
import type { OpName } from "./op-table.ts";

/** Returns true for a map: a leaf that reads memory. */
export function isMap({ op }: { readonly op: string }): boolean {
  return op === "map";
}

/** Returns true for a constant: every element is the value in its attributes. */
export function isConstant({ op }: { readonly op: string }): boolean {
  return op === "constant";
}

/** Returns true for an operation on the operands' elements at the same, broadcast, index. */
export function isElementwise({ op }: { readonly op: OpName }): boolean {
  const { class: opClass } = opTable[op];
  return opClass === "unary" || opClass === "binary" || opClass === "ternary";
}

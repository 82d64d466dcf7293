/** node-facts: what code asks about nodes, by the classes and facts of their operations (generated/op-facts.ts). */
import { uniformOps } from "../generated/op-facts.ts";
import type { OpName } from "./op-table.ts";
import { opNames } from "./op-table.ts";

/** A node, or another object that names an operation. */
interface Named {
  readonly op: string;
}

const leaves: ReadonlySet<string> = new Set(opNames("leaf"));
const elementwise: ReadonlySet<string> = new Set<OpName>([...opNames("unary"), ...opNames("binary"), ...opNames("ternary")]);

/** Returns true for a map. */
export function isLeaf({ op }: Named): boolean {
  return leaves.has(op);
}

/** Returns true for a constant: its elements are all its attribute `value`. */
export function isConstant({ op }: Named): boolean {
  return uniformOps.has(op);
}

/** Returns true if elements depend on the operands' elements at the same, broadcast, index. */
export function isElementwise({ op }: Named): boolean {
  return elementwise.has(op);
}

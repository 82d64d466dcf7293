/**
 * The table of lowerings: which operations of the op table have a form in StableHLO, and which function writes it. An operation without an
 * entry is UNIMPLEMENTED, so an operation that is added to the op table needs nothing here until it has one.
 */
import type { OpName } from "@onebuffer/eigen";
import type { Lowering } from "./lowering.ts";
import { operandAt } from "./lowering.ts";

const twice =
  (op: string): Lowering =>
  (site) =>
    site.b.same(op, operandAt(site, 0), operandAt(site, 1));

/** The lowerings by operation. */
export const loweringTable: Readonly<Partial<Record<OpName, Lowering>>> = {
  add: twice("stablehlo.add"),
  sub: twice("stablehlo.subtract"),
  mul: twice("stablehlo.multiply"),
};

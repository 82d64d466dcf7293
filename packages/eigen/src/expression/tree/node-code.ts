/**
 * node-code: a node as one small integer: what an elementwise kernel has to know of it besides its operands (the part of an Eigen
 * expression's type that is not its arguments' types).
 *
 *     bits 0-3   number of the dtype            0 float32  1 float64  …  12 bool
 *     bits 4-5   of a constant: 1 other, 2 zero, 3 rare             0: a map without strides
 *     bits 6-    of an elementwise operation: 4 + 2 * its number + whether it saturates
 *
 * -1 is everything else: a dtype without kernels, a movement, a reduction. Nodes carry their code under a symbol of this copy of
 * the package, so that nodes of other copies, which may count differently, have none.
 */
import type { DType } from "@onebuffer/base";
import { realDTypes } from "./dtype-groups.ts";
import type { ExpressionTree } from "./op-attributes.ts";
import { opNames } from "./op-table.ts";
import type { OpName } from "./op-table.ts";

/** Where a node has its code. */
export const kCode: unique symbol = Symbol("code");

/** A node of this copy of the package; of another copy's the code is undefined, which is neither less nor more than a number. */
export interface CodedTree extends ExpressionTree {
  readonly [kCode]: number;
  readonly inputs: readonly CodedTree[];
}

/** The code of what has none. */
export const kNoCode = -1;
/** Codes below this are maps' and say nothing but the dtype. */
export const kConstantCodes = 16;
/** Codes from here on are operations', below constants' and maps'. */
export const kOperationCodes = 64;
/** The bits of the dtype's number. */
export const kDTypeBits = 15;

/** The dtypes by number: those that have lanes. */
export const codedDTypes: readonly DType[] = [...realDTypes, "bool"];
const dtypeNumbers: ReadonlyMap<DType, number> = new Map(codedDTypes.map((dtype, i) => [dtype, i]));
const opNumbers: ReadonlyMap<OpName, number> = new Map(
  [...opNames("unary"), ...opNames("binary"), ...opNames("ternary")].map((op, i) => [op, i]),
);

/** What kernels know of a constant's value: 0; NaN or -0, which some operations need more code for; or neither of them. */
export type ConstantKind = "zero" | "rare" | "other";

/** A small number for each kind of constant. */
export const constantCodes: Readonly<Record<ConstantKind, number>> = { other: 1, zero: 2, rare: 3 };

/** The kind of a constant's value. */
export function constantKind(value: unknown): ConstantKind {
  return value !== value || Object.is(value, -0) ? "rare" : value === 0 ? "zero" : "other";
}

/** The number of a dtype, which is also the code of a map without strides; -1 without kernels. */
export function dtypeNumber(dtype: DType): number {
  // float32 is the first of them, and most of what there is.
  return dtype === "float32" ? 0 : (dtypeNumbers.get(dtype) ?? kNoCode);
}

/** The code of an elementwise operation but for its dtype. */
export function operationCode(op: OpName, saturate: boolean): number {
  return kOperationCodes + ((opNumbers.get(op) as number) * 2 + (saturate ? 1 : 0)) * 16;
}

/** What the code says of a node with these fields; of operands it knows nothing. */
export function codeOf(op: OpName, dtype: DType, attributes: object): number {
  const number = dtypeNumber(dtype);
  if (number < 0) return kNoCode;
  if (op === "constant") {
    const { value } = attributes as { readonly value: unknown };
    return constantCodes[constantKind(value)] * kConstantCodes + number;
  }
  if (!opNumbers.has(op)) return kNoCode;
  return operationCode(op, op === "cast" && (attributes as { readonly saturate: boolean }).saturate) + number;
}

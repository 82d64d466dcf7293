/**
 * node-code: encodes a node as one small integer that tells an elementwise kernel everything about the node except its operands (in Eigen:
 * the part of an expression's type that is not its arguments' types).
 *
 *     bits 0-3   number of the dtype            0 float32  1 float64  …  12 bool
 *     bits 4-    of a constant: 1 other, 2 zero, 3 rare, 4 lowest   0: a map without strides
 *                of an elementwise operation: 5 + 2 * its number + whether it saturates
 *
 * All other nodes have negative codes: -1 if their dtype has no kernels, otherwise -2 - (32 * the operation's number + that of the dtype):
 * plans number complex and narrow dtypes, too. Nodes store their code under a symbol that is private to this copy of the package. Nodes of
 * other copies, which may number operations differently, therefore have no code here.
 */
import type { DType } from "@onebuffer/base";
import { uniformOps } from "../generated/op-facts.ts";
import { realDTypes } from "./dtype-groups.ts";
import type { ExpressionTree, StoredTree } from "./op-attributes.ts";
import { opNames, opTable } from "./op-table.ts";
import type { OpName } from "./op-table.ts";

/** The property that holds a node's code. */
export const kCode: unique symbol = Symbol("code");

/** The property in which an expression remembers its plan (compiler/run/bound-plan.ts); null before it has been assigned twice. */
export const kPlan: unique symbol = Symbol("plan");

/** A node of this copy of the package. For a node of another copy the code is undefined, and every comparison with it is false. */
export interface CodedTree extends StoredTree {
  readonly [kCode]: number;
  readonly inputs: readonly CodedTree[];
  readonly rawInputs?: readonly CodedTree[] | null;
  readonly rawDimensions?: readonly number[];
}

/** The code of nodes that no elementwise kernel computes. */
export const kNoCode = -1;
/** Codes from 0 up to this one are maps: they contain only the dtype. */
export const kConstantCodes = 16;
/** Codes from this one on are operations; codes below it are constants and maps. */
export const kOperationCodes = 80;
/** What the code of an elementwise operation that saturates has more. */
const kSaturates = 16;
/** Mask of the dtype's number. */
export const kDTypeBits = 15;

/** How many codes each operation that is not elementwise has. */
export const kCodesPerOperation = 32;

/** The dtypes of elementwise operations, by number. */
export const codedDTypes: readonly DType[] = [...realDTypes, "bool"];
const dtypeNumbers: ReadonlyMap<DType, number> = new Map(codedDTypes.map((dtype, i) => [dtype, i]));
const opNumbers: ReadonlyMap<OpName, number> = new Map(
  [...opNames("unary"), ...opNames("binary"), ...opNames("ternary")].map((op, i) => [op, i]),
);

/** The codes of all operations, without the dtype's number: nodes are made in loops, so each asks for its operation once. */
const opCodes: ReadonlyMap<OpName, number> = new Map(
  (Object.keys(opTable) as OpName[]).map((op, i) => [op, opNumbers.has(op) ? operationCode(op, false) : -2 - i * kCodesPerOperation]),
);

/**
 * What plans may depend on of a constant's value: 0; NaN or -0, for which some operations need extra code; -Infinity, which changes no
 * maximum; or any other value.
 */
export type ConstantKind = "zero" | "rare" | "lowest" | "other";

/** The number of each kind of constant in the code. */
export const constantCodes: Readonly<Record<ConstantKind, number>> = { other: 1, zero: 2, rare: 3, lowest: 4 };

/** Returns the kind of a constant's value. */
export function constantKind(value: unknown): ConstantKind {
  if (value !== value || Object.is(value, -0)) return "rare";
  return value === 0 ? "zero" : value === Number.NEGATIVE_INFINITY ? "lowest" : "other";
}

/** Returns the number of a dtype, which is also the code of a map without strides; -1 if the dtype has no kernels. */
export function dtypeNumber(dtype: DType): number {
  // Fast path: most maps are float32.
  return dtype === "float32" ? 0 : (dtypeNumbers.get(dtype) ?? kNoCode);
}

/** Returns the code of an elementwise operation, without the dtype's number. */
export function operationCode(op: OpName, saturate: boolean): number {
  return kOperationCodes + (opNumbers.get(op) as number) * 2 * 16 + (saturate ? kSaturates : 0);
}

/** Returns the code of a node with these fields. It does not depend on the operands. */
export function codeOf(op: OpName, dtype: DType, attributes: object): number {
  const number = dtypeNumber(dtype);
  if (number < 0) return kNoCode;
  const code = opCodes.get(op)!;
  if (code >= 0) return code + number + ((attributes as { readonly saturate?: boolean }).saturate === true ? kSaturates : 0);
  if (!uniformOps.has(op)) return code - number;
  const { value } = attributes as { readonly value: unknown };
  return constantCodes[constantKind(value)] * kConstantCodes + number;
}

/** Returns the code of a node that no elementwise kernel computes, whatever its operation is. */
export function wholeCodeOf(op: OpName, dtype: DType): number {
  const number = dtypeNumber(dtype);
  return number < 0 ? kNoCode : -2 - (Object.keys(opTable).indexOf(op) * kCodesPerOperation + number);
}

/** Returns the number of the dtype of a node with this code; -1 if the dtype has no kernels, and for a map with strides. */
export function dtypeNumberOf(code: number): number {
  return code >= 0 ? code & kDTypeBits : code < kNoCode ? (-2 - code) & kDTypeBits : -1;
}

/**
 * Returns true if a value is an elementwise operation that `assignFresh` may compute without checks. Such a value is an expression
 * of this copy of the package, its dtype supports arithmetic, and it needs no further checks. Accepts any value and
 * never throws.
 *
 * @example
 * const map = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * [map.add(1), map, map.sum(), 3, null].map(mayGoDirectly); // => [true, false, false, false, false]
 */
export function mayGoDirectly(value: unknown): value is ExpressionTree {
  return typeof value === "object" && value !== null && (value as CodedTree)[kCode] >= kOperationCodes;
}

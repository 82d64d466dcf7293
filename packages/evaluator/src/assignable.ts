/**
 * Checks an assignment before anything is written: the target must be alive and writable and have the expression's dtype, and the
 * expression must broadcast to the target's sizes.
 */
import { sameSizes } from "@onebuffer/storage/internal";
import type { DType } from "@onebuffer/base";
import { argumentError, shownValue } from "@onebuffer/base/internal";
import { FailedPreconditionError, InvalidArgumentError, isRawDType } from "@onebuffer/base";
import {
  binaryFields,
  isMap,
  isTree,
  makeExpression,
  noAttributes,
  operandTree,
  scalarFields,
  shownCall,
  shownOperand,
  sizesOf,
} from "@onebuffer/expression/internal";
import type { OtherOperand } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { RawPlaces } from "@onebuffer/storage";
import type { MapLeaf } from "./compile-tree.ts";

/** A map that is the target of an assignment. */
export interface AssignTarget extends MapLeaf {
  readonly dtype: DType;
}

/** The operations of addAssign, subAssign, mulAssign and divAssign. */
export type Update = "add" | "sub" | "mul" | "div";

/** A checked assignment: the target's places, and a tree with the target's dtype and sizes. */
export interface Assignment {
  readonly places: RawPlaces;
  readonly tree: ExpressionTree;
}

/**
 * Checks `target = source`, or `target = target op source`. Throws FAILED_PRECONDITION for a read-only map and freed memory. Throws
 * INVALID_ARGUMENT for another dtype, for sizes that cannot be broadcast to the target's (naming both and the axis), and if `source` is
 * neither an expression nor an element of the dtype.
 */
export function checkAssignment(target: AssignTarget, source: OtherOperand, update: Update | null): Assignment {
  const name = update === null ? "assign" : `${update}Assign`;
  if (typeof target !== "object" || target === null || typeof (target as Partial<AssignTarget>).dtype !== "string")
    throw argumentError("a map", target);
  if (!("set" in target)) {
    const shown = isTree(target) ? `${isMap(target) ? "the map" : "the expression"} ${shownOperand(target)}` : shownValue(target);
    throw new FailedPreconditionError(`${name}: ${shown} is read-only`);
  }
  if (!isRawDType(target.dtype))
    throw new InvalidArgumentError(`${name}: elements of ${target.dtype} are not assigned, use set or copyFrom`);
  const given = operandTree(name, source) ?? makeExpression(scalarFields(name, target.dtype, source));
  if (given.dtype !== target.dtype) {
    throw new InvalidArgumentError(
      `${shownCall(name, [target, given])}: cannot assign ${given.dtype} to ${target.dtype}, cast("${target.dtype}") first`,
    );
  }
  const sizes = sizesOf(target);
  checkFits(name, target, sizes, given);
  const tree = update === null ? given : makeExpression(binaryFields(update, target, given));
  const places = target.rawPlaces();
  if (places === null) throw new InvalidArgumentError(`${name}: elements of ${target.dtype} are not assigned`);
  return { places, tree: broadcastTo(tree, sizes) };
}

function checkFits(name: string, target: ExpressionTree, to: readonly number[], source: ExpressionTree): void {
  const from = sizesOf(source);
  const added = to.length - from.length;
  if (added < 0) {
    throw new InvalidArgumentError(`${shownCall(name, [target, source])}: ${shownOperand(source)} has more dimensions than the target`);
  }
  for (let d = 0; d < from.length; d++) {
    const size = from[d]!;
    if (size === to[added + d] || size === 1) continue;
    throw new InvalidArgumentError(
      `${shownCall(name, [target, source])}: axis ${added + d} of the target has size ${to[added + d]}, the expression ${size}`,
    );
  }
}

function broadcastTo(tree: ExpressionTree, dims: readonly number[]): ExpressionTree {
  if (sameSizes(sizesOf(tree), dims)) return tree;
  return makeExpression({ op: "broadcast", inputs: [tree], attributes: noAttributes, dtype: tree.dtype, dimensions: dims });
}

/**
 * NumPy's broadcasting of sizes (TensorFlow's BCast): sizes are compared from the last dimension on, a size of 1 repeats, missing
 * dimensions count as 1. This file also formats operands for error messages.
 *
 *     [8, 1, 6]
 *        [7, 1]   ->  [8, 7, 6]
 */
import { product, sameSizes } from "@onebuffer/storage/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { placeOps } from "../generated/op-facts.ts";
import type { OpName } from "../tree/op-table.ts";
import { opTable } from "../tree/op-table.ts";
import type { StoredTree } from "../tree/op-attributes.ts";

/** Formats a call for messages: `add(float32 [2, 3], float32 [4])`. */
export function shownCall(op: string, operands: readonly StoredTree[]): string {
  return `${op}(${operands.map(shownOperand).join(", ")})`;
}

/** Formats an operand for messages: `float32 [2, 3]`. */
export function shownOperand(node: StoredTree): string {
  return `${node.dtype} [${(node.rawDimensions ?? node.dimensions).join(", ")}]`;
}

/**
 * Returns the sizes to which all operands are broadcast. Throws INVALID_ARGUMENT with the operands and the axis of the result if two sizes
 * differ and neither is 1.
 */
export function broadcastDims(op: string, operands: readonly StoredTree[]): readonly number[] {
  let dims: readonly number[] = operands[0]!.rawDimensions ?? operands[0]!.dimensions;
  let isNew = false;
  for (let k = 1; k < operands.length; k++) {
    const other = operands[k]!.rawDimensions ?? operands[k]!.dimensions;
    // A scalar, such as a constant, is broadcast to any sizes.
    if (other.length === 0 || sameSizes(dims, other)) continue;
    dims = broadcastPair(op, operands, dims, other);
    isNew = true;
  }
  if (isNew) checkCount(dims, () => shownCall(op, operands));
  return dims;
}

/** Returns true for the operations whose option `keepDims` leaves the reduced dimensions in place. */
function hasKeepDims(op: OpName): boolean {
  return opTable[op].class === "reduction" && !placeOps.has(op);
}

function broadcastPair(op: string, operands: readonly StoredTree[], a: readonly number[], b: readonly number[]): readonly number[] {
  const rank = Math.max(a.length, b.length);
  const dims = new Array<number>(rank);
  for (let d = 0; d < rank; d++) {
    // Reading an array at a negative index would take as long as the whole rest of this function.
    const left = d < rank - a.length ? 1 : (a[d - rank + a.length] as number);
    const right = d < rank - b.length ? 1 : (b[d - rank + b.length] as number);
    if (left !== right && left !== 1 && right !== 1) {
      const isReduced = a.length !== b.length && operands.some((operand) => hasKeepDims(operand.op));
      const hint = isReduced ? ": a reduction with { keepDims: true } can be broadcast back" : "";
      throw new InvalidArgumentError(`${shownCall(op, operands)}: Incompatible shapes, axis ${d} has sizes ${left} and ${right}${hint}`);
    }
    dims[d] = left === 1 ? right : left;
  }
  return dims;
}

/** Throws INVALID_ARGUMENT for more than 2^53 - 1 elements, the largest count that a number holds exactly. */
export function checkCount(dims: readonly number[], shown: () => string): void {
  if (product(dims) > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError(`${shown()}: [${dims}] has more than 2^53 - 1 elements`);
}

/**
 * NumPy's broadcasting of sizes (TensorFlow's BCast): compared from the last dimension on, a size of 1 repeats, missing
 * dimensions count as 1.
 *
 *     [8, 1, 6]
 *        [7, 1]   ->  [8, 7, 6]
 */
import { sameSizes } from "../../geometry/same-sizes.ts";
import { InvalidArgumentError } from "@onebuffer/base";
import { product } from "../../geometry/map-geometry.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";

/** `add(float32 [2, 3], float32 [4])`, for messages. */
export function shownCall(op: string, operands: readonly ExpressionTree[]): string {
  return `${op}(${operands.map(shownOperand).join(", ")})`;
}

/** `float32 [2, 3]`, for messages. */
export function shownOperand({ dtype, dimensions }: ExpressionTree): string {
  return `${dtype} [${dimensions.join(", ")}]`;
}

/**
 * The sizes all operands are repeated to. Throws INVALID_ARGUMENT naming the operands and the axis (of the result) where two
 * sizes differ and neither is 1.
 */
export function broadcastDims(op: string, operands: readonly ExpressionTree[]): readonly number[] {
  let dims: readonly number[] = (operands[0] as ExpressionTree).dimensions;
  let isNew = false;
  for (let k = 1; k < operands.length; k++) {
    const other = (operands[k] as ExpressionTree).dimensions;
    if (sameSizes(dims, other)) continue;
    dims = broadcastPair(op, operands, dims, other);
    isNew = true;
  }
  if (isNew) checkCount(dims, () => shownCall(op, operands));
  return dims;
}

function broadcastPair(op: string, operands: readonly ExpressionTree[], a: readonly number[], b: readonly number[]): readonly number[] {
  const rank = Math.max(a.length, b.length);
  const dims = new Array<number>(rank);
  for (let d = 0; d < rank; d++) {
    // Asking an array for what is before its start takes an engine as long as all the rest.
    const left = d < rank - a.length ? 1 : (a[d - rank + a.length] as number);
    const right = d < rank - b.length ? 1 : (b[d - rank + b.length] as number);
    if (left !== right && left !== 1 && right !== 1) {
      throw new InvalidArgumentError(`${shownCall(op, operands)}: Incompatible shapes, axis ${d} has sizes ${left} and ${right}`);
    }
    dims[d] = left === 1 ? right : left;
  }
  return dims;
}

/** Throws INVALID_ARGUMENT for more elements than a number counts exactly. */
export function checkCount(dims: readonly number[], shown: () => string): void {
  if (product(dims) > Number.MAX_SAFE_INTEGER) throw new InvalidArgumentError(`${shown()}: [${dims}] has more than 2^53 - 1 elements`);
}

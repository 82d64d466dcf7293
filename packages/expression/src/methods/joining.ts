/**
 * The functions `concatenate`, `stack` and `select` (tf.concat, tf.stack, tf.where): operations whose first operand may be a list or a
 * plain value.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { checkTree, dtypeOfScalar, scalarFields, selectFields, operandTree } from "../inference/elementwise-inference.ts";
import { makeExpression } from "./expression-node.ts";
import type { HigherRank } from "@onebuffer/storage";
import { sameSizes } from "@onebuffer/storage/internal";
import { checkAxis } from "../inference/axes.ts";
import { shownCall } from "../inference/broadcast-dims.ts";
import type { Expression } from "../tree/expression.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandLike } from "../tree/operand.ts";
import { concatenateFields, expandDimsFields } from "../inference/movement-inference.ts";
import type { BroadcastRank, Scalar, ScalarDType } from "../tree/rank-types.ts";
import { sizesOf } from "../tree/node-lists.ts";

/**
 * Returns the concatenation of the operands along an axis, default 0 (`tf.concat`, Eigen's concatenate).
 *
 * Throws INVALID_ARGUMENT for no operands, different dtypes, and sizes that differ along another axis.
 *
 * @example
 * const a = tensorMap("int8", Int8Array.of(1, 2), [1, 2]);
 * evaluate(concatenate([a, a.neg()])).toArray(); // => [[1, 2], [-1, -2]]
 * evaluate(concatenate([a, a], 1)).toArray(); // => [[1, 2, 1, 2]]
 * concatenate([a, a.reshape([2])]); // throws INVALID_ARGUMENT
 */
export function concatenate<D extends DType, R extends number>(operands: readonly OperandLike<D, R>[], axis: number = 0): Expression<D, R> {
  return makeExpression(concatenateFields(checkTrees("concatenate", operands), axis));
}

/** Returns the operands as a new list. Throws INVALID_ARGUMENT unless they are an array of nodes. */
function checkTrees(op: string, operands: unknown): ExpressionTree[] {
  if (!isArray(operands))
    throw new InvalidArgumentError(`${op}: the operands must be an array, as in ${op}([a, b]), got ${shownValue(operands)}`);
  // A loop takes a fifth of the time of Array.from with a function.
  const trees: ExpressionTree[] = [];
  const { length } = operands;
  for (let k = 0; k < length; k++) trees.push(checkTree(op, operands[k]));
  return trees;
}

/**
 * Returns the operands, all of the same sizes, one after the other along a new axis, default 0 (`tf.stack`). The new axis becomes dimension
 * `axis` of the result: -1 puts it last. The reverse is `unstack`.
 *
 * Throws INVALID_ARGUMENT for no operands, different dtypes or sizes, and an axis outside [-rank - 1, rank + 1).
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(1, 2, 3), [3]);
 * evaluate(stack([a, a.mul(10)])).toArray(); // => [[1, 2, 3], [10, 20, 30]]
 * evaluate(stack([a, a.mul(10)], -1)).toArray(); // => [[1, 10], [2, 20], [3, 30]]
 * stack([a, a]).unstack(1).length; // => 3
 * stack([a, a.slice([0, 2])]); // throws INVALID_ARGUMENT
 */
export function stack<D extends DType, R extends number>(
  operands: readonly OperandLike<D, R>[],
  axis: number = 0,
): Expression<D, HigherRank<R>> {
  const inputs = checkTrees("stack", operands);
  const first = inputs[0];
  if (first === undefined) throw new InvalidArgumentError("stack() needs one operand or more");
  for (const input of inputs) {
    if (sameSizes(sizesOf(first), sizesOf(input))) continue;
    throw new InvalidArgumentError(`${shownCall("stack", [first, input])}: Shapes of all inputs must match`);
  }
  const along = checkAxis("stack", axis, first, 1);
  return makeExpression(
    concatenateFields(
      inputs.map((input) => makeExpression(expandDimsFields(input, along))),
      along,
    ),
  );
}

/**
 * Returns the element of `then` where `condition` is true, otherwise that of `otherwise`; all three are broadcast (`tf.where`, Eigen's
 * select). `then` and `otherwise` may be plain values; if both are, numbers become float32, bigints int64, booleans bool.
 *
 * Throws INVALID_ARGUMENT unless the condition is bool and the other two have the same dtype.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(-1, 2), [2]);
 * evaluate(select(a.less(0), 0, a)).toArray(); // => [0, 2]
 * evaluate(select(a.less(0), a.neg(), a)).toArray(); // => [1, 2]
 * evaluate(select(a.less(0), 0, 1)).toArray(); // => [0, 1]
 * select(a as never, a, a); // throws INVALID_ARGUMENT
 */
export function select<R extends number, D extends DType, S extends number, T extends number = 0>(
  condition: OperandLike<"bool", R>,
  then: OperandLike<D, S>,
  otherwise: OperandLike<NoInfer<D>, T> | Scalar<NoInfer<D>>,
): Expression<D, BroadcastRank<BroadcastRank<R, S>, T>>;
/**
 * The plain value `then` where `condition` is true, otherwise the element of `otherwise`, which are broadcast.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(-1, 2), [2]);
 * evaluate(select(a.less(0), 0, a)).toArray(); // => [0, 2]
 */
export function select<R extends number, D extends DType, S extends number>(
  condition: OperandLike<"bool", R>,
  then: Scalar<NoInfer<D>>,
  otherwise: OperandLike<D, S>,
): Expression<D, BroadcastRank<R, S>>;
/**
 * One of two plain values: numbers become float32, bigints int64, booleans bool.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(-1, 2), [2]);
 * evaluate(select(a.less(0), 10, 20)).toArray(); // => [10, 20]
 */
export function select<R extends number, V extends number | bigint | boolean>(
  condition: OperandLike<"bool", R>,
  then: V,
  otherwise: V,
): Expression<ScalarDType<V>, R>;
export function select(condition: unknown, then: unknown, otherwise: unknown): Expression<DType, number> {
  const first = operandTree("select", then);
  const second = operandTree("select", otherwise);
  const dtype = (first ?? second)?.dtype ?? dtypeOfScalar(then);
  return makeExpression(
    selectFields(
      checkTree("select", condition),
      first ?? makeExpression(scalarFields("select", dtype, then)),
      second ?? makeExpression(scalarFields("select", dtype, otherwise)),
    ),
  );
}

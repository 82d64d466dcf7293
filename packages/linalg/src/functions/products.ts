/** products: powers, Kronecker products and cross products. */
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { BroadcastRank, Expression, ExpressionTree, NumericDType, OperandLike } from "@onebuffer/expression";
import { binaryFields, checkTree, joined, made, partAlong, repeated, reshaped, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { identity, multiplied } from "../nodes/matrix-nodes.ts";
import { checkMatrix, checkSquare } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { inverseOf } from "./inverse.ts";
import { broadcastBatch, checkSameDType } from "./operands.ts";

/** The largest exponent of `matrixPower`: more would overflow every matrix whose powers do not vanish. */
const kMaxPower = 2 ** 31 - 1;

/**
 * Returns whole powers of square matrices (`np.linalg.matrix_power`), by squaring: the identity for 0, powers of the inverse for a negative
 * exponent.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square and an exponent that is not whole. Computing a negative power throws INVALID_ARGUMENT
 * for a matrix that is not invertible. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 1, 0, 1), [2, 2]);
 * evaluate(matrixPower(a, 5)).toArray(); // => [[1, 5], [0, 1]]
 * matrixPower(a, 0.5); // throws INVALID_ARGUMENT
 */
export function matrixPower<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>, exponent: number): Expression<D, R> {
  const a = checkTree("matrixPower", matrix) as GradientValue;
  checkSquare("matrixPower", a);
  if (!Number.isInteger(exponent) || Math.abs(exponent) > kMaxPower) {
    throw new InvalidArgumentError(`matrixPower: the exponent is a whole number below 2^31, got ${shownValue(exponent)}`);
  }
  const sizes = sizesOf(a);
  if (exponent === 0) return repeated(identity(a.dtype, sizes.at(-1)!), sizes) as unknown as Expression<D, R>;
  let square = exponent < 0 ? inverseOf("matrixPower", a, { adjoint: false, check: true }) : a;
  let power: GradientValue | null = null;
  for (let left = Math.abs(exponent); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = power === null ? square : multiplied(power, square);
    if (left > 1) square = multiplied(square, square);
  }
  return power as unknown as Expression<D, R>;
}

/**
 * Returns the Kronecker products of matrices (`np.kron`, `tf.linalg.LinearOperatorKronecker`): every element of the first, as a block, times the
 * second. [..., m, p] and [..., n, q] give [..., m n, p q]; axes before them are broadcast.
 *
 * Throws INVALID_ARGUMENT for operands of different dtypes or fewer than two dimensions. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("int32", Int32Array.of(1, 2), [1, 2]);
 * const b = tensorMap("int32", Int32Array.of(1, 1), [2, 1]);
 * evaluate(kron(a, b)).toArray(); // => [[1, 2], [1, 2]]
 * kron(a, b.reshape([2]) as never); // throws INVALID_ARGUMENT
 */
export function kron<D extends NumericDType, R extends number, S extends number>(
  first: OperandLike<D, R>,
  second: OperandLike<NoInfer<D>, S>,
): Expression<D, BroadcastRank<R, S>> {
  const [a, b] = [checkTree("kron", first), checkTree("kron", second)];
  for (const each of [a, b]) checkMatrix("kron", each);
  checkPair("kron", a, b, 2);
  const [sizesA, sizesB] = [sizesOf(a), sizesOf(b)];
  const [m, p] = sizesA.slice(-2) as [number, number];
  const [n, q] = sizesB.slice(-2) as [number, number];
  const left = reshaped(a, [...sizesA.slice(0, -2), m, 1, p, 1]);
  const right = reshaped(b, [...sizesB.slice(0, -2), 1, n, 1, q]);
  const products = made(binaryFields("mul", left, right));
  return reshaped(products, [...sizesOf(products).slice(0, -4), m * n, p * q]) as unknown as Expression<D, BroadcastRank<R, S>>;
}

/**
 * Returns the cross products of vectors of three elements, the last axis (`tf.linalg.cross`, `np.linalg.cross`). Other axes are broadcast.
 *
 * Throws FAILED_PRECONDITION, as TensorFlow does, unless the last axes have 3 elements, and INVALID_ARGUMENT for operands of different dtypes.
 * Copies nothing before it is computed.
 *
 * @example
 * const x = tensorMap("int32", Int32Array.of(1, 0, 0), [3]);
 * const y = tensorMap("int32", Int32Array.of(0, 1, 0), [3]);
 * evaluate(cross(x, y)).toArray(); // => [0, 0, 1]
 * cross(x, y.slice([0, 2])); // throws FAILED_PRECONDITION
 */
export function cross<D extends NumericDType, R extends number, S extends number>(
  first: OperandLike<D, R>,
  second: OperandLike<NoInfer<D>, S>,
): Expression<D, BroadcastRank<R, S>> {
  const [a, b] = [checkTree("cross", first), checkTree("cross", second)];
  if (sizesOf(a).at(-1) !== 3 || sizesOf(b).at(-1) !== 3) {
    throw new FailedPreconditionError(`${shownCall("cross", [a, b])}: Cross-products are only defined for 3-element vectors`);
  }
  checkPair("cross", a, b, 1);
  const turned = (x: typeof a, k: number): GradientValue => {
    const axis = sizesOf(x).length - 1;
    return joined([partAlong(x, axis, k, 3), partAlong(x, axis, 0, k)], axis);
  };
  const part = (k: number): GradientValue => made(binaryFields("mul", turned(a, k), turned(b, 3 - k)));
  return part(1).sub(part(2)) as unknown as Expression<D, BroadcastRank<R, S>>;
}

/** Throws INVALID_ARGUMENT for operands of different dtypes, and for axes before the last `inner` ones that cannot be broadcast to each other. */
function checkPair(call: string, a: ExpressionTree, b: ExpressionTree, inner: number): void {
  checkSameDType(call, a, b);
  if (broadcastBatch(sizesOf(a).slice(0, -inner), sizesOf(b).slice(0, -inner)) !== null) return;
  throw new InvalidArgumentError(`${shownCall(call, [a, b])}: the batches are incompatible`);
}

/**
 * evaluate: computes an expression into a new map (Eigen's `eval()`). assignByReference: computes an expression with the plain
 * JavaScript evaluator, without kernels.
 */
import type { DType, RawDType, TypedArray, TypedArrayOf } from "@onebuffer/base";
import { InvalidArgumentError, arraySlots, dtypeSize, isRawDType } from "@onebuffer/base";
import { assignPlainly } from "@onebuffer/evaluator/internal";
import type { AssignTarget } from "@onebuffer/evaluator/internal";
import { checkTree, sizesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree, Operand, OperandLike, StridedMap, TensorMap } from "@onebuffer/expression";
import { densePlaces, freshArray, product } from "@onebuffer/storage/internal";
import { computeAssignment } from "./assign/assign.ts";
import { tensorMap } from "./map/wrap-typed-array.ts";

/**
 * Computes an expression and returns its elements as a new map over a new array. To get a tensor, use `Tensor.evaluate` of the core
 * package; to write to existing memory, use `assign`.
 *
 * Throws as `assign` does, and RESOURCE_EXHAUSTED if the result cannot be allocated or has more than 4 GiB.
 *
 * @example
 * const a = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(a.sum([0])).toArray(); // => [4, 6]
 * evaluate(a.matMul(a)).toArray(); // => [[7, 10], [15, 22]]
 * evaluate(a.cast("int32").div(0)); // throws INVALID_ARGUMENT
 */
export function evaluate<D extends DType, R extends number>(expression: OperandLike<D, R>): TensorMap<D, R> {
  const tree = checkTree("evaluate", expression);
  const map = freshMap("evaluate", tree.dtype, sizesOf(tree));
  map.assign(tree as unknown as Operand<DType, number>);
  return map as unknown as TensorMap<D, R>;
}

/** Returns a map of zeros over a new array. Throws INVALID_ARGUMENT for a dtype without arithmetic, and RESOURCE_EXHAUSTED. */
export function freshMap(call: string, dtype: DType, dims: readonly number[]): TensorMap<DType, number> {
  if (!isRawDType(dtype)) throw new InvalidArgumentError(`${call}: elements of ${dtype} do not compute`);
  const slots = product(dims) * arraySlots(dtype);
  const array = freshArray(dtype as RawDType, slots, () => `${call}: no room for [${dims}] elements of ${dtype}`);
  return tensorMap(dtype as DType, array as TypedArrayOf<DType>, dims);
}

/** Computes a tree whose leaves have been checked, and whose nodes may have been replaced. Throws as `evaluate` does. */
export function evaluateTree(call: string, tree: ExpressionTree): TensorMap<DType, number> {
  const map = freshMap(call, tree.dtype, sizesOf(tree));
  const { buffer } = map.data as TypedArray;
  computeAssignment({ places: densePlaces(new Uint8Array(buffer), 0, dtypeSize(tree.dtype), sizesOf(tree)), tree });
  return map;
}

/**
 * `target.assign(expression)`, always by the plain JavaScript evaluator: one element after the other, for every operation and dtype.
 * The kernels are tested against this evaluator, and it runs where WebAssembly SIMD is not available.
 *
 * Throws as `assign` does.
 *
 * @example
 * const out = tensorMap("float32", new Float32Array(2), [2]);
 * assignByReference(out, constant("float32", 2).sqrt());
 * out.at(0) === Math.fround(Math.SQRT2); // => true
 */
export function assignByReference<D extends DType>(
  target: TensorMap<D, number> | StridedMap<D, number>,
  expression: OperandLike<NoInfer<D>, number>,
): void {
  assignPlainly(target as unknown as AssignTarget, checkTree("assignByReference", expression), null);
}

/**
 * warmUp: computes expressions once, at a time of the program's choosing. The first assignment of an expression plans, writes and compiles
 * its kernels, which takes ten or more milliseconds; later ones find them. TensorFlow's counterpart is to call a tf.function once before it
 * is needed (`get_concrete_function`).
 */
import type { DType } from "@onebuffer/base";
import { checkArray } from "@onebuffer/base/internal";
import type { OperandLike } from "@onebuffer/eigen";
import { tensorOf } from "./tensor/tensor-of.ts";

/**
 * Computes each of a list of expressions once and discards the results, so that their kernels are compiled: what is assigned later, also of
 * other sizes, begins at once. What the engine itself learns of a program's own functions is not learned here: the first thousand or so
 * steps of a loop stay slower than later ones.
 *
 * Throws INVALID_ARGUMENT if `expressions` is no list of expressions, and what assigning one of them would throw, such as for indices that
 * are out of range now. Takes memory for one result at a time, and frees it.
 *
 * @example
 * using x = Tensor.zeros([3]);
 * const squares = x.vec().square().add(1);
 * warmUp([squares, squares.sum()]);
 * const { compiled } = kernelCounts();
 * item(squares.sum()); // => 3
 * kernelCounts().compiled - compiled; // => 0
 * warmUp([3 as never]); // throws INVALID_ARGUMENT
 */
export function warmUp(expressions: readonly OperandLike<DType, number>[]): void {
  checkArray(expressions, "the expressions of warmUp");
  // One at a time: a list with a billion holes is refused at the first of them.
  for (let k = 0; k < expressions.length; k++) tensorOf(expressions[k] as OperandLike<"float32", number>).dispose();
}

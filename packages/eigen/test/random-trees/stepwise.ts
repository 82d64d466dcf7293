// Evaluates a tree one operation at a time and stores each result before the next operation: the plain evaluator without nested closures,
// and with explicit rounding of float16 and bfloat16 (float32 inside an expression, rounded before a cast). Each value has a bound for the
// difference to another correct evaluation (error-bounds.ts).
import type { DType, RawDType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/eigen";
import { isRoundedWhenStored } from "@onebuffer/evaluator/src/cast-function";
import { compileTree } from "@onebuffer/evaluator/src/compile-tree";
import type { Read } from "@onebuffer/evaluator/src/values";
import { errorsOf } from "./error-bounds.ts";
import { operationOn, storedOperand } from "./step.ts";
import type { Step } from "./step.ts";

/** Returns the dtype in which values are stored between two steps. */
const heldDType = (dtype: DType): RawDType => (isRoundedWhenStored(dtype) ? "float32" : (dtype as RawDType));

/** The values of all nodes of a tree. Throws if the plain evaluator throws for any element of a node, even one that no result needs. */
export class Stepwise {
  readonly #steps = new Map<ExpressionTree, Step>();

  /** Returns the values and error bounds of a node. */
  of(node: ExpressionTree): Step {
    const known = this.#steps.get(node);
    if (known !== undefined) return known;
    const inputs = node.inputs.map((input) => this.of(input));
    const isCast = node.op === "cast";
    const operands = inputs.map(
      ({ dtype, dimensions, read }) => storedOperand(isCast ? (dtype as RawDType) : heldDType(dtype), dimensions, read).operand,
    );
    const tree = node.op === "map" ? node : operationOn(node, operands);
    const { read } = storedOperand(heldDType(node.dtype), node.dimensions, compileTree(tree));
    const step = { dtype: node.dtype, dimensions: node.dimensions, read, errors: errorsOf(node, inputs, read) };
    this.#steps.set(node, step);
    return step;
  }

  /** Returns the values of a node as a target stores them: float16 and bfloat16 are rounded. */
  stored(node: ExpressionTree): Read {
    const { dtype, dimensions, read } = this.of(node);
    return isRoundedWhenStored(dtype) ? storedOperand(dtype as RawDType, dimensions, read).read : read;
  }
}

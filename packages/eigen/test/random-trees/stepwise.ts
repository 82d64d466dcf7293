// A tree evaluated one operation at a time, each result stored before the next: the plain evaluator without its closures over closures,
// and the rounding of float16 and bfloat16 spelled out (float32 inside an expression, rounded where they are cast). Beside each
// value stands by how much another correct evaluation may differ (error-bounds.ts).
import type { DType, RawDType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/eigen";
import { isRoundedWhenStored } from "../../src/evaluator/cast-function.ts";
import { compileTree } from "../../src/evaluator/compile-tree.ts";
import type { Read } from "../../src/evaluator/values.ts";
import { errorsOf } from "./error-bounds.ts";
import { operationOn, storedOperand } from "./step.ts";
import type { Step } from "./step.ts";

/** The dtype that values of a dtype are held in between two steps. */
const heldDType = (dtype: DType): RawDType => (isRoundedWhenStored(dtype) ? "float32" : (dtype as RawDType));

/** The values of all nodes of a tree; throws where the plain evaluator throws for any of their elements, needed or not. */
export class Stepwise {
  readonly #steps = new Map<ExpressionTree, Step>();

  /** The step of a node. */
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

  /** The values of a node as they are stored for good: float16 and bfloat16 rounded. */
  stored(node: ExpressionTree): Read {
    const { dtype, dimensions, read } = this.of(node);
    return isRoundedWhenStored(dtype) ? storedOperand(dtype as RawDType, dimensions, read).read : read;
  }
}

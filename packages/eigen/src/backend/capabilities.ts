/**
 * checkCapabilities: refuses by name what a backend does not compute (TensorFlow's "No OpKernel was registered to support Op …").
 */
import { InvalidArgumentError, isRawDType, UnimplementedError } from "@onebuffer/base";
import { decisiveDType, isMap, operationName, shownCall, treeOrder } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { Backend } from "./backend.ts";

/**
 * Throws UNIMPLEMENTED, with the operation, its dtype, its operands and the reason, for the first node of the expressions that a backend does
 * not compute. Throws INVALID_ARGUMENT for elements without bytes, such as strings. Reads no elements.
 */
export function checkCapabilities(backend: Pick<Backend<never>, "name" | "capabilities">, trees: readonly ExpressionTree[]): void {
  for (const node of treeOrder(trees)) {
    const dtype = decisiveDType(node);
    if (!isRawDType(dtype)) throw new InvalidArgumentError(`${backend.name}: elements of ${dtype} do not compute`);
    const answer = backend.capabilities(node.op, dtype, node);
    if (answer === true) continue;
    const what = isMap(node) ? `has no arrays of ${dtype}` : `does not compute ${operationName(node)} of ${dtype}`;
    throw new UnimplementedError(
      `${backend.name} ${what}, ${shownCall(operationName(node), node.inputs.length > 0 ? node.inputs : [node])}: ${answer}`,
    );
  }
}

/** complex-node: the node of a transform along an axis. */
import type { ExpressionTree } from "@onebuffer/expression";
import { makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { CustomRecord, GradientValue } from "@onebuffer/expression/internal";

/** Returns the transform of a complex operand along an axis. Where the axis has at most one element it is the operand itself. */
export function complexNode(record: CustomRecord<{ readonly axis: number }>, x: ExpressionTree, axis: number): GradientValue {
  if (sizesOf(x)[axis]! < 2) return x as GradientValue;
  return makeCustomCall(record, [x], { axis }) as unknown as GradientValue;
}

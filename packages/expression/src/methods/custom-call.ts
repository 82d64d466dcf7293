/** custom-call: nodes of operations of other packages, which carry their records. */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownCall } from "../inference/broadcast-dims.ts";
import type { CustomRecord } from "../tree/custom-record.ts";
import type { Expression } from "../tree/expression.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import { makeExpression } from "./expression-node.ts";

/**
 * Returns a node of an operation that carries its record. Throws INVALID_ARGUMENT for a dtype that the record does not have, and what the
 * record's inference throws.
 */
export function makeCustomCall<D extends DType, R extends number, A extends object>(
  record: CustomRecord<A>,
  inputs: readonly ExpressionTree[],
  attributes: A,
): ExpressionTree & Expression<D, R> {
  const first = inputs[0]!;
  if (!record.dtypes.includes(first.dtype)) {
    throw new InvalidArgumentError(
      `${shownCall(record.name, inputs)}: not defined for ${first.dtype}, but for ${record.dtypes.join(", ")}`,
    );
  }
  const { dtype, dimensions } = record.infer(inputs, attributes);
  return makeExpression({ op: "customCall", inputs, attributes: { record, ...attributes }, dtype, dimensions });
}

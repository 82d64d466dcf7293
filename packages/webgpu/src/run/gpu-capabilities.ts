/**
 * gpuCapabilities: which operations the GPU computes: those whose shaders can be written. So nothing is listed twice.
 */
import type { DType } from "@onebuffer/base";
import { isRawDType, isStatusError } from "@onebuffer/base";
import type { ExpressionTree, OpName } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
import { attributesOf, fieldsOf, isCast, isMap } from "@onebuffer/expression/internal";
import { planProgram } from "../plan/plan-program.ts";

/** Answers by operation and dtypes, for operations whose shaders depend on nothing else. */
const kKnown: Map<string, true | string> = new Map();
/** The classes of those operations. */
const kByDType: ReadonlySet<string> = new Set(["unary", "binary", "ternary", "reduction"]);

/** Returns true if an operation can be written as a shader, or else the reason why not. Reads no elements. */
export function gpuCapabilities(op: OpName, dtype: DType, node: ExpressionTree): true | string {
  if (isMap(node)) return isRawDType(dtype) || "its elements have no bytes";
  if (!kByDType.has(opTable[op].class)) return reasonAgainst(node) ?? true;
  const saturates = isCast(node) && attributesOf(node, "cast").saturate;
  const key = `${op} ${node.dtype} ${node.inputs.map((input) => input.dtype).join()} ${saturates} ${node.dimensions.includes(0)}`;
  let answer = kKnown.get(key);
  if (answer === undefined) kKnown.set(key, (answer = reasonAgainst(node) ?? true));
  return answer;
}

/** Returns why a node over maps cannot be written; null if it can. */
function reasonAgainst(node: ExpressionTree): string | null {
  const leaves = node.inputs.map(
    (input): ExpressionTree => ({ ...fieldsOf(input), op: "map", inputs: [], attributes: {} }) as ExpressionTree,
  );
  try {
    planProgram([{ ...fieldsOf(node), inputs: leaves }], leaves);
    return null;
  } catch (error) {
    if (!isStatusError(error, "UNIMPLEMENTED")) throw error;
    return error.message;
  }
}

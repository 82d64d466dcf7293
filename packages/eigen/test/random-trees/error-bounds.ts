// Bounds for the difference of two correct evaluations of a node, given the bounds of its operands: per element, absolute.
// Null means no difference: the bits are determined. An operation without a rule here has to be exact.
//
//     exact operation on exact operands        null
//     function within N ulp, exact operands    N units of the result for one evaluation and 1 for the other
//     sums                                     units of the sum of the absolute values, for any order of adding
//     inexact operands                         the change of the result as the operands change: error-elementwise.ts, error-whole.ts
//     an infinite or unknown difference        Infinity: the element is not compared
import type { ExpressionTree } from "@onebuffer/eigen";
import { opTable } from "@onebuffer/eigen";
import { addedErrors } from "./error-added.ts";
import { complexErrors, isOnComplex } from "./error-complex.ts";
import { elementwiseErrors, randomNormalErrors } from "./error-elementwise.ts";
import { contractionErrors, movedErrors, orderingErrors, reductionErrors, scanErrors, scatterErrors } from "./error-whole.ts";
import type { Errors, Step } from "./step.ts";
import type { Read } from "@onebuffer/evaluator/src/values";

function errorsOfClass(node: ExpressionTree, inputs: readonly Step[], read: Read): Errors {
  if (isOnComplex(node)) return complexErrors(node, inputs, read);
  switch (opTable[node.op].class) {
    case "leaf":
    case "generator":
      return null;
    case "random":
      return node.op === "randomNormal" ? randomNormalErrors(node, read) : null;
    case "binary":
      return addedErrors(node, inputs, elementwiseErrors(node, inputs, read));
    case "unary":
    case "ternary":
      return elementwiseErrors(node, inputs, read);
    case "movement":
      return node.op === "scatter" ? scatterErrors(node, inputs) : movedErrors(node, inputs);
    case "reduction":
      return reductionErrors(node, inputs[0] as Step, read);
    case "scan":
      return scanErrors(node, inputs, read);
    case "contraction":
      return contractionErrors(node, inputs, read);
    case "ordering":
      return orderingErrors(node, inputs[0] as Step);
    case "custom":
      throw new Error("the trees have no operations of other packages");
  }
}

/** Returns the bounds of a node whose values are `read`. */
export function errorsOf(node: ExpressionTree, inputs: readonly Step[], read: Read): Errors {
  const errors = errorsOfClass(node, inputs, read);
  if (errors === null) return null;
  let any = false;
  for (let k = 0; k < errors.length; k++) {
    // Arithmetic on infinite bounds may give NaN, which means unknown too.
    if (errors[k] !== errors[k]) errors[k] = Infinity;
    any ||= errors[k] !== 0;
  }
  return any ? errors : null;
}

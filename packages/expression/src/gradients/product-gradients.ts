/** product-gradients: the gradients of matrix products: products again, of which flags transpose the operands, so that nothing is moved. */
import { matMulFields } from "../inference/reduction-inference.ts";
import type { GradientValue } from "../tree/gradient-rule.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ClassGradients } from "../tree/gradient-step.ts";
import { conjugate, made, sumTo } from "./gradient-nodes.ts";

const product = (a: GradientValue, b: GradientValue, transposeA: boolean, transposeB: boolean): GradientValue =>
  made(matMulFields(a, b, { transposeA, transposeB }));

/** The rules of contractions. The dimensions before the last two may have been broadcast. */
export const contractionGradients: ClassGradients<"contraction"> = {
  matMul({ inputs: [a, b], g, attributes: { transposeA, transposeB }, needs }) {
    const first = (): GradientValue => {
      const factor = conjugate(b!);
      return transposeA ? product(factor, g, transposeB, true) : product(g, factor, false, !transposeB);
    };
    const second = (): GradientValue => {
      const factor = conjugate(a!);
      return transposeB ? product(g, factor, true, transposeA) : product(factor, g, !transposeA, false);
    };
    return [needs[0] ? sumTo(first(), sizesOf(a!)) : null, needs[1] ? sumTo(second(), sizesOf(b!)) : null];
  },
};

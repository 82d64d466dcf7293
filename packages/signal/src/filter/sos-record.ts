/**
 * sos-record: the record of a recursive filter of second-order sections. The result of a row is packed: the filtered elements, then the two
 * numbers of each section's state.
 */
import { kernelOfPart } from "@onebuffer/eigen/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { CustomRecord, GradientValue } from "@onebuffer/expression/internal";
import { checkSections, sosSizes } from "../kernels/call-sizes.ts";
import { signalPart } from "../kernels/loaded-kernels.ts";
import { sosGradient } from "./sos-gradient.ts";

/** Returns the node of the packed result for rows [..., n], sections [s, 6] and states [..., s, 2]. */
export function sosNode(x: ExpressionTree, sections: ExpressionTree, states: ExpressionTree): GradientValue {
  return makeCustomCall(sosRecord, [x, sections, states], {}) as ExpressionTree as GradientValue;
}

/** The record: the operands are rows [..., n], sections [s, 6] and states [..., s, 2]; the result is [..., n + 2 s]. */
const sosRecord: CustomRecord = {
  name: "sosFilter",
  dtypes: ["float32", "float64"],
  tensorflow: null,
  numpy: "scipy.signal.sosfilt",
  infer: ([x, sections]) => ({
    dtype: x!.dtype,
    dimensions: sizesOf(x!).with(-1, sizesOf(x!).at(-1)! + 2 * sizesOf(sections!)[0]!),
  }),
  flops(call) {
    const { rows, count, order } = sosSizes(call);
    return 9 * rows * count * order;
  },
  evaluate(call, [x, sections, states], write) {
    const { rows, count, order } = sosSizes(call);
    const coefficient = (index: number): number => sections!(index) as number;
    checkSections(order, coefficient);
    // Each operation is rounded, as by kernels: a state that is stored between two pieces is the one that the whole goes on with.
    const round = call.dtype === "float32" ? Math.fround : (value: number): number => value;
    for (let row = 0; row < rows; row++) {
      const first = row * (count + 2 * order);
      const state = Array.from({ length: 2 * order }, (_, k) => states!(row * 2 * order + k) as number);
      for (let i = 0; i < count; i++) {
        let value = x!(row * count + i) as number;
        for (let section = 0; section < order; section++) {
          const times = (k: number, factor: number): number => round(coefficient(6 * section + k) * factor);
          const result = round(times(0, value) + state[2 * section]!);
          state[2 * section] = round(round(times(1, value) - times(4, result)) + state[2 * section + 1]!);
          state[2 * section + 1] = round(times(2, value) - times(5, result));
          value = result;
        }
        write(first + i, value);
      }
      state.forEach((value, k) => write(first + count + k, value));
    }
  },
  kernel: (call) => kernelOfPart(signalPart, (kernels) => kernels.sos(call)),
  gradient: ({ inputs, g }) => sosGradient(sosNode, inputs, g),
  stableHLO: "it is a recursion over elements",
};

/**
 * sos-record: the record of a recursive filter of second-order sections. The result of a row is packed: the filtered elements, then the two numbers of
 * each section's state.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import type { ExpressionTree } from "@onebuffer/expression";
import { makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { CustomCall, CustomRecord, GradientValue } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { callKernel, runUnits } from "../fft/divided-work.ts";
import { copyFunction } from "../fft/element-kernels.ts";
import { hasFftFunctions } from "../fft/fft-module.ts";
import { partsAt } from "../fft/tables.ts";
import { partsOf } from "../transform/complex-record.ts";
import { sectionFunction } from "./filter-kernels.ts";
import { sosGradient } from "./sos-gradient.ts";

/** Nanoseconds of one element and section. */
const kSectionNs = 5;

/** The sizes of a call: rows, elements of a row, and sections. */
function sizesOfCall({ inputs: [x, sections] }: CustomCall) {
  const count = x!.dimensions.at(-1)!;
  return { rows: product(x!.dimensions.slice(0, -1)), count, order: sections!.dimensions[0]! };
}

/** Throws INVALID_ARGUMENT unless coefficient a0 of each section is 1. */
function checkSections(order: number, coefficient: (index: number) => number): void {
  for (let section = 0; section < order; section++) {
    const a0 = coefficient(6 * section + 3);
    if (a0 !== 1) throw new InvalidArgumentError(`sosFilter: coefficient a0 of a section is 1, got ${a0} in section ${section}`);
  }
}

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
    const { rows, count, order } = sizesOfCall(call);
    return 9 * rows * count * order;
  },
  evaluate(call, [x, sections, states], write) {
    const { rows, count, order } = sizesOfCall(call);
    const coefficient = (index: number): number => sections!(index) as number;
    checkSections(order, coefficient);
    for (let row = 0; row < rows; row++) {
      const first = row * (count + 2 * order);
      const state = Array.from({ length: 2 * order }, (_, k) => states!(row * 2 * order + k) as number);
      for (let i = 0; i < count; i++) {
        let value = x!(row * count + i) as number;
        for (let section = 0; section < order; section++) {
          const c = (k: number): number => coefficient(6 * section + k);
          const result = c(0) * value + state[2 * section]!;
          state[2 * section] = c(1) * value - c(4) * result + state[2 * section + 1]!;
          state[2 * section + 1] = c(2) * value - c(5) * result;
          value = result;
        }
        write(first + i, value);
      }
      state.forEach((value, k) => write(first + count + k, value));
    }
  },
  kernel(call) {
    if (!hasFftFunctions()) return null;
    const dtype = partsOf(call.dtype);
    const bytes = dtype === "float32" ? 4 : 8;
    const { rows, count, order } = sizesOfCall(call);
    return (target, [from, sections, states]) => {
      if (!linearMemory().isAvailable) return false;
      const coefficients = partsAt(dtype, sections!, 6 * order);
      checkSections(order, (index) => coefficients[index]!);
      const [copy, kernel] = [copyFunction(), sectionFunction(dtype)];
      runUnits(call, count * order * kSectionNs, rows, 0, (begin, end, _, splitter) => {
        for (let row = begin; row < end; row++) {
          const to = target + row * (count + 2 * order) * bytes;
          const state = to + count * bytes;
          callKernel(splitter, copy, states! + row * 2 * order * bytes, state, 0, 0, 2 * order * bytes, 1);
          for (let section = 0; section < order && count > 0; section++) {
            const source = section === 0 ? from! + row * count * bytes : to;
            callKernel(splitter, kernel, source, to, sections! + 6 * section * bytes, state + 2 * section * bytes, count);
          }
        }
      });
      return true;
    };
  },
  gradient: ({ inputs, g }) => sosGradient(sosNode, inputs, g),
  stableHLO: "it is a recursion over elements",
};

/** fir-record: the record of a filter with finitely many taps, of rows that begin with the elements before them. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { filled, joined, makeCustomCall, partAlong, reduceFields, made, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { CustomCall, CustomRecord, GradientValue } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { callKernel, runUnits } from "../fft/divided-work.ts";
import { hasFftFunctions } from "../fft/fft-module.ts";
import { partsOf } from "../transform/complex-record.ts";
import { backwards } from "./fft-convolve.ts";
import { firFunction } from "./filter-kernels.ts";

/** Nanoseconds of a product and a sum. */
const kTapNs = 0.1;

/** The sizes of a call: rows, results of a row, and taps. */
function sizesOfCall({ dimensions, inputs: [, taps] }: CustomCall) {
  const count = dimensions.at(-1)!;
  return { rows: count === 0 ? 0 : product(dimensions) / count, count, order: taps!.dimensions[0]! };
}

/** Returns the filtered rows: [..., n + taps - 1] elements give [..., n]. */
export function firNode(extended: ExpressionTree, taps: ExpressionTree): GradientValue {
  return makeCustomCall(firRecord, [extended, taps], {}) as unknown as GradientValue;
}

/** The record. */
export const firRecord: CustomRecord = {
  name: "firFilter",
  dtypes: ["float32", "float64"],
  tensorflow: null,
  numpy: "convolve",
  infer([x, taps]) {
    const size = sizesOf(x!).at(-1)! - sizesOf(taps!)[0]! + 1;
    if (size < 0) throw new InvalidArgumentError(`${shownCall("firFilter", [x!, taps!])}: fewer elements than taps`);
    return { dtype: x!.dtype, dimensions: sizesOf(x!).with(-1, size) };
  },
  flops: (call) => 2 * product(call.dimensions) * sizesOfCall(call).order,
  evaluate(call, [x, taps], write) {
    const { rows, count, order } = sizesOfCall(call);
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < count; i++) {
        let sum = 0;
        for (let k = 0; k < order; k++) {
          sum += (taps!(k) as number) * (x!(row * (count + order - 1) + i + order - 1 - k) as number);
        }
        write(row * count + i, sum);
      }
    }
  },
  kernel(call) {
    if (!hasFftFunctions()) return null;
    const dtype = partsOf(call.dtype);
    const bytes = dtype === "float32" ? 4 : 8;
    const { rows, count, order } = sizesOfCall(call);
    return (target, [from, taps]) => {
      const kernel = firFunction(dtype);
      runUnits(call, count * order * kTapNs, rows, 0, (begin, end, _, splitter) => {
        for (let row = begin; row < end; row++) {
          callKernel(splitter, kernel, from! + row * (count + order - 1) * bytes, target + row * count * bytes, taps!, count, order);
        }
      });
      return true;
    };
  },
  gradient({ g, inputs: [x, taps], needs }) {
    const order = sizesOf(taps!)[0]!;
    const axis = sizesOf(g).length - 1;
    const zeros = filled(g.dtype, 0, sizesOf(g).with(axis, order - 1));
    const sumOf = (k: number): GradientValue => {
      const products = partAlong(x!, axis, order - 1 - k, order - 1 - k + sizesOf(g)[axis]!).mul(g);
      return made(reduceFields("sum", products, null, true));
    };
    const ofTaps = (): ExpressionTree => {
      const sums = Array.from({ length: order }, (_, k) => partAlong(sumOf(k), axis, 0, 1));
      const flat = joined(sums, axis);
      return made(
        reduceFields(
          "sum",
          flat,
          Array.from({ length: axis }, (_, d) => d),
          false,
        ),
      );
    };
    return [needs[0] === true ? firNode(joined([zeros, g, zeros], axis), backwards(taps!)) : null, needs[1] === true ? ofTaps() : null];
  },
  stableHLO: "it is a filter with an order of sums of its own",
};

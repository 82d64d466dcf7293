/** fir-record: the record of a filter with finitely many taps, of rows that begin with the elements before them. */
import { InvalidArgumentError } from "@onebuffer/base";
import { kernelOfPart } from "@onebuffer/eigen/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { filled, joined, makeCustomCall, partAlong, reduceFields, made, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { CustomRecord, GradientValue } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { firSizes } from "../kernels/call-sizes.ts";
import { signalPart } from "../kernels/loaded-kernels.ts";
import { backwards } from "./fft-convolve.ts";

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
  flops: (call) => 2 * product(call.dimensions) * firSizes(call).order,
  evaluate(call, [x, taps], write) {
    const { rows, count, order } = firSizes(call);
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
  kernel: (call) => kernelOfPart(signalPart, (kernels) => kernels.fir(call)),
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

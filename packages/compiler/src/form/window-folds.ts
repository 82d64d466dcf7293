/**
 * window-folds: how a window kernel combines the few elements that make one result (Eigen's reducers), in registers.
 *
 * The largest and the smallest of float32 are found by three instructions per vector, which compare the bits as integers:
 *
 *     bits, as unsigned    0 … numbers from +0 … infinity … NaN | -0 … negative numbers … -infinity … -NaN
 *     signed, unsigned     the largest as signed integers: the largest number from +0 on, or a NaN; negative if there is none
 *                          the least unsigned: the least number from +0 on; if there is none, the negative number nearest to 0
 *                          the largest unsigned: the negative number farthest from 0, or a NaN; if there is none, the largest number
 *
 * Sums of float32 are added as float32, because there are few (kMostInWindow), and means divided as float32, which gives the bits of a
 * division in float64 that is rounded.
 */
import type { DType } from "@onebuffer/base";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { narrowUniform } from "./accumulators.ts";
import { columnFold } from "./column-folds.ts";
import { repeatedBy } from "./folds.ts";
import { kindOf, zipLanes } from "../plan/lanes.ts";
import type { Lanes } from "../plan/lanes.ts";
import type { ReduceOp } from "../plan/program.ts";
import { extremes, meanOps } from "@onebuffer/expression/internal";

/** The most elements of a window: 5 by 5. More rows side by side are read more slowly than in order; a block of a float32 sum has 32. */
export const kMostInWindow = 25;

/** A register for each vector of a group: its lanes, and their value before the first element. */
export interface WindowRegister {
  readonly kind: VectorKind;
  readonly neutral: number | bigint;
}

/** A way to combine the elements of a window. */
export interface WindowFold {
  readonly registers: readonly WindowRegister[];
  /** Returns a register of one vector after an element. */
  accumulate(register: number, accumulated: Lanes, value: Lanes): Lanes;
  /** Returns the results from the registers. `count` holds the number of elements of a window. */
  finish(accumulated: readonly Lanes[], count: Vector): Lanes;
}

/** Returns the fold of a reduction other than argmax and argmin. */
export function windowFold(op: ReduceOp, dtype: DType, result: DType): WindowFold {
  const isSingle = kindOf(dtype) === "f32x4";
  const extreme = extremes[op];
  if (isSingle && extreme !== undefined) return extremeFold(extreme === "largest");
  if (isSingle && repeatedBy[op] === "add") {
    return {
      registers: [{ kind: "f32x4", neutral: 0 }],
      accumulate: (_register, accumulated, value) => zipLanes([accumulated, value], (a, x) => a.add(x)),
      finish: ([total], count) => (meanOps.has(op) ? zipLanes([total!, narrowUniform(count)], (a, n) => a.div(n)) : total!),
    };
  }
  const fold = columnFold(op, dtype, result)!;
  const accumulate = (_register: number, accumulated: Lanes, value: Lanes): Lanes => fold.accumulate(accumulated, fold.rows([value]));
  return { registers: [fold], accumulate, finish: ([total], count) => fold.finish(total!, count) };
}

/** The bits of the infinities as integers. */
const kInfinity = 0x7f800000;
const kNegativeInfinity = 0xff800000;

function extremeFold(isMax: boolean): WindowFold {
  const registers: readonly WindowRegister[] = [
    { kind: "i32x4", neutral: -(2 ** 31) },
    { kind: "u32x4", neutral: 2 ** 32 - 1 },
    { kind: "u32x4", neutral: 0 },
  ];
  const folds: readonly ((a: Vector, b: Vector) => Vector)[] = [(a, b) => a.max(b), (a, b) => a.min(b), (a, b) => a.max(b)];
  return {
    registers,
    accumulate: (register, accumulated, value) => {
      const { kind } = registers[register]!;
      return zipLanes([accumulated, value], (vector, element) => folds[register]!(vector, element.as(kind)));
    },
    finish: (accumulated) =>
      zipLanes(accumulated, (largest, least, most) => {
        const [low, high] = [least.as("i32x4"), most.as("i32x4")];
        const extreme = isMax ? largest.lt(0).select(low, largest) : high.lt(0).select(high, low);
        const isNaN = largest.gt(kInfinity).or(most.gt(kNegativeInfinity));
        return extreme.or(isNaN).as("f32x4");
      }),
  };
}

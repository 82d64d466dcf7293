/** filters: signals filtered piece by piece, with a state that goes from one piece to the next. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions } from "@onebuffer/base/internal";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkTree, filled, joined, partAlong, reshaped, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { checkSignal } from "../transform/transform-options.ts";
import type { RealSignalDType } from "../transform/transform-options.ts";
import { firNode } from "./fir-record.ts";
import { sosNode } from "./sos-record.ts";

/**
 * The options of filters.
 *
 * @example
 * const taps = constant("float32", 1, [2]);
 * const options: FilterOptions<"float32"> = { state: constant("float32", 5, [1]) };
 * evaluate(firFilter(iota("float32", 3), taps, options).y).toArray(); // => [5, 1, 3]
 */
export interface FilterOptions<D extends RealSignalDType> {
  /** The state that the piece before has ended with; the default is zeros. */
  readonly state?: OperandLike<D>;
}

/**
 * A filtered piece of a signal, and the state for the next one. Both are read from one computation if they are assigned together.
 *
 * @example
 * const { y, state }: Filtered<"float32", 1> = firFilter(iota("float32", 3), constant("float32", 1, [2]));
 * [y.dimensions, state.dimensions]; // => [[3], [1]]
 */
export interface Filtered<D extends RealSignalDType, R extends number> {
  readonly y: Expression<D, R>;
  readonly state: Expression<D>;
}

const kReals = ["float32", "float64"] as const;

/** Returns the state of options, or zeros. Throws INVALID_ARGUMENT if it has another dtype or other sizes. */
function stateOf(call: string, x: GradientValue, options: FilterOptions<RealSignalDType>, sizes: readonly number[]): GradientValue {
  checkOptions(call, options, ["state"]);
  if (options.state === undefined) return filled(x.dtype, 0, sizes);
  const state = checkTree(call, options.state);
  if (state.dtype === x.dtype && sizesOf(state).join() === sizes.join()) return state as GradientValue;
  throw new InvalidArgumentError(
    `${shownCall(call, [x])}: the state is ${x.dtype} [${sizes.join(", ")}], got ${state.dtype} [${sizesOf(state).join(", ")}]`,
  );
}

/** Returns the operand and the coefficients of a filter. Throws INVALID_ARGUMENT unless the coefficients have the dtype and `rank` dimensions. */
function checkFilter(call: string, x: OperandLike<RealSignalDType>, coefficients: OperandLike<RealSignalDType>, rank: number) {
  const tree = checkSignal(call, x, kReals, 1) as GradientValue;
  const list = checkTree(call, coefficients) as GradientValue;
  if (list.dtype !== tree.dtype || sizesOf(list).length !== rank || sizesOf(list).includes(0) || (rank === 2 && sizesOf(list)[1] !== 6)) {
    const wanted = rank === 1 ? "taps are [n]" : "sections are [n, 6]";
    throw new InvalidArgumentError(`${shownCall(call, [tree, list])}: ${wanted}, of the dtype of the signal`);
  }
  return [tree, list] as const;
}

/**
 * Filters the last axis with finitely many taps (`scipy.signal.lfilter(taps, 1, x)`): y[i] is the sum of taps[k] x[i - k]. The state is the last
 * taps - 1 elements, [..., taps - 1]. A signal that is filtered in pieces, each with the state of the one before, gives the same bits as
 * the whole.
 *
 * Throws INVALID_ARGUMENT for a scalar, for other dtypes, and for taps and states that do not fit. Copies: the state and the piece, into
 * scratch memory.
 *
 * @example
 * const taps = tensorMap("float32", Float32Array.of(1, 10), [2]);
 * const first = firFilter(tensorMap("float32", Float32Array.of(1, 2), [2]), taps);
 * evaluate(first.y).toArray(); // => [1, 12]
 * const next = firFilter(tensorMap("float32", Float32Array.of(3), [1]), taps, { state: first.state });
 * evaluate(next.y).toArray(); // => [23]
 * firFilter(iota("float32", 3), constant("float64", 1, [2]) as never); // throws INVALID_ARGUMENT
 */
export function firFilter<D extends RealSignalDType, R extends number>(
  x: OperandLike<D, R>,
  taps: OperandLike<NoInfer<D>, 1>,
  options: FilterOptions<NoInfer<D>> = {},
): Filtered<D, R> {
  const [tree, list] = checkFilter("firFilter", x, taps, 1);
  const axis = sizesOf(tree).length - 1;
  const order = sizesOf(list)[0]!;
  const state = stateOf("firFilter", tree, options, sizesOf(tree).with(axis, order - 1));
  const extended = joined([state, tree], axis);
  const size = sizesOf(extended)[axis]!;
  return {
    y: firNode(extended, list) as unknown as Expression<D, R>,
    state: partAlong(extended, axis, size - order + 1, size) as unknown as Expression<D>,
  };
}

/**
 * Filters the last axis with second-order sections, one after the other (`scipy.signal.sosfilt`). A section is b0, b1, b2, a0, a1, a2, with
 * a0 of 1. The state is two numbers for each section, [..., sections, 2]. A signal that is filtered in pieces, each with the state of the
 * one before, gives the same bits as the whole. The gradient of a0, which is 1, is 0.
 *
 * Throws INVALID_ARGUMENT for a scalar, for other dtypes, and for sections and states that do not fit; when it is computed, for another a0.
 * Copies nothing.
 *
 * @example
 * const sections = tensorMap("float32", Float32Array.of(1, 0, 0, 1, -0.5, 0), [1, 6]); // y[i] = x[i] + y[i - 1] / 2
 * const { y, state } = sosFilter(constant("float32", 1, [3]), sections);
 * evaluate(y).toArray(); // => [1, 1.5, 1.75]
 * evaluate(sosFilter(constant("float32", 1, [1]), sections, { state }).y).toArray(); // => [1.875]
 * sosFilter(constant("float32", 1, [3]), constant("float32", 1, [1, 5])); // throws INVALID_ARGUMENT
 */
export function sosFilter<D extends RealSignalDType, R extends number>(
  x: OperandLike<D, R>,
  sections: OperandLike<NoInfer<D>, 2>,
  options: FilterOptions<NoInfer<D>> = {},
): Filtered<D, R> {
  const [tree, list] = checkFilter("sosFilter", x, sections, 2);
  const axis = sizesOf(tree).length - 1;
  const [size, order] = [sizesOf(tree)[axis]!, sizesOf(list)[0]!];
  const states = [...sizesOf(tree).slice(0, -1), order, 2];
  const state = stateOf("sosFilter", tree, options, states);
  const packed = sosNode(tree, list, state);
  return {
    y: partAlong(packed, axis, 0, size) as unknown as Expression<D, R>,
    state: reshaped(partAlong(packed, axis, size, size + 2 * order), states) as unknown as Expression<D>,
  };
}

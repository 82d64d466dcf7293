/**
 * sos-gradient: the gradient of a filter of second-order sections, section by section from the last to the first.
 *
 *     w[i] = g[i] - a1 w[i + 1] - a2 w[i + 2]                 the gradient of the section's y[i]: a filter that runs backwards
 *     b0 w[i] + b1 w[i + 1] + b2 w[i + 2]                     that of its x[i]
 *     sum of x[i] w[i + k], - sum of y[i] w[i + k]            those of its coefficients bk and ak
 *
 * w behind the end are the gradients of the state there, and w[0], w[1] those of the state before.
 */
import { filled, joined, made, partAlong, reduceFields, reshaped, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue, OperandGradients } from "@onebuffer/expression/internal";
import { backwards } from "./fft-convolve.ts";

/** A filter as the node of its packed result: the filtered elements, then the state. */
type Filter = (x: GradientValue, sections: GradientValue, states: GradientValue) => GradientValue;

/** Returns the gradients of the rows, the sections and the states, of the packed gradient. */
export function sosGradient(filter: Filter, operands: readonly GradientValue[], g: GradientValue): OperandGradients {
  const [x, sections, states] = operands as readonly [GradientValue, GradientValue, GradientValue];
  const axis = sizesOf(x).length - 1;
  const [count, order] = [sizesOf(x)[axis]!, sizesOf(sections)[0]!];
  const batch = sizesOf(x).slice(0, -1);
  const section = (k: number): GradientValue => partAlong(sections, 0, k, k + 1);
  const signals = [x];
  for (let k = 0; k < order; k++) {
    signals.push(partAlong(filter(signals[k]!, section(k), partAlong(states, axis, k, k + 1)), axis, 0, count));
  }
  let gradient = partAlong(g, axis, 0, count);
  const [ofSections, ofStates]: [GradientValue[], GradientValue[]] = [[], []];
  for (let k = order - 1; k >= 0; k--) {
    const end = partAlong(g, axis, count + 2 * k, count + 2 * k + 2);
    const w = backwardsFiltered(filter, gradient, section(k), end);
    const moved = [0, 1, 2].map((by) => partAlong(w, axis, by, by + count));
    gradient = weighted(
      moved,
      [0, 1, 2].map((c) => coefficient(section(k), c)),
    );
    ofSections.unshift(joined([...sums(signals[k]!, moved), filled(x.dtype, 0, [1]), ...sums(signals[k + 1]!.neg(), moved.slice(1))], 0));
    ofStates.unshift(partAlong(w, axis, 0, 2));
  }
  return [gradient, reshaped(joined(ofSections, 0), [order, 6]), reshaped(joined(ofStates, axis), [...batch, order, 2])];
}

/** Returns w, with the two elements behind the end. */
function backwardsFiltered(filter: Filter, g: GradientValue, section: GradientValue, end: GradientValue): GradientValue {
  const axis = sizesOf(g).length - 1;
  const [count, batch] = [sizesOf(g)[axis]!, sizesOf(g).slice(0, -1)];
  const [a1, a2] = [coefficient(section, 4), coefficient(section, 5)];
  const [near, far] = [partAlong(end, axis, 0, 1), partAlong(end, axis, 1, 2)];
  const state = joined([weighted([near, far], [a1, a2]).neg(), near.mul(a2).neg()], axis);
  const poles = joined([filled(g.dtype, 1, [1, 1]), filled(g.dtype, 0, [1, 2]), partAlong(section, 1, 3, 6)], 1);
  const w = partAlong(filter(backwards(g), poles, reshaped(state, [...batch, 1, 2])), axis, 0, count);
  return joined([backwards(w), end], axis);
}

/** Returns a coefficient of a section as a scalar. */
const coefficient = (section: GradientValue, k: number): GradientValue => reshaped(partAlong(section, 1, k, k + 1), []);

/** Returns the sum of signals times numbers. */
const weighted = (signals: readonly GradientValue[], factors: readonly GradientValue[]): GradientValue =>
  signals.map((each, k) => each.mul(factors[k]!)).reduce((sum, each) => sum.add(each));

/** Returns the sums of the products of one signal with others, each as one element. */
const sums = (x: GradientValue, others: readonly GradientValue[]): GradientValue[] =>
  others.map((each) => reshaped(made(reduceFields("sum", x.mul(each), null, false)), [1]));

// What tests compare gradients with: central differences of float64, and the elements of results.
import { evaluate, tensorMap } from "@onebuffer/eigen";
import type { Expression, TensorMap } from "@onebuffer/eigen";

/** A float64 operand or result of any rank. */
export type Any64 = Expression<"float64", number>;

/** Returns a map of these elements. */
export function float64(elements: readonly number[], sizes: readonly number[]): TensorMap<"float64", number> {
  return tensorMap("float64", Float64Array.from(elements), sizes) as TensorMap<"float64", number>;
}

/** Returns the elements of an expression. */
export const elementsOf = (expression: unknown): number[] => [...evaluate(expression as never)] as number[];

/** Returns the sum of the products of two lists. */
export const dot = (x: readonly number[], y: readonly number[]): number => x.reduce((sum, each, k) => sum + each * y[k]!, 0);

/** Returns the change of the sum of y g for a change of each element of a map, by central differences. */
export function differences(x: TensorMap<"float64", number>, y: Any64, g: readonly number[], step: number = 2 ** -12): number[] {
  const all = [...x] as number[];
  const lossAt = (k: number, value: number): number => {
    x.copyFrom(all.with(k, value) as never);
    return dot(elementsOf(y), g);
  };
  const found = all.map((value, k) => (lossAt(k, value + step) - lossAt(k, value - step)) / (2 * step));
  x.copyFrom(all as never);
  return found;
}

/** Returns a list of whole numbers from -3 to 3 that depends on a seed only. */
export function smallIntegers(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state >>> 16) % 7) - 3;
  });
}

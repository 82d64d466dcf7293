/**
 * constant-index: finds a constant among the constants of an expression (XLA's counterpart is the map of its pass that merges equal
 * constants). Equal constants are one parameter of a plan.
 */
import type { DType } from "@onebuffer/base";
import type { Parameter } from "./program.ts";

/** Stands for -0, which a Map does not tell from 0. */
const kNegativeZero = "-0";

/** Returns true if a constant has this dtype and value. */
export function isSameConstant(constant: Parameter, dtype: DType, value: unknown): boolean {
  return constant.dtype === dtype && Object.is(constant.value, value);
}

/** The indices of constants by dtype and value. */
export class ConstantIndex {
  readonly #places: Map<DType, Map<unknown, number>> = new Map();

  /** Returns the index of a constant; -1 if there is none with this dtype and value. */
  get(dtype: DType, value: unknown): number {
    return this.#places.get(dtype)?.get(Object.is(value, -0) ? kNegativeZero : value) ?? -1;
  }

  /** Adds a constant that is not there yet. */
  add(dtype: DType, value: unknown, index: number): void {
    let places = this.#places.get(dtype);
    if (places === undefined) this.#places.set(dtype, (places = new Map()));
    places.set(Object.is(value, -0) ? kNegativeZero : value, index);
  }

  /** Removes all constants. */
  clear(): void {
    this.#places.clear();
  }
}

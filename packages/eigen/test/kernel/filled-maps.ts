// Maps with pseudorandom elements, and the elements of expressions by kernels and by the plain evaluator, for tests of kept plans.
import { assignByReference } from "@onebuffer/eigen/internal";
import { arenaMap, elementsOf } from "./kernel-subjects.ts";

/** The expressions of these tests are built by tables, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/**
 * Returns a function that stores new elements in a map and returns it: floats in (-1, 1), integers from `least`, of which there are
 * `count`. Each call goes on with the sequence of `seed`.
 */
export function filler(seed: number, least: number, count: number): (map: Any) => Any {
  let state = seed;
  return (map) => {
    const { data, dtype } = map;
    // On engines without an array of float16 its bits are stored: these are of numbers in [0.5, 1).
    const isBits = dtype === "float16" && data.constructor === Uint16Array;
    for (let i = 0; i < data.length; i++) {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      if (isBits) data[i] = 0x3800 + (state & 0x3ff);
      else data[i] = dtype.startsWith("float") ? state / 2 ** 31 - 1 : least + (state % count);
    }
    return map;
  };
}

function elements(expression: Any, assign: (out: Any, expression: Any) => void): number[] {
  const out = arenaMap(expression.dtype, expression.dimensions) as Any;
  assign(out, expression);
  const list = elementsOf(out);
  return typeof list[0] === "number" ? list : list.map(Number);
}

/** Returns the elements that kernels compute. */
export const computed = (expression: Any): number[] => elements(expression, (out, e) => out.assign(e));

/** Returns the elements that the plain evaluator computes. */
export const reference = (expression: Any): number[] => elements(expression, assignByReference as Any);

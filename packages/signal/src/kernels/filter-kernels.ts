/**
 * filter-kernels: filters over rows of real numbers. A result is the same sums in the same order wherever it is in a row, each product rounded
 * before it is added, so that a stream gives the same bits however it is cut.
 */
import { writeText } from "@onebuffer/wasm/internal";
import { fftFunction } from "../fft/fft-module.ts";
import type { FftFunction, PartDType } from "../fft/fft-module.ts";

/**
 * Returns the function of a FIR filter: from to taps count order, for `count` results of `order` taps. The result at `to` is the sum over k of
 * taps[k] from[order - 1 - k]. Several vectors of results are summed up at a time.
 */
export function firFunction(dtype: PartDType): FftFunction {
  const [part, lanes, bytes] = dtype === "float32" ? (["f32", "f32x4", 4] as const) : (["f64", "f64x2", 8] as const);
  const splat = `v128.load${8 * bytes}_splat`;
  /** Returns the words that compute some vectors of results, and the loop that does so while there are enough of them. */
  const whileVectors = (vectors: number): string => {
    const all = Array.from({ length: vectors }, (_, v) => v);
    const results = (16 / bytes) * vectors;
    return `
      block:${vectors}
        loop
          count ${results} < br_if:${vectors}
          ${all.map((v) => `zero ->sum${v}`).join(" ")}
          from last + ->at
          taps ->tap
          order ->left
          loop
            tap ${splat} ->factor
            ${all.map((v) => `sum${v} factor at v128.load:${16 * v} ${lanes}.mul ${lanes}.add ->sum${v}`).join(" ")}
            at+=${-bytes}
            tap+=${bytes}
            left+=-1
          left while
          ${all.map((v) => `to sum${v} v128.store:${16 * v}`).join(" ")}
          from+=${16 * vectors}
          to+=${16 * vectors}
          count+=${-results}
        1 while
      end`;
  };
  return fftFunction(`fir ${dtype}`, "from to taps count order", (target, _, module) => {
    for (const name of ["at", "tap", "left", "last"]) target.local("i32", name);
    for (const name of ["factor", "zero", "sum0", "sum1", "sum2", "sum3"]) target.local("v128", name);
    target.local(part, "sum");
    writeText(
      module,
      target,
      `order 1 - ${bytes} * ->last
      ${whileVectors(4)}
      ${whileVectors(1)}
      count if
        loop
          ${part}:0 ->sum
          from last + ->at
          taps ->tap
          order ->left
          loop
            sum tap ${part}.load at ${part}.load ${part}.mul ${part}.add ->sum
            at+=${-bytes}
            tap+=${bytes}
            left+=-1
          left while
          to sum ${part}.store
          from+=${bytes}
          to+=${bytes}
          count+=-1
        count while
      end`,
    );
  });
}

/**
 * Returns the function of one section of a filter: from to section state count, for at least one element. A section is b0 b1 b2 a0 a1 a2, with a0
 * of 1, in the transposed direct form II; `from` may be `to`.
 */
export function sectionFunction(dtype: PartDType): FftFunction {
  const [part, bytes] = dtype === "float32" ? (["f32", 4] as const) : (["f64", 8] as const);
  const coefficients = ["b0", "b1", "b2", "a0", "a1", "a2"];
  return fftFunction(`section ${dtype}`, "from to section state count", (target, _, module) => {
    for (const name of [...coefficients, "z0", "z1", "x", "y"]) target.local(part, name);
    writeText(
      module,
      target,
      `${coefficients.map((name, k) => `section ${part}.load:${k * bytes} ->${name}`).join(" ")}
      state ${part}.load ->z0
      state ${part}.load:${bytes} ->z1
      loop
        from ${part}.load ->x
        b0 x ${part}.mul z0 ${part}.add ->y
        b1 x ${part}.mul a1 y ${part}.mul ${part}.sub z1 ${part}.add ->z0
        b2 x ${part}.mul a2 y ${part}.mul ${part}.sub ->z1
        to y ${part}.store
        from+=${bytes}
        to+=${bytes}
        count+=-1
      count while
      state z0 ${part}.store
      state z1 ${part}.store:${bytes}`,
    );
  });
}

/**
 * scan-of-three: how the scans of three operands follow up on their totals (scan-kernel.ts), as words of text.
 *
 *     scaledCumsum    give the total times the third operand, then multiply it by the second; a factor of 0 gives 0
 *     markedCumsum    where the second and the third operand are equal, give the total and set it to 0; elsewhere give 0
 */
import type { DType } from "@onebuffer/base";
import { isComplexDType } from "@onebuffer/expression/internal";
import type { Follows, Scan } from "./scan-cells.ts";
import { ofParts, scanOf } from "./scan-cells.ts";

const kSecond = "at second +";
const kThird = "at third +";

/** Returns how a scan whose totals begin anew at marks is computed. */
export function markedCumsum(dtype: DType): Scan {
  const { line, row } = scanOf("cumsum", dtype);
  const of = dtype === "float64" ? "64" : "32";
  // One branch on the mark: engines make one of each select of a float.
  const ofLine: Follows = {
    gives: ({ load }) => `${kSecond} ${load} ${kThird} ${load} f${of}.eq ->mark f64:0 ->given0 mark if total0 ->given0 f64:0 ->total0 end`,
    after: () => "",
  };
  return { line: { ...line, follows: ofLine }, row: { ...row!, follows: markedRow(of) } };
}

/** Returns how a scan whose totals are scaled after each element is computed. */
export function scaledCumsum(dtype: DType): Scan {
  const { line, row } = scanOf("cumsum", dtype);
  if (!isComplexDType(dtype)) {
    const byZero = "f64:0 value f64:0 f64.ne select";
    const ofRow = scaled("f64x2.mul", "->value value f64x2.mul value f64:0 f64x2.splat f64x2.ne v128.and");
    return { line: { ...line, follows: scaled("f64.mul", `->value value f64.mul ${byZero}`) }, row: { ...row!, follows: ofRow } };
  }
  const { combine } = scanOf("cumprod", dtype).line;
  const zero = "f64:0 f64x2.splat";
  const follows: Follows = {
    gives: (cell) => ofParts(cell, kThird, (k) => `${combine(`total${k}`)} ->given${k}`),
    after: (cell) =>
      ofParts(cell, kSecond, (k) => `${combine(`total${k}`)} ${zero} value ${zero} f64x2.ne v128.any_true select ->total${k}`),
  };
  return { line: { ...line, follows }, row: { ...row!, follows } };
}

/** Returns what follows where `multiply` and `scale` replace a total and a factor on the stack by their product. */
function scaled(multiply: string, scale: string): Follows {
  return {
    gives: (cell) => ofParts(cell, kThird, (k) => `${multiply} ->given${k}`),
    after: (cell) => ofParts(cell, kSecond, (k) => `${scale} ->total${k}`),
  };
}

/** Returns what follows for vectors of adjacent lines. Of float32 each total has half of a mark's lanes, twice as wide. */
function markedRow(of: string): Follows {
  const lanes = of === "64" ? "f64x2" : "f32x4";
  const marks = of === "64" ? ["mark"] : ["low", "high"].map((half) => `mark i64x2.extend_${half}_i32x4_s`);
  const parts = (words: (k: number) => string): string => marks.map((_, k) => words(k)).join(" ");
  return {
    gives: ({ load }) =>
      `${kSecond} ${load} ${kThird} ${load} ${lanes}.eq ->mark ${parts((k) => `total${k} ${marks[k]} v128.and ->given${k}`)}`,
    after: () => parts((k) => `total${k} ${marks[k]} v128.andnot ->total${k}`),
  };
}

/**
 * blend-kernel: weighted means of pairs of rows, x + (y - x) * share, in float32: linear interpolation, as resizing an image needs it.
 *
 *     from [size, run], two tables of row numbers and one of shares     one row of the result [count, run] for each entry of the tables
 */
import type { WasmModule } from "@onebuffer/wasm/internal";
import { arrayKernel, textFunction } from "../scans/array-kernel.ts";

/** The function. All numbers are addresses, except `count`, and `bytes`: those of a row. */
export type BlendRows = (from: number, low: number, high: number, share: number, to: number, count: number, bytes: number) => number;

/** The bytes that the function may read beyond the end of a row of less than 16 bytes. */
export const kBlendSlack = 12;

/** The vectors of a step of long rows. */
const kVectors = 4;

/** Returns the function; null if the engine refuses it. */
export function blendRows(): BlendRows | null {
  return (arrayKernel("blend", writeBlend)?.["rows"] as BlendRows | undefined) ?? null;
}

function writeBlend(module: WasmModule): void {
  // The words that push an address of the result and the mean that belongs there.
  const mean = (load: string, offset: number = 0): string => `
    out
    x ${load}:${offset} ->vector
    vector y ${load}:${offset} vector f32x4.sub shares f32x4.mul f32x4.add`;
  const means = (vectors: number): string =>
    Array.from({ length: vectors }, (_, k) => `${mean("v128.load", 16 * k)} v128.store:${16 * k}`).join(" ");
  const move = (by: number | string): string => `x+=${by} y+=${by} out+=${by}`;
  const whileAtLeast = (local: string, least: number, step: number, words: string): string => `
    ${local} ${least} i32.ge_s if
      loop
        ${words}
        ${local}+=${-step}
      ${local} ${least} i32.ge_s while
    end`;
  const steps = (step: number, words: string): string => whileAtLeast("left", step, step, `${words} ${move(step)}`);
  const rows = (least: number, words: string): string =>
    whileAtLeast(
      "count",
      least,
      1,
      `from low i32.load bytes * + ->x
      from high i32.load bytes * + ->y
      share v128.load32_splat ->shares
      to ->out
      bytes ->left
      low+=4 high+=4 share+=4 to+=bytes
      ${words}`,
    );
  textFunction(
    module,
    "rows",
    "from low high share to count bytes",
    "x y out left shares:v128 vector:v128",
    // Short rows are computed as a whole vector each: the next three rows replace what is too much. The last three have no such rows.
    // The last vector of a long row overlaps the one before if it is not whole.
    `bytes 16 i32.lt_s if
      ${rows(4, means(1))}
      ${rows(1, steps(4, `${mean("v128.load32_zero")} f32x4.extract_lane:0 f32.store`))}
    end
    ${rows(
      1,
      `${steps(16 * kVectors, means(kVectors))}
      ${steps(16, means(1))}
      left if
        ${move("left")} ${move(-16)}
        ${means(1)}
      end`,
    )}
    0`,
  );
}

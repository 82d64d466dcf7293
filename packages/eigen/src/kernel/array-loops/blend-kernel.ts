/**
 * blend-kernel: weighted means of pairs of rows, x + (y - x) * share, in float32: linear interpolation, as resizing an image needs it.
 *
 *     from [size, run], two tables of row numbers and one of shares     one row of the result [count, run] for each entry of the tables
 */
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";

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
  const params = ["from", "low", "high", "share", "to", "count", "bytes"] as const;
  const { target, at } = arrayFunction(module, "rows", params, ["x", "y", "out", "left"]);
  const { from, low, high, share, to, count, bytes, x, y, out, left } = at;
  const [shares, vector] = [target.local("v128", "shares"), target.local("v128", "vector")];
  const code = target.body;
  // Pushes an address of the result and the mean that belongs there.
  const mean = (load: "v128.load" | "v128.load32_zero", offset: number = 0): CodeWriter => {
    code.get(out).get(x).memory(load, offset).tee(vector).get(y).memory(load, offset);
    return code.get(vector).op("f32x4.sub").get(shares).op("f32x4.mul").op("f32x4.add");
  };
  const means = (vectors: number): void => {
    for (let offset = 0; offset < 16 * vectors; offset += 16) mean("v128.load", offset).memory("v128.store", offset);
  };
  const steps = (step: number, write: () => void): void => {
    code.whileAtLeast(left, step, step, () => {
      write();
      for (const pointer of [x, y, out]) code.addTo(pointer, step);
    });
  };
  const rows = (least: number, write: () => void): void => {
    code.whileAtLeast(count, least, 1, () => {
      code.get(from).get(low).memory("i32.load").get(bytes).op("i32.mul").op("i32.add").set(x);
      code.get(from).get(high).memory("i32.load").get(bytes).op("i32.mul").op("i32.add").set(y);
      code.get(share).memory("v128.load32_splat").set(shares).get(to).set(out).get(bytes).set(left);
      code.addTo(low, 4).addTo(high, 4).addTo(share, 4).addLocal(to, bytes);
      write();
    });
  };
  // Short rows are computed as a whole vector each: the next three rows replace what is too much. The last three have no such rows.
  code.get(bytes).i32(16).op("i32.lt_s").if();
  rows(4, () => means(1));
  rows(1, () => steps(4, () => mean("v128.load32_zero").memoryLane("v128.store32_lane", 0)));
  code.end();
  rows(1, () => {
    steps(16 * kVectors, () => means(kVectors));
    steps(16, () => means(1));
    // The last vector overlaps the one before if it is not whole.
    code.get(left).if();
    for (const pointer of [x, y, out]) code.addLocal(pointer, left).addTo(pointer, -16);
    means(1);
    code.end();
  });
  code.i32(0);
}

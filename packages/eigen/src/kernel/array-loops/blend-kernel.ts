/**
 * blend-kernel: weighted means of two rows, x + (y - x) * share, in float32: linear interpolation, as resizing an image needs it.
 *
 *     rows    from an operand [size, run], by tables of two row numbers and a share for each row of the result [count, run]
 *     row     of two rows of so many bytes
 */
import type { CodeWriter, WasmFunction, WasmModule } from "@onebuffer/wasm/internal";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";

/** The functions. All numbers are addresses, except `count`, and `bytes`: those of a row. */
export interface BlendKernel {
  rows(from: number, low: number, high: number, share: number, to: number, count: number, bytes: number): number;
  row(x: number, y: number, share: number, to: number, bytes: number): number;
}

/** The bytes that `rows` may read beyond the end of a row of less than 16 bytes. */
export const kBlendSlack = 12;

const kSteps = ["at", "from", "other", "target"] as const;

/** Returns the functions; null if the engine refuses them. */
export function blendKernel(): BlendKernel | null {
  return arrayKernel("blend", writeBlend) as BlendKernel | null;
}

function writeBlend(module: WasmModule): void {
  writeRow(module);
  writeRows(module);
}

/** The locals of a row: where it begins in both operands and in the result, its bytes, the place in it, and the share in all lanes. */
interface RowLocals {
  readonly x: number;
  readonly y: number;
  readonly to: number;
  readonly bytes: number;
  readonly at: number;
  readonly shares: number;
  readonly vector: number;
  /** The addresses of the current step. */
  readonly from: number;
  readonly other: number;
  readonly target: number;
}

/** Adds the locals of a row to a function that has the others. */
const rowLocals = (
  target: WasmFunction,
  locals: Pick<RowLocals, "x" | "y" | "to" | "bytes" | "at" | "from" | "other" | "target">,
): RowLocals => ({ ...locals, shares: target.local("v128", "shares"), vector: target.local("v128", "vector") });

/** The vectors of a step of long rows. */
const kVectors = 4;

/** Writes the computation of so many vectors from `at` on. */
function writeStep(code: CodeWriter, { x, y, to, at, shares, vector, from, other, target }: RowLocals, vectors: number): void {
  const place = (begin: number, current: number): CodeWriter => code.get(begin).get(at).op("i32.add").set(current);
  place(x, from);
  place(y, other);
  place(to, target);
  for (let bytes = 0; bytes < 16 * vectors; bytes += 16) {
    code.get(target).get(from).memory("v128.load", bytes).tee(vector).get(other).memory("v128.load", bytes);
    code.get(vector).op("f32x4.sub").get(shares).op("f32x4.mul").op("f32x4.add").memory("v128.store", bytes);
  }
}

/** Writes a row of at least 16 bytes. Its last vector overlaps the one before if it is not whole. */
function writeVectors(code: CodeWriter, locals: RowLocals): void {
  const { bytes, at } = locals;
  code.i32(0).set(at);
  for (const vectors of [kVectors, 1]) {
    const width = 16 * vectors;
    const isLeft = (): CodeWriter => code.get(bytes).get(at).op("i32.sub").i32(width).op("i32.ge_s");
    isLeft().if();
    const steps = code.loop();
    writeStep(code, locals, vectors);
    code.addTo(at, width);
    isLeft().brIf(steps).end();
    code.end();
  }
  code.get(at).get(bytes).op("i32.ne").if();
  code.get(bytes).i32(16).op("i32.sub").set(at);
  writeStep(code, locals, 1);
  code.end();
}

/** Writes a row of at least 4 bytes, element by element. */
function writeElements(code: CodeWriter, { x, y, to, bytes, at }: RowLocals, share: number): void {
  const place = (begin: number): CodeWriter => code.get(begin).get(at).op("i32.add");
  code.i32(0).set(at);
  const elements = code.loop();
  place(to);
  place(x).memory("f32.load");
  place(y).memory("f32.load");
  place(x).memory("f32.load").op("f32.sub").get(share).memory("f32.load").op("f32.mul").op("f32.add").memory("f32.store");
  code.addTo(at, 4).get(at).get(bytes).op("i32.lt_s").brIf(elements).end();
}

function writeRow(module: WasmModule): void {
  const { target, at: locals } = arrayFunction(module, "row", ["x", "y", "share", "to", "bytes"], kSteps);
  const code = target.body;
  const row = rowLocals(target, locals);
  code.get(locals.share).memory("v128.load32_splat").set(row.shares);
  code.get(locals.bytes).i32(16).op("i32.lt_s").if();
  writeElements(code, row, locals.share);
  code.else();
  writeVectors(code, row);
  code.end();
  code.i32(0);
}

function writeRows(module: WasmModule): void {
  const params = ["operand", "low", "high", "share", "to", "count", "bytes"] as const;
  const { target, at: locals } = arrayFunction(module, "rows", params, ["x", "y", "whole", ...kSteps]);
  const { operand, low, high, share, to, count, bytes, x, y, whole, at } = locals;
  const code = target.body;
  const row = rowLocals(target, locals);
  const next = (): void => {
    code.addTo(low, 4);
    code.addTo(high, 4);
    code.addTo(share, 4);
    code.get(to).get(bytes).op("i32.add").set(to);
  };
  const begin = (): void => {
    code.get(operand).get(low).memory("i32.load").get(bytes).op("i32.mul").op("i32.add").set(x);
    code.get(operand).get(high).memory("i32.load").get(bytes).op("i32.mul").op("i32.add").set(y);
    code.get(share).memory("v128.load32_splat").set(row.shares);
  };
  // Short rows are computed as a whole vector each: the next rows replace what is too much. The last ones must not have any.
  code.get(bytes).i32(16).op("i32.lt_s").if();
  code.get(count).i32(3).i32(1).get(bytes).i32(4).op("i32.eq").op("select").op("i32.sub").set(whole);
  const noVector = code.block();
  code.get(whole).i32(1).op("i32.lt_s").brIf(noVector);
  code.get(count).get(whole).op("i32.sub").set(count).i32(0).set(at);
  const vectors = code.loop();
  begin();
  writeStep(code, row, 1);
  next();
  code.countDown(whole, vectors);
  code.end();
  const elements = code.loop();
  begin();
  writeElements(code, row, share);
  next();
  code.countDown(count, elements);
  code.else();
  const long = code.loop();
  begin();
  writeVectors(code, row);
  next();
  code.countDown(count, long);
  code.end();
  code.i32(0);
}

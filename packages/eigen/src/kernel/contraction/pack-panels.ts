/**
 * pack-panels: writes the functions that copy a block of a matrix into panels (Eigen's gemm_pack_lhs and gemm_pack_rhs).
 *
 *     matrix, 5 x 3, panels of 2             packed
 *     a0 b0 c0                               a0 a1 | b0 b1 | c0 c1     first panel: element k of both rows, k = 0 .. 2
 *     a1 b1 c1                               a2 a3 | b2 b3 | c2 c3     second panel
 *     a2 b2 c2                               a4 0  | b4 0  | c4 0      the last one is filled with zeros
 *     …
 *
 * Rows of A and columns of B are both called lines here. The micro kernel then reads memory strictly in order, whatever the strides of the
 * operands were. There are three functions, by the direction in which the operand's elements are adjacent.
 */
import type { CodeWriter, WasmFunction, WasmModule } from "@onebuffer/wasm/internal";

/** The numbers that a packing function is called with. */
export type PackRun = (from: number, to: number, count: number, depth: number, lineStride: number, kStride: number) => number;

const kParams = { from: "i32", to: "i32", count: "i32", depth: "i32", lineStride: "i32", kStride: "i32" } as const;

/** The locals of a packing function: its parameters, and those of the loops. */
type PackLocals = Readonly<Record<keyof typeof kParams | "source" | "k", number>>;

const localsOf = (target: WasmFunction): PackLocals => ({
  ...target.paramsOf(kParams),
  source: target.local("i32", "source"),
  k: target.local("i32", "k"),
});

/** Writes `packAlongN`: whole panels whose lines are adjacent in memory. `count` is the number of panels. */
export function writePackAlong(module: WasmModule, lines: number, itemBytes: number): void {
  const target = module.function(`packAlong${lines}`, kParams, ["i32"]);
  const { from, to, count, depth, kStride, source, k } = localsOf(target);
  const code = target.body;
  const panels = code.loop();
  code.get(from).set(source).get(depth).set(k);
  const steps = code.loop();
  for (let at = 0; at < lines * itemBytes; at += 16) code.get(to).get(source).memory("v128.load", at).memory("v128.store", at);
  code.get(source).get(kStride).op("i32.add").set(source);
  code.addTo(to, lines * itemBytes);
  code.countDown(k, steps);
  code.addTo(from, lines * itemBytes);
  code.countDown(count, panels);
  code.i32(0);
}

/**
 * Writes `packAcrossN`: whole panels whose lines each run along k in memory. Squares of as many lines as a vector has lanes are transposed
 * in registers; the last elements of k are copied one by one.
 */
export function writePackAcross(module: WasmModule, lines: number, itemBytes: number): void {
  const target = module.function(`packAcross${lines}`, kParams, ["i32"]);
  const locals = localsOf(target);
  const { from, to, count, depth, lineStride, source, k } = locals;
  const lanes = 16 / itemBytes;
  const vectors = Array.from({ length: lanes }, (_, lane) => target.local("v128", `v${lane}`));
  const line = target.local("i32", "line");
  const code = target.body;
  const panels = code.loop();
  code.get(from).set(source).get(depth).set(k);
  const whole = code.block();
  code.get(k).i32(lanes).op("i32.lt_u").brIf(whole);
  const steps = code.loop();
  code.get(source).set(line);
  for (let group = 0; group < lines; group += lanes) {
    for (const vector of vectors) code.get(line).memory("v128.load").set(vector).get(line).get(lineStride).op("i32.add").set(line);
    storeTransposed(code, vectors, to, lines * itemBytes, group * itemBytes);
  }
  code.addTo(source, 16);
  code.addTo(to, lanes * lines * itemBytes);
  code.get(k).i32(lanes).op("i32.sub").tee(k).i32(lanes).op("i32.ge_u").brIf(steps).end().end();
  writeSingles(code, locals, line, lines, itemBytes);
  code.get(lineStride).i32(lines).op("i32.mul").get(from).op("i32.add").set(from);
  code.countDown(count, panels);
  code.i32(0);
}

/** Writes the copy of the last, single elements of k of a panel whose lines run along k. */
function writeSingles(code: CodeWriter, { to, k, source, lineStride }: PackLocals, line: number, lines: number, itemBytes: number): void {
  const [load, store] = itemBytes === 8 ? (["i64.load", "i64.store"] as const) : (["i32.load", "i32.store"] as const);
  const done = code.block();
  code.get(k).op("i32.eqz").brIf(done);
  const singles = code.loop();
  code.get(source).set(line);
  for (let n = 0; n < lines; n++) {
    code
      .get(to)
      .get(line)
      .memory(load)
      .memory(store, n * itemBytes);
    code.get(line).get(lineStride).op("i32.add").set(line);
  }
  code.addTo(source, itemBytes);
  code.addTo(to, lines * itemBytes);
  code.countDown(k, singles).end();
}

/** Stores the columns of a square of vectors, `step` bytes apart. */
function storeTransposed(code: CodeWriter, vectors: readonly number[], to: number, step: number, offset: number): void {
  const pick = (a: number, b: number, words: readonly number[]): CodeWriter =>
    code
      .get(vectors[a]!)
      .get(vectors[b]!)
      .shuffle(words.flatMap((word) => [0, 1, 2, 3].map((byte) => word * 4 + byte)));
  if (vectors.length === 2) {
    pickInto(code, to, offset, () => pick(0, 1, [0, 1, 4, 5]));
    pickInto(code, to, offset + step, () => pick(0, 1, [2, 3, 6, 7]));
    return;
  }
  // Columns 0 and 1, then 2 and 3: first pairs of lines are interleaved, then the halves of the pairs are joined.
  for (const half of [0, 2]) {
    const words = [half, half + 4, half + 1, half + 5];
    for (const [column, joined] of [
      [half, [0, 1, 4, 5]],
      [half + 1, [2, 3, 6, 7]],
    ] as const) {
      pickInto(code, to, offset + column * step, () => {
        pick(0, 1, words);
        pick(2, 3, words).shuffle(joined.flatMap((word) => [0, 1, 2, 3].map((byte) => word * 4 + byte)));
      });
    }
  }
}

function pickInto(code: CodeWriter, to: number, offset: number, push: () => void): void {
  code.get(to);
  push();
  code.memory("v128.store", offset);
}

/** Writes `packAnyN`: one panel with any strides. Only `count` lines exist; zeros take the place of the others. */
export function writePackAny(module: WasmModule, lines: number, itemBytes: number): void {
  const target = module.function(`packAny${lines}`, kParams, ["i32"]);
  const { from, to, count, depth, lineStride, kStride, source, k } = localsOf(target);
  const line = target.local("i32", "line");
  const end = target.local("i32", "end");
  const [load, store] = itemBytes === 8 ? (["i64.load", "i64.store"] as const) : (["i32.load", "i32.store"] as const);
  const code = target.body;
  code.get(depth).set(k);
  const steps = code.loop();
  for (let at = 0; at < lines * itemBytes; at += 16) code.get(to).i32(0).op("i32x4.splat").memory("v128.store", at);
  code.get(from).set(source).get(to).set(line);
  code.get(count).i32(itemBytes).op("i32.mul").get(to).op("i32.add").set(end);
  const each = code.loop();
  code.get(line).get(source).memory(load).memory(store);
  code.get(source).get(lineStride).op("i32.add").set(source);
  code.addTo(line, itemBytes);
  code.get(line).get(end).op("i32.lt_u").brIf(each).end();
  code.get(from).get(kStride).op("i32.add").set(from);
  code.addTo(to, lines * itemBytes);
  code.countDown(k, steps);
  code.i32(0);
}

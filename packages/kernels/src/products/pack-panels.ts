/**
 * pack-panels: writes the functions that copy a block of a matrix into panels (Eigen's gemm_pack_lhs and gemm_pack_rhs).
 *
 *     matrix, 5 x 3, panels of 2             packed
 *     a0 b0 c0                               a0 a1 | b0 b1 | c0 c1     first panel: element k of both rows, k = 0 .. 2
 *     a1 b1 c1                               a2 a3 | b2 b3 | c2 c3     second panel
 *     a2 b2 c2                               a4 a4 | b4 b4 | c4 c4     the last line is repeated
 *     …
 *
 * Rows of A and columns of B are both called lines here. The micro kernel then reads memory strictly in order, whatever the strides of the
 * operands were. A table has the offset of every line, so lines may be anywhere: those of the patches of a convolution overlap. There are
 * three functions, by the direction in which the operand's elements are adjacent.
 */
import type { CodeWriter, WasmFunction, WasmModule } from "@onebuffer/wasm/internal";
import { elementAccess } from "../lanes/lane-memory.ts";

/**
 * The numbers that a packing function is called with: the address of the lines' first elements without their offsets, the address of the
 * table, the target, the number of panels, the elements of each line, the bytes from one to the next, and the bytes of a panel that are
 * left out after those.
 */
export type PackRun = (from: number, table: number, to: number, count: number, depth: number, kStride: number, skip: number) => number;

/** The parameters of packing functions. */
export const kPackParams = { from: "i32", table: "i32", to: "i32", count: "i32", depth: "i32", kStride: "i32", skip: "i32" } as const;

/** The locals of a packing function: its parameters, the loop over k, and the addresses within the lines. */
export type PackLocals = Readonly<Record<keyof typeof kPackParams | "k", number>> & { readonly sources: readonly number[] };

/** Returns the locals of a function, with the addresses of so many lines. */
export const packLocals = (target: WasmFunction, sources: number): PackLocals => ({
  ...target.paramsOf(kPackParams),
  k: target.local("i32", "k"),
  sources: Array.from({ length: sources }, (_, line) => target.local("i32", `line${line}`)),
});

/** Writes a loop over the panels. `write` copies one panel; the addresses within the lines are set before. */
export function writePanels(code: CodeWriter, locals: PackLocals, lines: number, write: () => void): void {
  const { from, table, to, count, depth, skip, k, sources } = locals;
  const panels = code.loop();
  sources.forEach((source, line) => {
    code
      .get(from)
      .get(table)
      .memory("i32.load", line * 4)
      .op("i32.add")
      .set(source);
  });
  code.get(depth).set(k);
  write();
  code.addLocal(to, skip);
  code.addTo(table, lines * 4);
  code.countDown(count, panels);
  code.i32(0);
}

/** Returns where groups of `size` begin that together cover `count` items. The last one overlaps the one before if `size` does not divide `count`. */
const groupsOf = (count: number, size: number): number[] =>
  Array.from({ length: Math.ceil(count / size) }, (_, group) => Math.min(group * size, count - size));

/** The number of k that `packAlongN` copies of every panel before it goes on. */
const kAlongSteps = 16;

/**
 * Writes `packAlongN`: panels whose lines are adjacent in memory. It reads a few rows of the matrix from end to end, not one panel from top
 * to bottom: rows that are a power of two of bytes apart share few places of a cache, and a panel is only half a cache line wide.
 */
export function writePackAlong(module: WasmModule, lines: number, itemBytes: number): void {
  const target = module.function(`packAlong${lines}`, kPackParams, ["i32"]);
  const { from, table, to, count, depth, kStride, skip } = target.paramsOf(kPackParams);
  const [k, source, entry, panel, place, steps] = (["k", "source", "entry", "panel", "place", "steps"] as const).map((name) =>
    target.local("i32", name),
  ) as [number, number, number, number, number, number];
  const code = target.body;
  const lineBytes = lines * itemBytes;
  // From the end of one panel's copied part to the beginning of the next one's.
  code.get(depth).i32(lineBytes).op("i32.mul").get(skip).op("i32.add").set(skip);
  const parts = code.loop();
  code.i32(kAlongSteps).get(depth).i32(kAlongSteps).get(depth).op("i32.lt_u").op("select").set(steps);
  code.get(to).set(place).get(table).set(entry).get(count).set(panel);
  const panels = code.loop();
  code.get(from).get(entry).memory("i32.load").op("i32.add").set(source).get(steps).set(k);
  code.addTo(entry, lines * 4);
  const copies = code.loop();
  for (const at of groupsOf(lineBytes, 16)) code.get(place).get(source).memory("v128.load", at).memory("v128.store", at);
  code.addLocal(source, kStride);
  code.addTo(place, lineBytes);
  code.countDown(k, copies);
  code.get(place).get(skip).op("i32.add").get(steps).i32(lineBytes).op("i32.mul").op("i32.sub").set(place);
  code.countDown(panel, panels);
  code.get(from).get(steps).get(kStride).op("i32.mul").op("i32.add").set(from);
  code.addTo(to, kAlongSteps * lineBytes);
  code.get(depth).get(steps).op("i32.sub").tee(depth).brIf(parts).end();
  code.i32(0);
}

/**
 * Writes `packAcrossN`: panels whose lines each run along k in memory. Squares of as many lines as a vector has lanes are transposed in
 * registers; the last elements of k are copied one by one.
 */
export function writePackAcross(module: WasmModule, lines: number, itemBytes: number): void {
  const target = module.function(`packAcross${lines}`, kPackParams, ["i32"]);
  const locals = packLocals(target, lines);
  const { to, k, sources } = locals;
  const lanes = 16 / itemBytes;
  const vectors = Array.from({ length: lanes }, (_, lane) => target.local("v128", `v${lane}`));
  const code = target.body;
  writePanels(code, locals, lines, () => {
    code.whileAtLeast(k, lanes, lanes, () => {
      for (const group of groupsOf(lines, lanes)) {
        vectors.forEach((vector, lane) => {
          code
            .get(sources[group + lane]!)
            .memory("v128.load")
            .set(vector);
        });
        storeTransposed(code, vectors, to, lines * itemBytes, group * itemBytes);
      }
      for (const source of sources) code.addTo(source, 16);
      code.addTo(to, lanes * lines * itemBytes);
    });
    writeSingles(code, locals, itemBytes, (source) => code.addTo(source, itemBytes));
  });
}

/** Writes `packAnyN`: panels with any strides. */
export function writePackAny(module: WasmModule, lines: number, itemBytes: number): void {
  const target = module.function(`packAny${lines}`, kPackParams, ["i32"]);
  const locals = packLocals(target, lines);
  const code = target.body;
  writePanels(code, locals, lines, () => {
    writeSingles(code, locals, itemBytes, (source) => code.addLocal(source, locals.kStride));
  });
}

/** Writes a loop over k that copies one element of each line; `advance` sets the address of a line's next element. */
function writeSingles(code: CodeWriter, { to, k, sources }: PackLocals, itemBytes: number, advance: (source: number) => void): void {
  const [load, store] = elementAccess[itemBytes]!;
  code.whileAtLeast(k, 1, 1, () => {
    sources.forEach((source, line) => {
      code
        .get(to)
        .get(source)
        .memory(load)
        .memory(store, line * itemBytes);
      advance(source);
    });
    code.addTo(to, sources.length * itemBytes);
  });
}

/** Stores the columns of a square of vectors, `step` bytes apart. */
export function storeTransposed(code: CodeWriter, vectors: readonly number[], to: number, step: number, offset: number): void {
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

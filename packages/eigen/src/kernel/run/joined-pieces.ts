/**
 * joined-pieces: concatenations of maps, and of parts of maps, as copies of runs of bytes (tensorflow/core/kernels/concat_lib_cpu.h). Nothing
 * is planned: pad by slices, roll and stack of small maps take about as long as the copies.
 *
 *     roll of [3, 5] by (1, 2)     target  | c c | c c c |      four pieces, each of rows that are adjacent on both sides
 *                                          | a a | a a a |
 *                                          | b b | b b b |
 */
import type { DType } from "@onebuffer/base";
import type { WasmModule } from "@onebuffer/wasm/internal";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import { copyPlaces } from "../../geometry/strided-bytes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { arrayFunction, arrayKernel } from "../array-loops/array-kernel.ts";
import type { ArrayFunctions } from "../array-loops/array-kernel.ts";
import { noteRun } from "../form/kernel-events.ts";
import { isRowMajor } from "../../geometry/strided-geometry.ts";
import { movedPlaces } from "../plan/moved-places.ts";
import { isInside } from "./scratch-places.ts";

/** Pieces with shorter rows than a vector are copied here only if they are small; kernels that are planned do it faster. */
const kSmallBytes = 1 << 15;

interface Piece {
  readonly from: RawPlaces;
  readonly to: RawPlaces;
  /** The bytes of a row that is adjacent on both sides. */
  readonly run: number;
}

/**
 * Computes a concatenation whose operands are maps, parts of them, or such concatenations. Nothing that is read may be where the result
 * goes. Returns false, with nothing done, if an operand is computed or has elements that are not adjacent.
 */
export function joinPieces(places: RawPlaces, dtype: DType, tree: ExpressionTree): boolean {
  const pieces: Piece[] = [];
  if (tree.dtype !== dtype || !collect(tree, places, pieces)) return false;
  for (const { from, to, run } of pieces) {
    const all = isDense(from, to) ? product(to.dims) * to.itemBytes : run;
    const kernel = isInside(from.buffer) && isInside(to.buffer) ? runsKernel(all) : null;
    if (kernel !== null) noteRun();
    if (kernel === null) copyPlaces(from, to);
    else if (all > run) kernel["runs"]!(from.byteOffset, to.byteOffset, 1, 0, 0, all);
    else copyRuns(kernel, from, to, run, 0, from.byteOffset, to.byteOffset);
  }
  return true;
}

/** Adds the pieces of a tree. Returns false if it has others. */
function collect(tree: ExpressionTree, to: RawPlaces, pieces: Piece[]): boolean {
  if (tree.op === "concatenate") {
    const { axis } = attributesOf(tree, "concatenate");
    let { byteOffset } = to;
    return tree.inputs.every((input) => {
      const part = { ...to, byteOffset, dims: input.dimensions };
      byteOffset += (input.dimensions[axis] as number) * (to.strides[axis] as number) * to.itemBytes;
      return product(input.dimensions) === 0 || collect(input, part, pieces);
    });
  }
  const from = movedPlaces(tree);
  if (from === null) return false;
  const last = to.dims.length - 1;
  const run = (to.dims[last] as number) * to.itemBytes;
  const isAdjacent = to.dims[last] === 1 || (from.strides[last] === 1 && to.strides[last] === 1);
  if (!isAdjacent || (run < 16 && product(to.dims) * to.itemBytes > kSmallBytes)) return false;
  return pieces.push({ from, to, run }) > 0;
}

/** Returns true if both sides are dense, and all rows are one. */
const isDense = (from: RawPlaces, to: RawPlaces): boolean =>
  isRowMajor({ offset: 0, dims: from.dims, strides: from.strides }) && isRowMajor({ offset: 0, dims: to.dims, strides: to.strides });

/** Copies the rows of a piece from an axis on. The last axis but one is the kernel's loop. */
function copyRuns(kernel: ArrayFunctions, from: RawPlaces, to: RawPlaces, run: number, axis: number, source: number, target: number): void {
  const last = to.dims.length - 1;
  const size = axis < last ? (to.dims[axis] as number) : 1;
  const [a, b] = [from, to].map(({ strides, itemBytes }) => (axis < last ? (strides[axis] as number) * itemBytes : 0)) as [number, number];
  if (axis >= last - 1) kernel["runs"]!(source, target, size, a, b, run);
  else for (let k = 0; k < size; k++) copyRuns(kernel, from, to, run, axis + 1, source + k * a, target + k * b);
}

function runsKernel(run: number): ArrayFunctions | null {
  const unit = run >= kLongRun ? 0 : run >= 16 ? 16 : ([8, 4, 2].find((bytes) => run % bytes === 0) ?? 1);
  return arrayKernel(`runs of ${unit}`, (module) => writeRuns(module, unit));
}

/** The bytes from which a row is copied by one instruction, which costs as much as a few dozen others. */
const kLongRun = 512;

const kAccess = {
  1: ["i32.load8_u", "i32.store8"],
  2: ["i32.load16_u", "i32.store16"],
  4: ["i32.load", "i32.store"],
  8: ["i64.load", "i64.store"],
  16: ["v128.load", "v128.store"],
} as const;

/**
 * Writes the copy of `rows` rows of `run` bytes by units, or each row by one instruction if `unit` is 0. A last, shorter vector is a whole
 * one that overlaps the one before.
 */
function writeRuns(module: WasmModule, unit: number): void {
  const params = ["from", "to", "rows", "fromStep", "toStep", "run"] as const;
  const { target, at } = arrayFunction(module, "runs", params, ["k", "end"]);
  const { from, to, rows, fromStep, toStep, run, k, end } = at;
  const [load, store] = kAccess[(unit || 16) as 1];
  const code = target.body;
  const move = (): void => {
    code.get(to).get(k).op("i32.add").get(from).get(k).op("i32.add").memory(load).memory(store);
  };
  code.get(run).i32(unit).op("i32.sub").set(end);
  const nextRow = code.loop();
  if (unit === 0) code.get(to).get(from).get(run).op("memory.copy");
  else {
    code.i32(0).set(k);
    const next = code.loop();
    move();
    code.addTo(k, unit).get(k).get(end).op("i32.le_s").brIf(next).end();
  }
  if (unit === 16) {
    code.get(end).set(k);
    move();
  }
  code.get(from).get(fromStep).op("i32.add").set(from).get(to).get(toStep).op("i32.add").set(to);
  code.countDown(rows, nextRow);
  code.i32(0);
}

/**
 * reversed-rows: copies of rows from their last element to their first, as NumPy's flip, in whole vectors.
 *
 *     [512, 512] reversed along both axes      one row of 262,144 elements
 *     along the last axis                      512 rows
 */
import { linearMemory } from "@onebuffer/wasm";
import type { WasmModule } from "@onebuffer/wasm/internal";
import { product } from "../../geometry/map-geometry.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { mayOverlap } from "../../geometry/strided-bytes.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { movedPlaces } from "../plan/moved-places.ts";
import { noteRun } from "../form/kernel-events.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";
import type { ArrayFunctions } from "./array-kernel.ts";

/** Kernels of the general form take less time to find for fewer bytes, and for shorter rows. */
const kLeastBytes = 4096;
const kLeastRun = 64;
/** The vectors of a step. */
const kVectors = 4;

/** An axis: its size, and the bytes from one index to the next on both sides. */
type Axis = readonly [size: number, from: number, to: number];

/**
 * Copies the elements of a map, also one under `reverse`, if adjacent ones are in reverse order. Returns false, with nothing done, for other
 * trees, for few elements, and if source and target overlap or are outside the linear memory.
 */
export function reverseRows(to: RawPlaces, tree: ExpressionTree): boolean {
  const { itemBytes, dims } = to;
  if ((tree.op !== "reverse" && tree.op !== "map") || product(dims) * itemBytes < kLeastBytes || itemBytes > 8) return false;
  const from = movedPlaces(tree);
  if (from === null || from.strides.at(-1) !== -1 || to.strides.at(-1) !== 1 || mayOverlap(from, to)) return false;
  const { buffer } = linearMemory();
  if (from.buffer !== buffer || to.buffer !== buffer) return false;
  const axes = joinedAxes(from, to);
  const [size] = axes.at(-1)!;
  if (size * itemBytes < kLeastRun) return false;
  const kernel = arrayKernel(`reversed rows of ${itemBytes}`, (module) => writeRows(module, itemBytes));
  if (kernel === null) return false;
  noteRun();
  copyRows(kernel, axes, 0, from.byteOffset, to.byteOffset, size * itemBytes);
  return true;
}

/** Returns the axes, the last one first joined with those before it that it is adjacent to on both sides. */
function joinedAxes(from: RawPlaces, to: RawPlaces): Axis[] {
  const axes: Axis[] = [];
  to.dims.forEach((size, d) => {
    const [a, b] = [(from.strides[d] as number) * to.itemBytes, (to.strides[d] as number) * to.itemBytes];
    const before = axes.at(-1);
    const isJoined = before !== undefined && before[1] === a * size && before[2] === b * size;
    if (isJoined) axes[axes.length - 1] = [before[0] * size, a, b];
    else axes.push([size, a, b]);
  });
  return axes;
}

/** Copies the rows from an axis on. The last axis but one is the kernel's loop. */
function copyRows(kernel: ArrayFunctions, axes: readonly Axis[], axis: number, source: number, target: number, run: number): void {
  const [size, from, to]: Axis = axis < axes.length - 1 ? axes[axis]! : [1, 0, 0];
  if (axis >= axes.length - 2) kernel["rows"]!(source, target, size, from, to, run);
  else for (let k = 0; k < size; k++) copyRows(kernel, axes, axis + 1, source + k * from, target + k * to, run);
}

/** Writes the copy of rows of `run` bytes, 64 or more. The last vectors overlap those before them. */
function writeRows(module: WasmModule, item: number): void {
  const params = ["from", "to", "rows", "fromStep", "toStep", "run"] as const;
  const { target, at: locals } = arrayFunction(module, "rows", params, ["at", "end", "source"]);
  const { from, to, rows, fromStep, toStep, run, at, end, source } = locals;
  const vector = target.local("v128", "vector");
  const code = target.body;
  const lanes = Array.from({ length: 16 }, (_, k) => 16 - item - (k - (k % item)) + (k % item));
  const bytes = 16 * kVectors;
  const step = (): void => {
    // The vectors before the element that the source is at.
    code.get(from).i32(item).op("i32.add").get(at).op("i32.sub").i32(bytes).op("i32.sub").set(source);
    for (let k = 0; k < kVectors; k++) {
      code
        .get(to)
        .get(at)
        .op("i32.add")
        .get(source)
        .memory("v128.load", bytes - 16 - 16 * k)
        .tee(vector)
        .get(vector)
        .shuffle(lanes)
        .memory("v128.store", 16 * k);
    }
  };
  code.get(run).i32(bytes).op("i32.sub").set(end);
  const nextRow = code.loop();
  code.i32(0).set(at);
  const next = code.loop();
  step();
  code.addTo(at, bytes).get(at).get(end).op("i32.le_u").brIf(next).end();
  code.get(end).set(at);
  step();
  code.get(from).get(fromStep).op("i32.add").set(from).get(to).get(toStep).op("i32.add").set(to);
  code.countDown(rows, nextRow);
  code.i32(0);
}

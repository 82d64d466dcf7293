/**
 * reversed-rows: copies of rows from their last element to their first, as NumPy's flip, in whole vectors.
 *
 *     [512, 512] reversed along both axes      one row of 262,144 elements
 *     along the last axis                      512 rows
 */
import { linearMemory } from "@onebuffer/wasm";
import { mayOverlap, product } from "@onebuffer/storage/internal";
import { isMap } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import type { RawPlaces } from "@onebuffer/storage";
import { arrayKernel, noteRun, textFunction } from "@onebuffer/kernels/internal";
import type { ArrayFunctions } from "@onebuffer/kernels/internal";
import { movedPlaces } from "../places/moved-places.ts";

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
  if ((tree.op !== "reverse" && !isMap(tree)) || product(dims) * itemBytes < kLeastBytes || itemBytes > 8) return false;
  const from = movedPlaces(tree);
  if (from === null || from.strides.at(-1) !== -1 || to.strides.at(-1) !== 1 || mayOverlap(from, to)) return false;
  const { buffer } = linearMemory();
  if (from.buffer !== buffer || to.buffer !== buffer) return false;
  const axes = joinedAxes(from, to);
  const [size] = axes.at(-1)!;
  if (size * itemBytes < kLeastRun) return false;
  const kernel = arrayKernel(`reversed rows of ${itemBytes}`, (module) => {
    textFunction(module, "rows", "from to rows fromStep toStep run", "at stop source x:v128", rowsText(itemBytes));
  });
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

/** Returns the copy of rows of `run` bytes, 64 or more. The last vectors overlap those before them. */
function rowsText(item: number): string {
  const bytes = 16 * kVectors;
  const reverse = `shuffle:${Array.from({ length: 16 }, (_, k) => 16 - item - k + 2 * (k % item)).join()}`;
  // The vectors before the element that the source is at.
  const step = `
    from ${item - bytes} + at - ->source
    ${Array.from({ length: kVectors }, (_, k) => `source v128.load:${bytes - 16 - 16 * k} ->x to at + x x ${reverse} v128.store:${16 * k}`).join(" ")}`;
  return `
    run ${bytes} - ->stop
    loop
      0 ->at
      loop
        ${step}
        at+=${bytes}
      at stop i32.le_u while
      stop ->at
      ${step}
      from+=fromStep
      to+=toStep
      rows+=-1
    rows while
    0`;
}

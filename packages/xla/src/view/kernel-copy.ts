/**
 * Copying between two strided arrays by eigen's kernels: what `relayout` does with large arrays whose elements change places
 * (in XLA a transpose that the compiler emits).
 *
 *     source   in the linear memory      as it lies         elsewhere   2 MiB at a time, in its order
 *     kernel   StridedMap.assign: 4 x 4 elements of 4 bytes are turned over in registers
 *     target   in the linear memory      where it belongs   elsewhere   2 MiB at a time, in its order
 *
 * Elements are bit patterns of 1, 2, 4 or 8 bytes, whatever they mean, so a NaN keeps its payload. Wider ones, arrays that keep
 * long runs, small ones and an engine without kernels are left to `copyStrided`, which is as good or better there.
 */
import type { TypedArrayOf } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";
import { constStridedMap, kernelCounts, stridedMap } from "@onebuffer/eigen";
import type { LinearMemory } from "@onebuffer/wasm";
import { linearMemory } from "@onebuffer/wasm";
import type { BitSlots, CopyAxis } from "@onebuffer/eigen/internal";
import { copyStrided, joinAxes, kLongRun } from "@onebuffer/eigen/internal";

/** From how many elements on a kernel's call has paid for itself, measured: in the linear memory and elsewhere. */
const kLeastInside = 8192;
const kLeastStaged = 32768;

/** Rows of the target shorter than this cost a kernel what the way to the stage costs: no gain in both. */
const kLeastStagedRow = 4;

/** The bytes staged at a time, on either side: with both, what a second-level cache holds or a little more. */
const kStageBytes = 2 ** 21;

/** What the source's rows are not cut below, in elements: they are carried to the stage one by one. */
const kRowElements = 512;

/** False once an assignment ran no kernel: then this engine has none. */
let hasKernels = true;

/** The arrays of one copy; strides in elements, of which one takes `slots` slots. */
interface Sides {
  readonly source: BitSlots;
  readonly target: BitSlots;
  readonly slots: number;
}

/**
 * Copies as `copyStrided` does, or answers false where that is faster or no kernel can; the target may be partly written
 * then. The two do not overlap.
 */
export function copyByKernels(source: BitSlots, target: BitSlots, dimensions: readonly CopyAxis[], slots: number): boolean {
  if (!hasKernels || slots * source.BYTES_PER_ELEMENT > 8) return false;
  const elements = elementsIn(dimensions);
  if (elements < kLeastInside) return false;
  const axes = joinAxes(dimensions.map(({ size, source, target }) => ({ size, source: source / slots, target: target / slots })));
  const [p] = axes;
  if (axes.length < 2 || p === undefined || (p.source === 1 && p.target === 1 && p.size * slots >= kLongRun)) return false;
  const memory = linearMemory();
  const sides = { source, target, slots };
  const isStaged = !isInside(memory, source, slots) || !isInside(memory, target, slots);
  // Where the order of the axes is kept, the way to the stage would already be the whole work.
  const keepsOrder = axes.every(({ source }, k) => k === 0 || source > axes[k - 1]!.source);
  if (isStaged && (elements < kLeastStaged || p.size < kLeastStagedRow || keepsOrder)) return false;
  try {
    if (isStaged) return copyStaged(memory, sides, axes);
    assign(sides, axes, 0, 0);
    return hasKernels;
  } catch (error) {
    // No memory that kernels reach, or no room in it.
    if (isStatusError(error, "RESOURCE_EXHAUSTED")) return false;
    throw error;
  }
}

/** Whether kernels reach the elements where they are. */
function isInside(memory: LinearMemory, { buffer, byteOffset, BYTES_PER_ELEMENT: bytes }: BitSlots, slots: number): boolean {
  return memory.isConstructed && buffer === memory.buffer && byteOffset % (bytes * slots) === 0;
}

/** One assignment of a StridedMap to another, of elements that both have in the linear memory. */
function assign({ source, target, slots }: Sides, axes: readonly CopyAxis[], from: number, to: number): void {
  const joined = joinAxes(axes);
  if (joined.length < 2) return copyStrided(source, from * slots, target, to * slots, inSlots(axes, slots), slots);
  const majorFirst = joined.toReversed();
  const dims = majorFirst.map(({ size }) => size);
  const [sources, targets] = [majorFirst.map((axis) => axis.source), majorFirst.map((axis) => axis.target)];
  const dtype = dtypeFor(source.BYTES_PER_ELEMENT * slots);
  const { runs } = kernelCounts();
  const values = constStridedMap(dtype, elementsOf(source, slots), dims, sources, from);
  stridedMap(dtype, elementsOf(target, slots), dims, targets, to).assign(values);
  if (kernelCounts().runs === runs) hasKernels = false;
}

function inSlots(axes: readonly CopyAxis[], slots: number): CopyAxis[] {
  return axes.map(({ size, source, target }) => ({ size, source: source * slots, target: target * slots }));
}

/** What elements are to the kernels, whatever they mean. */
type Bits = "uint8" | "uint16" | "int32" | "int64";

function dtypeFor(bytes: number): Bits {
  return bytes === 1 ? "uint8" : bytes === 2 ? "uint16" : bytes === 4 ? "int32" : "int64";
}

function elementsOf(array: BitSlots, slots: number): TypedArrayOf<Bits> {
  if (slots === 1) return array;
  return new BigInt64Array(array.buffer, array.byteOffset, Math.floor(array.byteLength / 8));
}

/** Through memory that kernels reach, given back at the end; a side that lies there already is used as it is. */
function copyStaged(memory: LinearMemory, sides: Sides, axes: readonly CopyAxis[]): boolean {
  const start = memory.reserve(2 * kStageBytes);
  if (start === null) return false;
  try {
    return copyPieces(memory, start, sides, axes, 0, 0);
  } finally {
    memory.release(start, 2 * kStageBytes);
  }
}

/** Copies in pieces that a stage holds. */
function copyPieces(memory: LinearMemory, start: number, sides: Sides, axes: readonly CopyAxis[], from: number, to: number): boolean {
  const room = kStageBytes / (sides.source.BYTES_PER_ELEMENT * sides.slots);
  const elements = elementsIn(axes);
  if (elements <= room) {
    copyPiece(memory, start, sides, axes, from, to);
    return hasKernels;
  }
  const { axis, count } = chooseCut(axes, elements, room);
  for (let i = 0; i < axis.size; i += count) {
    const size = Math.min(count, axis.size - i);
    const piece = axes.map((other) => (other === axis ? { ...axis, size } : other));
    if (!copyPieces(memory, start, sides, piece, from + i * axis.source, to + i * axis.target)) return false;
  }
  return true;
}

const elementsIn = (axes: readonly CopyAxis[]): number => axes.reduce((product, { size }) => product * size, 1);

const majorOf = (axes: readonly CopyAxis[]): CopyAxis =>
  axes.reduce((most, axis) => (most.size === 1 || (axis.size > 1 && axis.source > most.source) ? axis : most));

/**
 * Which axis to cut, and after how many steps: the source's most major one, so that a piece lies in one run there. If that is
 * the target's rows and they became short, the next one; of the source's own rows something long is left over, too.
 */
function chooseCut(axes: readonly CopyAxis[], elements: number, room: number): { axis: CopyAxis; count: number } {
  const countOf = (axis: CopyAxis): number => Math.max(1, Math.floor((room * axis.size) / elements));
  const major = majorOf(axes);
  const rows = axes[0]!;
  if (major === rows && countOf(major) < kLongRun) {
    const next = majorOf(axes.slice(1));
    const count = Math.max(countOf(next), next.source === 1 ? kRowElements : 1);
    if (count < next.size) return { axis: next, count };
  }
  return { axis: major, count: countOf(major) };
}

/** Copies a piece that a stage holds. */
function copyPiece(memory: LinearMemory, start: number, sides: Sides, axes: readonly CopyAxis[], from: number, to: number): void {
  const { source, target, slots } = sides;
  const length = elementsIn(axes) * slots;
  let input = { source, from };
  let inputAxes = axes;
  if (!isInside(memory, source, slots)) {
    // In the source's order: its rows come as they are.
    inputAxes = denseAxes(axes, "source");
    input = { source: stage(source, memory, start, length), from: 0 };
    copyStrided(source, from * slots, input.source, 0, inSlots(axesBetween(axes, inputAxes, "source"), slots), slots);
  }
  if (isInside(memory, target, slots)) return assign({ ...input, target, slots }, inputAxes, input.from, to);
  const outputAxes = denseAxes(inputAxes, "target");
  const output = stage(target, memory, start + kStageBytes, length);
  assign({ ...input, target: output, slots }, outputAxes, input.from, 0);
  copyStrided(output, 0, target, to * slots, inSlots(axesBetween(outputAxes, axes, "target"), slots), slots);
}

/** Axes whose elements lie side by side on one side, in the same order as before. */
function denseAxes(axes: readonly CopyAxis[], side: "source" | "target"): CopyAxis[] {
  const strides = new Map<CopyAxis, number>();
  let stride = 1;
  for (const axis of axes.toSorted((a, b) => a[side] - b[side])) {
    strides.set(axis, stride);
    stride *= axis.size;
  }
  return axes.map((axis) => ({ ...axis, [side]: strides.get(axis)! }));
}

/** The axes of a copy from one side of `from` to the same side of `to`. */
function axesBetween(from: readonly CopyAxis[], to: readonly CopyAxis[], side: "source" | "target"): CopyAxis[] {
  return from.map((axis, k) => ({ size: axis.size, source: axis[side], target: to[k]![side] }));
}

/** Memory of the stage as an array of the class of `like`. */
function stage(like: BitSlots, { buffer }: LinearMemory, start: number, length: number): BitSlots {
  if (like.BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, start, length);
  if (like.BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, start, length);
  return new Int32Array(buffer, start, length);
}

/**
 * Copies between two strided arrays with eigen's kernels. `relayout` uses this for large arrays whose elements change their
 * order (XLA compiles a transpose instead).
 *
 *     source   in the linear memory: read in place       elsewhere: staged 2 MiB at a time, in its order
 *     kernel   StridedMap.assign transposes 4 x 4 elements of 4 bytes in registers
 *     target   in the linear memory: written in place    elsewhere: staged 2 MiB at a time, in its order
 *
 * Elements are copied as bit patterns of 1, 2, 4 or 8 bytes, so a NaN keeps its payload. Wider elements, small arrays,
 * arrays with long contiguous runs, and engines without kernels are left to `copyStrided`, which is as fast or faster there.
 */
import type { TypedArrayOf } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";
import { constStridedMap, stridedMap } from "@onebuffer/eigen";
import { copyStrided, joinAxes, kLongRun } from "@onebuffer/storage/internal";
import type { LinearMemory } from "@onebuffer/wasm";
import { linearMemory } from "@onebuffer/wasm";
import type { BitSlots, CopyAxis } from "@onebuffer/storage/internal";
import { kernelCounts } from "@onebuffer/kernels/internal";

/** The number of elements from which a kernel pays off, as measured: with both arrays in the linear memory, and with staging. */
const kMinElementsInside = 8192;
const kMinElementsStaged = 32768;

/** With rows of the target shorter than this, in elements, staging costs what the kernel gains. */
const kMinStagedRow = 4;

/** The bytes staged at a time for each side: for both together about the size of a second-level cache. */
const kStageBytes = 2 ** 21;

/** A cut leaves the source's rows at least this long, in elements, because they are staged row by row. */
const kRowElements = 512;

/** False once an assignment has run no kernel: this engine has none. */
let hasKernels = true;

/** The arrays of one copy. Strides are in elements; one element takes `slots` slots of the arrays. */
interface Sides {
  readonly source: BitSlots;
  readonly target: BitSlots;
  readonly slots: number;
}

/**
 * Copies like `copyStrided` and returns true. Returns false if `copyStrided` is faster or no kernel can run; the target may
 * be partly written then. The arrays must not overlap.
 */
export function copyByKernels(source: BitSlots, target: BitSlots, dimensions: readonly CopyAxis[], slots: number): boolean {
  if (!hasKernels || slots * source.BYTES_PER_ELEMENT > 8) return false;
  const elements = elementsIn(dimensions);
  if (elements < kMinElementsInside) return false;
  const axes = joinAxes(dimensions.map(({ size, source, target }) => ({ size, source: source / slots, target: target / slots })));
  const [p] = axes;
  if (axes.length < 2 || p === undefined || (p.source === 1 && p.target === 1 && p.size * slots >= kLongRun)) return false;
  const memory = linearMemory();
  const sides = { source, target, slots };
  const isStaged = !isInside(memory, source, slots) || !isInside(memory, target, slots);
  // If the order of the axes does not change, staging alone would already be the whole work.
  const keepsOrder = axes.every(({ source }, k) => k === 0 || source > axes[k - 1]!.source);
  if (isStaged && (elements < kMinElementsStaged || p.size < kMinStagedRow || keepsOrder)) return false;
  try {
    if (isStaged) return copyStaged(memory, sides, axes);
    assign(sides, axes, 0, 0);
    return hasKernels;
  } catch (error) {
    // There is no memory that kernels reach, or no room in it.
    if (isStatusError(error, "RESOURCE_EXHAUSTED")) return false;
    throw error;
  }
}

/** Returns true if the array is in the linear memory, aligned to its elements, so that kernels can use it in place. */
function isInside(memory: LinearMemory, { buffer, byteOffset, BYTES_PER_ELEMENT: bytes }: BitSlots, slots: number): boolean {
  return memory.isConstructed && buffer === memory.buffer && byteOffset % (bytes * slots) === 0;
}

/** Copies by one assignment between StridedMaps. Both arrays are in the linear memory. Clears hasKernels if no kernel ran. */
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

/** The element types that the kernels use, chosen by size only. */
type Bits = "uint8" | "uint16" | "int32" | "int64";

function dtypeFor(bytes: number): Bits {
  return bytes === 1 ? "uint8" : bytes === 2 ? "uint16" : bytes === 4 ? "int32" : "int64";
}

function elementsOf(array: BitSlots, slots: number): TypedArrayOf<Bits> {
  if (slots === 1) return array;
  return new BigInt64Array(array.buffer, array.byteOffset, Math.floor(array.byteLength / 8));
}

/** Copies through staging memory, which is released at the end. An array in the linear memory is used in place. */
function copyStaged(memory: LinearMemory, sides: Sides, axes: readonly CopyAxis[]): boolean {
  const start = memory.reserve(2 * kStageBytes);
  if (start === null) return false;
  try {
    return copyPieces(memory, start, sides, axes, 0, 0);
  } finally {
    memory.release(start, 2 * kStageBytes);
  }
}

/** Copies in pieces that fit the staging memory. Returns false if this engine has no kernels. */
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
 * Chooses the axis to cut and the number of steps per piece: the source's most major axis, so that a piece is one run of
 * the source. If that axis is the target's rows and the cut would make them short, chooses the next most major axis, and
 * keeps at least kRowElements of the source's own rows.
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

/** Copies a piece that fits the staging memory. */
function copyPiece(memory: LinearMemory, start: number, sides: Sides, axes: readonly CopyAxis[], from: number, to: number): void {
  const { source, target, slots } = sides;
  const length = elementsIn(axes) * slots;
  let input = { source, from };
  let inputAxes = axes;
  if (!isInside(memory, source, slots)) {
    // Staged in the source's order, so its rows are copied unchanged.
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

/** Returns the axes with new strides on one side: contiguous, in the same order as before. */
function denseAxes(axes: readonly CopyAxis[], side: "source" | "target"): CopyAxis[] {
  const strides = new Map<CopyAxis, number>();
  let stride = 1;
  for (const axis of axes.toSorted((a, b) => a[side] - b[side])) {
    strides.set(axis, stride);
    stride *= axis.size;
  }
  return axes.map((axis) => ({ ...axis, [side]: strides.get(axis)! }));
}

/** Returns the axes of a copy from one side of `from` to the same side of `to`. */
function axesBetween(from: readonly CopyAxis[], to: readonly CopyAxis[], side: "source" | "target"): CopyAxis[] {
  return from.map((axis, k) => ({ size: axis.size, source: axis[side], target: to[k]![side] }));
}

/** Returns staging memory as an array of the same class as `like`. */
function stage(like: BitSlots, { buffer }: LinearMemory, start: number, length: number): BitSlots {
  if (like.BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, start, length);
  if (like.BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, start, length);
  return new Int32Array(buffer, start, length);
}

/**
 * Copying between two strided arrays by eigen's kernels: what `relayout` does with large arrays whose elements change places
 * (in XLA a transpose that the compiler emits).
 *
 *     source   in the linear memory      as it lies         elsewhere   2 MiB at a time, as they lie
 *     kernel   StridedMap.assign: 4 x 4 elements of 4 bytes are turned over in registers
 *     target   in the linear memory      where it belongs   elsewhere   runs of the stage's rows
 *
 * Elements are bit patterns of 1, 2, 4 or 8 bytes, whatever they mean, so a NaN keeps its payload. Wider ones, arrays that keep
 * long runs, small ones and an engine without kernels are left to `copyStrided`, which is as good or better there.
 */
import { isStatusError, type TypedArrayOf } from "@onebuffer/base";
import { constStridedMap, kernelCounts, type LinearMemory, linearMemory, stridedMap } from "@onebuffer/eigen";
import { type BitSlots, type CopyAxis, copyStrided, joinAxes, LONG_RUN } from "./strided-copy.ts";

/** From how many elements on a kernel's call has paid for itself, measured: in the linear memory and elsewhere. */
const LEAST_INSIDE = 8192;
const LEAST_STAGED = 16384;

/** The bytes staged at a time, on either side: with both, what a second-level cache holds or a little more. */
const STAGE_BYTES = 2 ** 21;

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
  const elements = dimensions.reduce((product, { size }) => product * size, 1);
  if (elements < LEAST_INSIDE) return false;
  const axes = joinAxes(dimensions.map(({ size, source, target }) => ({ size, source: source / slots, target: target / slots })));
  const [p] = axes;
  if (axes.length < 2 || p === undefined || (p.source === 1 && p.target === 1 && p.size * slots >= LONG_RUN)) return false;
  const memory = linearMemory();
  const sides = { source, target, slots };
  const isStaged = !isInside(memory, source, slots) || !isInside(memory, target, slots);
  // Where the order of the axes is kept, the way to the stage would already be the whole work.
  const keepsOrder = axes.every(({ source }, k) => k === 0 || source > axes[k - 1]!.source);
  if (isStaged && (elements < LEAST_STAGED || keepsOrder)) return false;
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
  if (joined.length < 2) return copyStrided(source.subarray(from * slots), target.subarray(to * slots), inSlots(axes, slots), slots);
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
  const start = memory.reserve(2 * STAGE_BYTES);
  if (start === null) return false;
  try {
    return copyPieces(memory, start, sides, axes, 0, 0);
  } finally {
    memory.release(start, 2 * STAGE_BYTES);
  }
}

/** Cuts the source's most major axis into pieces that a stage holds, and copies them. */
function copyPieces(memory: LinearMemory, start: number, sides: Sides, axes: readonly CopyAxis[], from: number, to: number): boolean {
  const { source, slots } = sides;
  const major = axes.reduce((most, axis) => (axis.source > most.source ? axis : most));
  const rest = axes.filter((axis) => axis !== major);
  // What one step along the axis takes on the source's side, gaps of padding included.
  const step = rest.reduce((span, { size, source }) => span + (size - 1) * source, 1);
  const room = STAGE_BYTES / (source.BYTES_PER_ELEMENT * slots);
  if (step > room) {
    if (rest.length < 2) return false;
    for (let i = 0; i < major.size; i++) {
      if (!copyPieces(memory, start, sides, rest, from + i * major.source, to + i * major.target)) return false;
    }
    return true;
  }
  const most = Math.min(major.size, 1 + Math.floor((room - step) / major.source));
  // Rows this short are carried to the target one element at a time, as the plain copy does at once.
  if (major === axes[0] && most < major.size && most * slots < LONG_RUN) return false;
  for (let i = 0; i < major.size && hasKernels; i += most) {
    const size = Math.min(most, major.size - i);
    const piece = axes.map((axis) => (axis === major ? { ...axis, size } : axis));
    copyPiece(memory, start, sides, piece, step + (size - 1) * major.source, from + i * major.source, to + i * major.target);
  }
  return hasKernels;
}

/** Copies the elements of a piece, whose source reaches over `span` elements. */
function copyPiece(
  memory: LinearMemory,
  start: number,
  { source, target, slots }: Sides,
  axes: readonly CopyAxis[],
  span: number,
  from: number,
  to: number,
): void {
  let input = { array: source, from };
  if (!isInside(memory, source, slots)) {
    input = { array: stage(source, memory, start, span * slots), from: 0 };
    input.array.set(source.subarray(from * slots, (from + span) * slots));
  }
  if (isInside(memory, target, slots)) return assign({ source: input.array, target, slots }, axes, input.from, to);
  // Dense, in the target's order: the rows that stay together there lie side by side.
  let elements = 1;
  const staged = axes.map((axis) => {
    const stride = elements;
    elements *= axis.size;
    return { ...axis, target: stride };
  });
  const output = stage(target, memory, start + STAGE_BYTES, elements * slots);
  assign({ source: input.array, target: output, slots }, staged, input.from, 0);
  const moves = axes.map(({ size, target }, k) => ({ size, source: staged[k]!.target, target }));
  copyStrided(output, target.subarray(to * slots), inSlots(moves, slots), slots);
}

/** Memory of the stage as an array of the class of `like`. */
function stage(like: BitSlots, { buffer }: LinearMemory, start: number, length: number): BitSlots {
  if (like.BYTES_PER_ELEMENT === 1) return new Uint8Array(buffer, start, length);
  if (like.BYTES_PER_ELEMENT === 2) return new Uint16Array(buffer, start, length);
  return new Int32Array(buffer, start, length);
}

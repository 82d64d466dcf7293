/**
 * CopyDataFromTensorSliceToTensorSlice: copies the elements that two slices of a tensor have in common from the array of one slice to
 * the array of the other (tensorflow/core/util/saved_tensor_slice_util.h).
 *
 *     shape [3,4]    src = rows 0-1        dst = columns 1-2       each array holds its slice, dense and row-major
 *     0 1 2 3        0 1 2 3  <- source      1 2
 *     4 5 6 7        4 5 6 7                 5 6  <- copied: the intersection
 *     8 9 a b                                . .  <- unchanged
 *
 * Checkpoint readers use it to assemble a tensor from stored slices. The intersection is copied in runs that are
 * contiguous in both arrays; inner dimensions that are whole on both sides are merged into the run.
 */
import type { TypedArray } from "@onebuffer/base";
import { argumentError, isArray, plainTypedArray, typedArrayKind, typedArrayLength } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import type { BitSlots } from "@onebuffer/storage/internal";
import { bitSlots, copyStrided, forEachRun } from "@onebuffer/storage/internal";
import type { TensorShape } from "@onebuffer/shape";
import { checkShape, checkSlice } from "./argument-check.ts";
import { castRun } from "./cast-run.ts";
import type { CopyPlan, CopySide } from "./copy-plan.ts";
import { planCopy } from "./copy-plan.ts";
import { sliceFits } from "./slice-fits.ts";
import type { TensorSlice } from "./tensor-slice.ts";

/** TensorFlow's limit on the rank of tensors that can be copied slice to slice. */
const kTensorSliceMaxRank = 8;

/**
 * Copies the intersection of two slices of a tensor of `shape` from `src`, the dense row-major data of
 * srcSlice, to `dst`, the data of dstSlice. The other elements of dst do not change. Returns false, and copies nothing, if
 * the slices have no common index or a slice does not fit the shape.
 *
 * Typed arrays of the same type are copied bit for bit. Arrays of different types are copied with C++'s cast: fractions are
 * truncated, integers wrap around, and half and bfloat16 arrays count as 16-bit integers, their storage type. Plain arrays hold the
 * values of string, resource and variant tensors and are copied by reference. `arraySlots` is 2 for complex arrays, whose elements take
 * two slots. src and dst may share memory: the result is the same as if src had been copied first.
 *
 * Throws INVALID_ARGUMENT for ranks above 8, for arrays too short for their slices, and for a plain array with a typed array.
 *
 * @example
 * const dst = new Float32Array(4);
 * const [rows, columns] = [TensorSlice.parse("0,2:-"), TensorSlice.parse("-:1,2")];
 * copyDataFromTensorSliceToTensorSlice(new TensorShape([2, 3]), rows, columns, Int32Array.of(0, 1, 2, 3, 4, 5), dst); // => true
 * [...dst]; // => [1, 2, 4, 5]
 */
export function copyDataFromTensorSliceToTensorSlice(
  shape: TensorShape,
  srcSlice: TensorSlice,
  dstSlice: TensorSlice,
  src: TypedArray,
  dst: TypedArray,
  arraySlots?: 1 | 2,
): boolean;
export function copyDataFromTensorSliceToTensorSlice<E>(
  shape: TensorShape,
  srcSlice: TensorSlice,
  dstSlice: TensorSlice,
  src: readonly E[],
  dst: E[],
  arraySlots?: 1 | 2,
): boolean;
export function copyDataFromTensorSliceToTensorSlice(
  shape: TensorShape,
  srcSlice: TensorSlice,
  dstSlice: TensorSlice,
  source: TypedArray | readonly unknown[],
  target: TypedArray | unknown[],
  arraySlots: 1 | 2 = 1,
): boolean {
  checkShape(shape);
  checkSlice(srcSlice);
  checkSlice(dstSlice);
  if (shape.dims > kTensorSliceMaxRank) {
    throw new InvalidArgumentError(
      `Only tensors of rank up to ${kTensorSliceMaxRank} are supported, got rank ${shape.dims}: shape = ${shape.debugString()}`,
    );
  }
  const commonSlice = srcSlice.intersect(dstSlice);
  if (commonSlice === null || !sliceFits(srcSlice, shape) || !sliceFits(dstSlice, shape)) return false;
  const common = side(commonSlice, shape);
  const from = side(srcSlice, shape);
  const to = side(dstSlice, shape);
  const srcKind = arrayKind(source);
  const dstKind = arrayKind(target);
  if (arraySlots !== 1 && arraySlots !== 2) throw argumentError("1 or 2 array slots", arraySlots);
  if ((srcKind === "Array") !== (dstKind === "Array")) {
    throw new InvalidArgumentError(`Expected two plain or two typed arrays, got ${srcKind} and ${dstKind}`);
  }
  checkLength("source", lengthOf(source), from, arraySlots);
  checkLength("target", lengthOf(target), to, arraySlots);
  if (common.shape.numElements === 0) return true;
  const src = srcKind === "Array" ? source : plainTypedArray(source as TypedArray);
  const dst = dstKind === "Array" ? target : plainTypedArray(target as TypedArray);
  // Raw 8-byte elements are copied as two 4-byte slots, and the plan counts these slots.
  const halves = srcKind === dstKind && srcKind !== "Array" && (src as TypedArray).BYTES_PER_ELEMENT === 8 ? 2 : 1;
  const slots = arraySlots * halves;
  const plan = planCopy(common, from, to, slots);
  if (srcKind === "Array") copyValues(plan, src as readonly unknown[], dst as unknown[]);
  else if (srcKind === dstKind) copyBits(plan, src as TypedArray, dst as TypedArray, slots);
  else copyWithCast(plan, src as TypedArray, dst as TypedArray, arraySlots);
  return true;
}

function side(slice: TensorSlice, shape: TensorShape): CopySide {
  return { slice, shape: slice.sliceTensorShape(shape) };
}

function copyValues({ srcAt, dstAt, axes }: CopyPlan, src: readonly unknown[], dst: unknown[]): void {
  const safe = src === dst ? src.slice() : src;
  forEachRun(srcAt, dstAt, axes, (from, to, { size, source, target }) => {
    for (let i = 0; i < size; i++) dst[to + i * target] = safe[from + i * source];
  });
}

function copyBits({ srcAt, dstAt, axes }: CopyPlan, src: TypedArray, dst: TypedArray, slots: number): void {
  const from = shareMemory(src, dst) ? slotsOf(src).slice() : slotsOf(src);
  copyStrided(from, srcAt, slotsOf(dst), dstAt, axes, slots);
}

/** The array's bytes as slots of up to 4 bytes. */
function slotsOf({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT }: TypedArray): BitSlots {
  return bitSlots(buffer, Math.min(4, BYTES_PER_ELEMENT) as 1 | 2 | 4, byteOffset, byteLength);
}

function copyWithCast({ srcAt, dstAt, axes }: CopyPlan, src: TypedArray, dst: TypedArray, slots: number): void {
  const from = shareMemory(src, dst) ? Array.from<number | bigint>(src) : src;
  // The slots of an element are an additional innermost axis.
  const dimensions = [{ size: slots, source: 1, target: 1 }, ...axes];
  forEachRun(srcAt, dstAt, dimensions, (at, to, run) => castRun(from, at, dst, to, run));
}

/** Returns true if the arrays' bytes overlap, so that writing one row could change a row that is read later. */
function shareMemory(a: TypedArray, b: TypedArray): boolean {
  return a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;
}

/** Returns the class name of an array of any realm: "Array", "Float32Array", … Throws INVALID_ARGUMENT for anything else. */
function arrayKind(array: unknown): string {
  const kind = isArray(array) ? "Array" : typedArrayKind(array);
  if (kind !== "") return kind;
  throw argumentError("a typed array or a plain array", array);
}

/** Returns the length of a plain array or the true length of a typed array. */
function lengthOf(array: TypedArray | readonly unknown[]): number {
  return isArray(array) ? array.length : typedArrayLength(array);
}

/** Throws INVALID_ARGUMENT if an array is too short for its slice. A longer array is allowed, as in C++, which does not know its length. */
function checkLength(what: string, length: number, { slice, shape }: CopySide, arraySlots: number): void {
  const needed = shape.numElements * arraySlots;
  if (length < needed) {
    throw new InvalidArgumentError(`The ${what} array has ${length} slots, but slice ${slice.debugString()} takes ${needed}`);
  }
}

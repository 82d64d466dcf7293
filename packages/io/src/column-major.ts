/**
 * From column-major to row-major: the copy that a Fortran-ordered .npy file needs.
 *
 *     [2,3] row-major     a b c d e f        column-major   a d b e c f
 *
 * In the source a step of a dimension is as long as all dimensions before it, in the target as long as all after it. With those steps
 * this is an ordinary strided copy.
 */
import type { BitSlots, CopyAxis } from "@onebuffer/eigen/internal";
import { bitSlots, copyStrided, slotBytesFor } from "@onebuffer/eigen/internal";

/** Whether both orders lay the bytes out alike: fewer than two dimensions above 1, or nothing to lay out. */
export function isSameInBothOrders(shape: readonly number[]): boolean {
  return shape.includes(0) || shape.filter((size) => size !== 1).length < 2;
}

/**
 * Copies the elements of `source`, column-major, into `target`, row-major. Both are as long as the shape demands.
 *
 * @param itemSize bytes per element: 1, 2, 4, 8 or 16.
 */
export function copyColumnMajor(
  source: Uint8Array<ArrayBufferLike>,
  target: Uint8Array<ArrayBufferLike>,
  shape: readonly number[],
  itemSize: number,
): void {
  if (isSameInBothOrders(shape)) {
    target.set(source);
    return;
  }
  const slotBytes = slotBytesFor(source.byteOffset, target.byteOffset, itemSize);
  const slots = itemSize / slotBytes;
  const axes: CopyAxis[] = [];
  let columnMajor = slots;
  let rowMajor = source.byteLength / slotBytes;
  for (const size of shape) {
    rowMajor /= size;
    axes.push({ size, source: columnMajor, target: rowMajor });
    columnMajor *= size;
  }
  copyStrided(slotsOf(source, slotBytes), 0, slotsOf(target, slotBytes), 0, axes, slots);
}

const slotsOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBufferLike>, slotBytes: 1 | 2 | 4): BitSlots =>
  bitSlots(buffer, slotBytes, byteOffset, byteLength);

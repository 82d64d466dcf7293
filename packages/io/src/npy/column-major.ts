/**
 * Copies column-major elements to row-major order, for Fortran-ordered .npy files.
 *
 *     [2,3] row-major     a b c d e f        column-major   a d b e c f
 *
 * In the source the stride of a dimension is the product of the sizes before it, in the target the product of the sizes after it. With
 * these strides the copy is an ordinary strided copy.
 */
import type { BitSlots, CopyAxis } from "@onebuffer/storage/internal";
import { bitSlots, copyStrided, slotBytesFor } from "@onebuffer/storage/internal";

/** Returns true if both orders give the same bytes: fewer than two dimensions above 1, or no elements. */
export function isSameInBothOrders(shape: readonly number[]): boolean {
  return shape.includes(0) || shape.filter((size) => size !== 1).length < 2;
}

/**
 * Copies the elements of `source`, column-major, to `target`, row-major. Both must have exactly the bytes of the shape.
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

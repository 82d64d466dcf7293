/**
 * From column-major to row-major: the copy that a Fortran-ordered .npy file needs.
 *
 *     [2,3] row-major     a b c d e f        column-major   a d b e c f
 *
 * Reversing the order of all dimensions leaves, for each choice of the middle ones, a transposition of the first
 * against the last: the first runs fastest in the source, the last in the target. That plane is copied in square tiles,
 * so that neither side jumps through memory for a whole row. Dimensions of size 1 move nothing and are dropped.
 */

/** Edge of a tile in elements: two tiles of 16-byte elements stay within 32 KiB of first-level cache. */
const TILE = 32;

type Units = Uint8Array<ArrayBufferLike> | Uint16Array<ArrayBufferLike> | Uint32Array<ArrayBufferLike>;

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
  // The widest unit both sides are aligned for; an element is one or more of them.
  const misaligned = source.byteOffset | target.byteOffset | itemSize;
  const unit = misaligned % 4 === 0 ? 4 : misaligned % 2 === 0 ? 2 : 1;
  copyPlanes(
    unitsOf(source, unit),
    unitsOf(target, unit),
    shape.filter((size) => size !== 1),
    itemSize / unit,
  );
}

function unitsOf(bytes: Uint8Array<ArrayBufferLike>, unit: 1 | 2 | 4): Units {
  const { buffer, byteOffset, byteLength } = bytes;
  if (unit === 4) return new Uint32Array(buffer, byteOffset, byteLength / 4);
  return unit === 2 ? new Uint16Array(buffer, byteOffset, byteLength / 2) : bytes;
}

/** Walks the middle dimensions in row-major order and copies one plane for each choice of them. */
function copyPlanes(source: Units, target: Units, dims: readonly number[], perItem: number): void {
  const first = dims[0] ?? 1;
  const last = dims.at(-1) ?? 1;
  const middle = dims.slice(1, -1);
  let count = 1;
  const strides = middle.map((size) => {
    const stride = count;
    count *= size;
    return stride;
  });
  const index = middle.map(() => 0);
  const plane: Plane = { first, last, sourceStride: first * count, targetStride: last * count };
  let columnMajor = 0;
  for (let rowMajor = 0; rowMajor < count; rowMajor++) {
    const from = first * columnMajor;
    const to = last * rowMajor;
    if (perItem === 1) transpose(source, target, from, to, plane);
    else transposeWide(source, target, from, to, plane, perItem);
    for (let d = middle.length - 1; d >= 0; d--) {
      const size = middle[d] ?? 1;
      const stride = strides[d] ?? 1;
      const next = (index[d] ?? 0) + 1;
      columnMajor += stride;
      if (next < size) {
        index[d] = next;
        break;
      }
      index[d] = 0;
      columnMajor -= size * stride;
    }
  }
}

/** Sizes of the first and last dimension; how far apart a step of the last lies in the source, of the first in the target. */
interface Plane {
  readonly first: number;
  readonly last: number;
  readonly sourceStride: number;
  readonly targetStride: number;
}

/** One plane of one-unit elements. The offsets lie within the arrays, so the reads are never undefined. */
function transpose(source: Units, target: Units, from: number, to: number, { first, last, sourceStride, targetStride }: Plane): void {
  for (let i0 = 0; i0 < first; i0 += TILE) {
    const i1 = Math.min(i0 + TILE, first);
    for (let j0 = 0; j0 < last; j0 += TILE) {
      const j1 = Math.min(j0 + TILE, last);
      for (let i = i0; i < i1; i++) {
        let read = from + i + j0 * sourceStride;
        const row = to + i * targetStride;
        for (let j = j0; j < j1; j++) {
          target[row + j] = source[read] as number;
          read += sourceStride;
        }
      }
    }
  }
}

/** One plane of elements of several units. */
function transposeWide(
  source: Units,
  target: Units,
  from: number,
  to: number,
  { first, last, sourceStride, targetStride }: Plane,
  perItem: number,
): void {
  for (let i0 = 0; i0 < first; i0 += TILE) {
    const i1 = Math.min(i0 + TILE, first);
    for (let j0 = 0; j0 < last; j0 += TILE) {
      const j1 = Math.min(j0 + TILE, last);
      for (let i = i0; i < i1; i++) {
        let read = (from + i + j0 * sourceStride) * perItem;
        let write = (to + i * targetStride + j0) * perItem;
        for (let j = j0; j < j1; j++) {
          for (let k = 0; k < perItem; k++) target[write + k] = source[read + k] as number;
          read += sourceStride * perItem;
          write += perItem;
        }
      }
    }
  }
}

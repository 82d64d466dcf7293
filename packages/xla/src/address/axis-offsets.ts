/**
 * Tables of the offset that one dimension contributes to the cell. They spare tiled layouts a division per element.
 *
 *     f32[3,5]{1,0:T(2,2)}     dimension 1: 0 1 4 5 8      dimension 0: 0 2 12      (2,3) is in cell 12 + 5 = 17
 *
 * The offsets of a long dimension repeat after one period of its tiles, each time `step` cells further on.
 */
import type { Addressing } from "./addressing.ts";

/** The length of the longest table. */
export const kMaxTableLength: number = 2 ** 16;

/** The offsets of one dimension. Exists only if the cell is a sum of one term per dimension. */
export class AxisOffsets {
  /** The offsets of the first indices: of the whole dimension, or of one period. */
  readonly table: Float64Array<ArrayBuffer>;
  /** The number of cells added after every `table.length` indices. */
  readonly step: number;

  private constructor(table: Float64Array<ArrayBuffer>, step: number) {
    this.table = table;
    this.step = step;
  }

  /** Returns the offsets of logical dimension `d`; null if tiles combine it with another, or if its period exceeds kMaxTableLength. */
  static of(addressing: Addressing, d: number): AxisOffsets | null {
    const { strides, tiling, dimensions, minorToMajor } = addressing;
    if (strides !== null) return new AxisOffsets(new Float64Array(1), strides[d]!);
    if (tiling === null || !tiling.isSeparable) return null;
    const size = dimensions[d]!;
    const period = tiling.period(dimensions.length - 1 - minorToMajor.indexOf(d));
    const length = size <= kMaxTableLength ? Math.max(size, 1) : period;
    if (length > kMaxTableLength) return null;
    const index = new Array<number>(dimensions.length).fill(0);
    const offset = (i: number): number => {
      index[d] = i;
      return addressing.cellOf(index);
    };
    return new AxisOffsets(
      Float64Array.from({ length }, (_, i) => offset(i)),
      length < size ? offset(length) : 0,
    );
  }

  /** Returns the offset of an index of the dimension. */
  at(i: number): number {
    const { length } = this.table;
    if (i < length) return this.table[i]!;
    const times = Math.floor(i / length);
    return this.table[i - times * length]! + times * this.step;
  }
}

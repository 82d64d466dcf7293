/**
 * What one dimension adds to the cell, as a table: tiled layouts without a division per element.
 *
 *     f32[3,5]{1,0:T(2,2)}     dimension 1: 0 1 4 5 8      dimension 0: 0 2 12      (2,3) is 12 + 5 = 17
 *
 * Long dimensions repeat themselves after one period of their tiles, each time `step` cells further.
 */
import type { Addressing } from "./addressing.ts";

/** The longest table made. */
export const kLongestTable: number = 2 ** 16;

/** Offsets of one dimension of an addressing whose cells are sums over the dimensions. */
export class AxisOffsets {
  /** The offsets of the first indices. */
  readonly table: Float64Array<ArrayBuffer>;
  /** How much further every `table.length` indices lie. */
  readonly step: number;

  private constructor(table: Float64Array<ArrayBuffer>, step: number) {
    this.table = table;
    this.step = step;
  }

  /** The offsets of logical dimension `d`; null where tiles combine it with another, or its period is too long. */
  static of(addressing: Addressing, d: number): AxisOffsets | null {
    const { strides, tiling, dimensions, minorToMajor } = addressing;
    if (strides !== null) return new AxisOffsets(new Float64Array(1), strides[d]!);
    if (tiling === null || !tiling.isSeparable) return null;
    const size = dimensions[d]!;
    const period = tiling.period(dimensions.length - 1 - minorToMajor.indexOf(d));
    const length = size <= kLongestTable ? Math.max(size, 1) : period;
    if (length > kLongestTable) return null;
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

  /** The offset of an index of the dimension. */
  at(i: number): number {
    const { length } = this.table;
    if (i < length) return this.table[i]!;
    const times = Math.floor(i / length);
    return this.table[i - times * length]! + times * this.step;
  }
}

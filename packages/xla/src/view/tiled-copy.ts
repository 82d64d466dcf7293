/**
 * The loops of `relayout` for arrays of which at least one is tiled, and therefore has no strides.
 *
 * The array is visited in boxes of one tile, and both the boxes and the cells of a box in the target's order, so that one
 * tile is finished before the next begins. The offset that a dimension contributes to the cell comes from a table
 * (AxisOffsets). If a tile combines dimensions there are no tables, and every cell is computed.
 */
import type { Addressing } from "../address/addressing.ts";
import { AxisOffsets } from "../address/axis-offsets.ts";

/** Moves one element from a cell of the source to a cell of the target. */
export type MoveCell = (from: number, to: number) => void;

/** A dimension of size other than 1: its size, the size of its boxes, and its offsets in source and target. */
interface BoxAxis {
  readonly size: number;
  readonly box: number;
  readonly source: AxisOffsets;
  readonly target: AxisOffsets;
}

/** Calls `move` for every element. `tile`, with its entries from major to minor, gives the size of the boxes. */
export function forEachCellPair(source: Addressing, target: Addressing, tile: readonly number[], move: MoveCell): void {
  const axes: BoxAxis[] = [];
  for (const [k, d] of target.minorToMajor.entries()) {
    const [from, to] = [AxisOffsets.of(source, d), AxisOffsets.of(target, d)];
    if (from === null || to === null) return forEachIndexPair(source, target, move);
    const size = target.dimensions[d]!;
    const entry = tile.at(-1 - k) ?? (k === 0 ? size : 1);
    if (size !== 1) axes.push({ size, box: entry > 0 ? entry : 1, source: from, target: to });
  }
  const starts = new Array<number>(axes.length).fill(0);
  const walkBox = (k: number, from: number, to: number): void => {
    if (k < 0) return move(from, to);
    const { size, box, source: s, target: t } = axes[k]!;
    const end = Math.min(starts[k]! + box, size);
    for (let i = starts[k]!; i < end; i++) walkBox(k - 1, from + s.at(i), to + t.at(i));
  };
  const walkBoxes = (k: number): void => {
    if (k < 0) return walkBox(axes.length - 1, 0, 0);
    const { size, box } = axes[k]!;
    for (let start = 0; start < size; start += box) {
      starts[k] = start;
      walkBoxes(k - 1);
    }
  };
  walkBoxes(axes.length - 1);
}

/** Calls `move` for every element in the target's order, computing each cell. */
function forEachIndexPair(source: Addressing, target: Addressing, move: MoveCell): void {
  const { dimensions, minorToMajor } = target;
  const index = new Array<number>(dimensions.length).fill(0);
  for (let n = 0; n < target.elements; n++) {
    move(source.cellOf(index), target.cellOf(index));
    for (const d of minorToMajor) {
      index[d]! += 1;
      if (index[d]! < dimensions[d]!) break;
      index[d] = 0;
    }
  }
}

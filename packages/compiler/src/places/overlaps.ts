/**
 * overlaps: finds which of many places share bytes, by sorting their ranges of bytes instead of comparing all with all.
 *
 *     targets   w1 0 .. 64    w2 64 .. 128        leaves   x 256 .. 512    w2 64 .. 128        w2 shares bytes with leaf 1
 */
import { byteRange, mayOverlap } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";

interface Range {
  readonly places: RawPlaces;
  readonly low: number;
  readonly end: number;
  /** The index among the targets or among the leaves. */
  readonly index: number;
  readonly isLeaf: boolean;
}

/** Returns for each target the indices of the leaves that may share bytes with it (`mayOverlap`), in ascending order. */
export function overlapping(targets: readonly RawPlaces[], leaves: readonly RawPlaces[]): readonly (readonly number[])[] {
  const found = targets.map((): number[] => []);
  const ranges = [...rangesOf(targets, false), ...rangesOf(leaves, true)].sort((a, b) => a.low - b.low);
  // The ranges that do not end before the current one begins: targets, and leaves.
  const open: [Range[], Range[]] = [[], []];
  for (const range of ranges) {
    const k = range.isLeaf ? 0 : 1;
    open[k] = open[k].filter(({ end }) => end > range.low);
    for (const other of open[k]) {
      const [target, leaf] = range.isLeaf ? [other, range] : [range, other];
      if (mayOverlap(leaf.places, target.places)) found[target.index]!.push(leaf.index);
    }
    open[1 - k]!.push(range);
  }
  return found.map((each) => each.sort((a, b) => a - b));
}

/** Returns the groups of targets that are connected by bytes in common, without targets that are alone. Each is in ascending order. */
export function overlappingTargets(targets: readonly RawPlaces[]): readonly (readonly number[])[] {
  const groups = connected(rangesOf(targets, false)).filter(({ length }) => length > 1);
  return groups.map((group) => group.map(({ index }) => index).sort((a, b) => a - b));
}

/** Returns ranges of bytes by address, those together that are connected by bytes in common. */
export function connected<R extends Pick<Range, "low" | "end">>(ranges: readonly R[]): R[][] {
  const groups: R[][] = [];
  let end = -Infinity;
  for (const range of ranges.toSorted((a, b) => a.low - b.low)) {
    if (range.low < end) groups.at(-1)!.push(range);
    else groups.push([range]);
    end = Math.max(end, range.end);
  }
  return groups;
}

/** Returns the ranges of bytes of places. Memory of another SharedArrayBuffer object may be anywhere (see mayOverlap). */
function rangesOf(all: readonly RawPlaces[], isLeaf: boolean): Range[] {
  return all.map((places, index) => {
    const [low, end] = byteRange(places);
    return { places, low, end, index, isLeaf };
  });
}

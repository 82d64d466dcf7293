// Parts of lists, so that tests of many dtypes try all entries of a list between them.
import { isLong } from "@onebuffer/test-support";

/** Returns one entry of a list, the one whose turn it is; the whole list in `npm run long`. */
export const byTurns = <T>(list: readonly T[], turn: number): readonly T[] => (isLong ? list : [list[turn % list.length] as T]);

/** Returns every second entry of a list, by turns the even or the odd ones; the whole list in `npm run long`. */
export const byHalves = <T>(list: readonly T[], turn: number): readonly T[] => list.filter((_, k) => isLong || (k + turn) % 2 === 0);

/** Returns every third entry of a list, by turns others; the whole list in `npm run long`. */
export const byThirds = <T>(list: readonly T[], turn: number): readonly T[] => list.filter((_, k) => isLong || (k + turn) % 3 === 0);

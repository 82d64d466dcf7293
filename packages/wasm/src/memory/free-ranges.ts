/**
 * FreeRanges: the set of address ranges that were released, sorted by address. An operating system keeps such a list for mmap.
 *
 *     starts   [   65536,  8388608 ]
 *     ends     [ 2162688, 16777216 ]      sorted; adjacent ranges are merged when they are added
 *
 * There are at most as many ranges as an allocator has regions, which is a handful, so plain arrays are fast enough. This file only
 * computes with integers and does not access memory.
 */

/** A set of disjoint half-open ranges of integers. */
export class FreeRanges {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /**
   * Removes the lowest `length` consecutive integers that start at a multiple of `alignment`, and returns the first. Returns -1 if there
   * are none.
   */
  take(length: number, alignment: number): number {
    for (let i = 0; i < this.#starts.length; i++) {
      const start = this.#starts[i]!;
      const end = this.#ends[i]!;
      const aligned = Math.ceil(start / alignment) * alignment;
      if (aligned + length > end) continue;
      this.#starts.splice(i, 1);
      this.#ends.splice(i, 1);
      this.add(aligned + length, end);
      this.add(start, aligned);
      return aligned;
    }
    return -1;
  }

  /**
   * Adds the range from `start` to `end`, and returns true. Returns false and changes nothing if a part of it is in the set already. An
   * empty range changes nothing.
   */
  add(start: number, end: number): boolean {
    if (start >= end) return true;
    const starts = this.#starts;
    const ends = this.#ends;
    let at = 0;
    while (at < starts.length && starts[at]! < start) at++;
    if ((at > 0 && ends[at - 1]! > start) || (at < starts.length && starts[at]! < end)) return false;
    const joinsLeft = at > 0 && ends[at - 1] === start;
    const joinsRight = at < starts.length && starts[at] === end;
    if (joinsLeft && joinsRight) {
      ends[at - 1] = ends[at]!;
      starts.splice(at, 1);
      ends.splice(at, 1);
    } else if (joinsLeft) ends[at - 1] = end;
    else if (joinsRight) starts[at] = start;
    else {
      starts.splice(at, 0, start);
      ends.splice(at, 0, end);
    }
    return true;
  }

  /** If the highest range ends at `end`, removes it and returns its start; otherwise returns `end`. */
  takeTail(end: number): number {
    if (this.#ends.at(-1) !== end) return end;
    this.#ends.pop();
    return this.#starts.pop()!;
  }

  /** The sum of the lengths of all ranges. */
  get total(): number {
    return this.#ends.reduce((sum, end, i) => sum + end - this.#starts[i]!, 0);
  }
}

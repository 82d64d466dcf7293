/**
 * FreeRanges: pieces of an address space that were given back, lowest first (what an operating system keeps behind mmap).
 *
 *     starts   [   65536,  8388608 ]
 *     ends     [ 2162688, 16777216 ]      sorted, apart from each other: neighbours are merged at once
 *
 * There are as many as an allocator has regions, a handful; plain arrays do. Nothing here knows about memory.
 */

/** A set of disjoint half-open ranges of integers. */
export class FreeRanges {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];

  /** The lowest `length` integers in a row that start at a multiple of `alignment`, taken out; -1 when there are none. */
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

  /** Puts `start` to `end` in; an empty range changes nothing. False, and nothing changes, when part of it is in already. */
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

  /** Takes the highest range out if it reaches to `end`, and answers where it starts; otherwise `end`. */
  takeTail(end: number): number {
    if (this.#ends.at(-1) !== end) return end;
    this.#ends.pop();
    return this.#starts.pop()!;
  }

  /** The sum of the lengths. */
  get total(): number {
    return this.#ends.reduce((sum, end, i) => sum + end - this.#starts[i]!, 0);
  }
}

/**
 * SlotList: which bytes of a segment of shared memory are free. First fit; neighbors are joined when a slot is freed.
 */

/** The alignment of slots: PJRT uses memory of CPU devices in place only if it is aligned so. */
export const kSlotAlignment = 64;

/** Returns a number of bytes rounded up to the alignment, at least one unit. */
export function slotBytes(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / kSlotAlignment)) * kSlotAlignment;
}

/** The free ranges of a segment. */
export class SlotList {
  readonly bytes: number;
  /** Begin and end of each free range, ascending. */
  #free: [begin: number, end: number][];

  /** `bytes` is a multiple of the alignment. */
  constructor(bytes: number) {
    this.bytes = bytes;
    this.#free = [[0, bytes]];
  }

  /** True if no slot is taken. */
  get isEmpty(): boolean {
    const [first] = this.#free;
    return first !== undefined && first[0] === 0 && first[1] === this.bytes;
  }

  /** Takes the first range of `slotBytes(bytes)` bytes and returns its offset, or -1 if there is none. */
  take(bytes: number): number {
    const needed = slotBytes(bytes);
    const k = this.#free.findIndex(([begin, end]) => end - begin >= needed);
    if (k < 0) return -1;
    const range = this.#free[k] as [number, number];
    const offset = range[0];
    range[0] += needed;
    if (range[0] === range[1]) this.#free.splice(k, 1);
    return offset;
  }

  /** Gives back what `take(bytes)` returned. */
  give(offset: number, bytes: number): void {
    const end = offset + slotBytes(bytes);
    let k = this.#free.findIndex(([begin]) => begin > offset);
    if (k < 0) k = this.#free.length;
    const before = this.#free[k - 1];
    const after = this.#free[k];
    const joinsBefore = before !== undefined && before[1] === offset;
    const joinsAfter = after !== undefined && after[0] === end;
    if (joinsBefore && joinsAfter) {
      before[1] = after[1];
      this.#free.splice(k, 1);
    } else if (joinsBefore) before[1] = end;
    else if (joinsAfter) after[0] = offset;
    else this.#free.splice(k, 0, [offset, end]);
  }
}

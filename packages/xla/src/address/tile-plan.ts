/**
 * TilePlan: maps an element of a tiled layout to its cell and back. All tiles are applied, one after the other, combined
 * dimensions included (docs/tiled_layout.md of openxla/xla).
 *
 * The coordinates of an element, one per physical dimension from major to minor, are rewritten step by step. A tile
 * (t1, .., tk) splits the last k coordinates; `*` first merges a coordinate with the next more minor one:
 *
 *     f32[3,5]{1,0:T(2,2)}, element (2,3)
 *     coordinates   2 3          sizes 3 5
 *     split by 2,2  1 1 . 0 1    sizes 2 3 . 2 2        quotients first, then remainders
 *     cell          ((1 * 3 + 1) * 2 + 0) * 2 + 1 = 17  of 24
 *
 * Every step can be reversed, so a cell gives its element, or proves to be padding. This file knows physical dimensions
 * only; Addressing handles the order of the logical ones.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Level } from "./mixed-radix-cells.ts";
import { shownList } from "../type/shown-list.ts";
import { sizeProduct } from "../type/size-product.ts";
import { kCombineDimension } from "../model/tile.ts";

/** A step that divides coordinate `from` by `by` into `quotient` and `remainder`. */
interface Split {
  readonly kind: "split";
  readonly from: number;
  readonly by: number;
  readonly quotient: number;
  readonly remainder: number;
}

/** A step that merges coordinates `major` and `minor` into one. */
interface Merge {
  readonly kind: "merge";
  readonly major: number;
  readonly minor: number;
  readonly into: number;
}

type Step = Split | Merge;

/** The largest number of coordinates. Without this limit, malicious layout text could double them with every tile. */
const kMaxCoordinates = 256;

/** The mapping between the elements of an array and the cells of its tiled buffer. */
export class TilePlan {
  /** The number of cells of the buffer: the elements, and the padding that rounds up to whole tiles. */
  readonly cells: number;

  /** True if the cell is a sum of one term per dimension; false if a tile combines two dimensions. */
  readonly isSeparable: boolean;

  readonly #rank: number;
  readonly #steps: Step[] = [];
  /** The number of values of each coordinate, including intermediate ones. The first `#rank` are the physical dimensions. */
  readonly #sizes: number[];
  /** The coordinates that form the cell, major to minor; `#strides` are their strides in cells. */
  readonly #final: readonly number[];
  readonly #strides: readonly number[];
  /** Per coordinate, an upper bound: its values are below it. A coordinate of reach 1 is always 0, whatever its size. */
  readonly #reaches: number[];
  /** Per coordinate, the physical dimension it depends on; -1 if it depends on none, NaN if on several. */
  readonly #owners: number[];
  /** Per coordinate, by how much its physical dimension grows when it grows by 1; NaN if that is not a constant. */
  readonly #units: number[];
  /** Per physical dimension, the product of all its divisors. */
  readonly #periods: number[];
  readonly #scratch: Float64Array<ArrayBuffer>;

  /**
   * `sizes` are the sizes of the physical dimensions, major to minor; each tile lists its entries major to minor.
   *
   * Throws INVALID_ARGUMENT for a tile that is empty, has an entry that is neither positive nor kCombineDimension, or ends
   * in kCombineDimension; for more than 256 coordinates; and for more than 2^53 - 1 cells.
   */
  constructor(sizes: readonly number[], tiles: readonly (readonly number[])[]) {
    this.#rank = sizes.length;
    this.#sizes = sizes.slice();
    this.#reaches = sizes.slice();
    this.#owners = sizes.map((_, p) => p);
    this.#units = sizes.map(() => 1);
    this.#periods = sizes.map(() => 1);
    let current = sizes.map((_, p) => p);
    for (const tile of tiles) current = this.#tile(current, tile);
    this.#final = current;
    this.cells = sizeProduct(current.map((c) => this.#sizes[c]!));
    this.#strides = rowMajorStrides(current.map((c) => this.#sizes[c]!));
    this.isSeparable = current.every((c) => !Number.isNaN(this.#owners[c]!));
    this.#scratch = new Float64Array(this.#sizes.length);
  }

  /** Returns the cell of the element at these physical coordinates, major to minor. Nothing is checked. */
  cellOf(physical: ArrayLike<number>): number {
    const at = this.#scratch.fill(0);
    for (let p = 0; p < this.#rank; p++) at[p] = physical[p]!;
    for (const step of this.#steps) {
      if (step.kind === "merge") {
        at[step.into] = at[step.major]! * this.#sizes[step.minor]! + at[step.minor]!;
      } else {
        const quotient = Math.floor(at[step.from]! / step.by);
        at[step.quotient] = quotient;
        at[step.remainder] = at[step.from]! - quotient * step.by;
      }
    }
    let cell = 0;
    for (let i = 0; i < this.#final.length; i++) cell += at[this.#final[i]!]! * this.#strides[i]!;
    return cell;
  }

  /** Returns the physical coordinates of the element in a cell of 0..cells-1, or null if the cell is padding. Copies: a new list. */
  coordinatesOf(cell: number): number[] | null {
    const at = new Float64Array(this.#sizes.length);
    for (let i = this.#final.length - 1, remaining = cell; i >= 0; i--) {
      const size = this.#sizes[this.#final[i]!]!;
      at[this.#final[i]!] = remaining % size;
      remaining = Math.floor(remaining / size);
    }
    for (let s = this.#steps.length - 1; s >= 0; s--) {
      const step = this.#steps[s]!;
      if (step.kind === "merge") {
        const size = this.#sizes[step.minor]!;
        at[step.minor] = at[step.into]! % size;
        at[step.major] = Math.floor(at[step.into]! / size);
      } else {
        at[step.from] = at[step.quotient]! * step.by + at[step.remainder]!;
        if (at[step.from]! >= this.#sizes[step.from]!) return null;
      }
    }
    return Array.from(at.subarray(0, this.#rank));
  }

  /**
   * Returns a period of physical dimension `p`: when the coordinate grows by it, the cell grows by a constant. It is the
   * product of all divisors of the dimension; Infinity if that is not a safe integer.
   */
  period(p: number): number {
    const period = this.#periods[p]!;
    return period <= Number.MAX_SAFE_INTEGER ? period : Infinity;
  }

  /**
   * Returns the terms that physical dimension `p` contributes to the cell (see mixed-radix-cells.ts), minor to major; null
   * if tiles combine dimensions.
   */
  levels(p: number): Level[] | null {
    if (!this.isSeparable) return null;
    const levels: Level[] = [];
    for (let i = 0; i < this.#final.length; i++) {
      const c = this.#final[i]!;
      if (this.#owners[c] !== p || this.#reaches[c]! <= 1) continue;
      if (Number.isNaN(this.#units[c]!)) return null;
      levels.push({ unit: this.#units[c]!, stride: this.#strides[i]! });
    }
    return levels.sort((a, b) => a.unit - b.unit);
  }

  #coordinate(size: number, reach: number, owner: number, unit: number): number {
    if (this.#sizes.length === kMaxCoordinates)
      throw new InvalidArgumentError(`The layout's tiles make more than ${kMaxCoordinates} coordinates`);
    this.#sizes.push(size);
    this.#reaches.push(reach);
    this.#owners.push(owner);
    this.#units.push(unit);
    return this.#sizes.length - 1;
  }

  /** Applies one tile to the last of the coordinates `current`. Returns the coordinates that then describe an element. */
  #tile(current: readonly number[], tile: readonly number[]): number[] {
    checkTile(tile);
    const missing = Math.max(0, tile.length - current.length);
    const padded = [...Array.from({ length: missing }, () => this.#coordinate(1, 1, -1, 1)), ...current];
    const head = padded.slice(0, padded.length - tile.length);
    const tail = padded.slice(padded.length - tile.length);
    const quotients: number[] = [];
    const remainders: number[] = [];
    let carried = -1;
    tile.forEach((by, i) => {
      const from = carried < 0 ? tail[i]! : this.#merge(carried, tail[i]!);
      carried = by === kCombineDimension ? from : -1;
      if (by === kCombineDimension) return;
      const owner = this.#owners[from]!;
      if (owner >= 0) this.#periods[owner]! *= by;
      const unit = this.#units[from]!;
      const reach = this.#reaches[from]!;
      const quotient = this.#coordinate(Math.ceil(this.#sizes[from]! / by), Math.ceil(reach / by), owner, unit * by);
      const remainder = this.#coordinate(by, Math.min(by, reach), owner, unit);
      this.#steps.push({ kind: "split", from, by, quotient, remainder });
      quotients.push(quotient);
      remainders.push(remainder);
    });
    return [...head, ...quotients, ...remainders];
  }

  #merge(major: number, minor: number): number {
    const size = sizeProduct([this.#sizes[major]!, this.#sizes[minor]!]);
    const reach = Math.max(0, this.#reaches[major]! - 1) * this.#sizes[minor]! + this.#reaches[minor]!;
    // A coordinate that is always 0 adds no dependence. As the minor one it scales the other, unless its size is 1 too.
    const [majorIsZero, minorIsZero] = [this.#reaches[major]! <= 1, this.#reaches[minor]! <= 1];
    const [a, b] = [this.#owners[major]!, this.#owners[minor]!];
    const owner = majorIsZero || a === b ? b : minorIsZero ? a : Number.NaN;
    const unit = majorIsZero ? this.#units[minor]! : minorIsZero && this.#sizes[minor] === 1 ? this.#units[major]! : Number.NaN;
    const into = this.#coordinate(size, reach, owner, unit);
    this.#steps.push({ kind: "merge", major, minor, into });
    return into;
  }
}

function checkTile(tile: readonly number[]): void {
  const invalid =
    tile.length === 0 ||
    tile.at(-1) === kCombineDimension ||
    tile.some((entry) => entry !== kCombineDimension && !(Number.isSafeInteger(entry) && entry > 0));
  if (invalid)
    throw new InvalidArgumentError(
      `layout has invalid tiles: ${shownList(tile)} (entries are positive; a combined dimension, ${kCombineDimension}, is never the last)`,
    );
}

function rowMajorStrides(sizes: readonly number[]): number[] {
  const strides = sizes.slice();
  let stride = 1;
  for (let i = sizes.length - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= sizes[i]!;
  }
  return strides;
}

/**
 * Tile: the size of the blocks into which a layout divides the last physical dimensions (Tile in xla/layout.h).
 *
 *     T(2,2) over f32[3,5]     24 cells; element (2,3) is in cell 17; the cells beyond the right and bottom edge are padding
 *
 * Entries are listed from major to minor. An entry `*` merges its dimension with the next more minor one before the
 * division; its number is kCombineDimension. A Tile may be empty or hold zeros; the validators refuse both.
 */
import { sameSizes } from "@onebuffer/storage/internal";
import { argumentError, isArray } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkedIntegers } from "../type/integers.ts";

/**
 * The tile entry that is printed `*`.
 *
 * Quirk: XLA's documents say -1, but its code and messages use INT64_MIN. Here it is -1; messages are converted.
 *
 * @example
 * new Tile([kCombineDimension, 128]).toString(); // => "(*,128)"
 */
export const kCombineDimension = -1;

/**
 * One tile of a layout. Immutable.
 *
 * The constructor throws INVALID_ARGUMENT for entries that are not integers and for negative entries other than
 * kCombineDimension. Copies: the list.
 *
 * @example
 * new Tile([8, 128]).toString(); // => "(8,128)"
 * new Tile([-2]); // throws INVALID_ARGUMENT
 */
export class Tile {
  /** The entries, from major to minor. */
  readonly dimensions: readonly number[];

  constructor(dimensions: readonly number[]) {
    this.dimensions = checkedIntegers(dimensions, "a tile");
    const negative = this.dimensions.find((entry) => entry < 0 && entry !== kCombineDimension);
    if (negative !== undefined)
      throw new InvalidArgumentError(`Invalid dimension size ${negative} in a tile, only kCombineDimension (-1, '*') may be negative`);
  }

  /** Returns true if both tiles have the same entries. */
  equals(other: Tile): boolean {
    if (!isArray((other as Partial<Tile> | null | undefined)?.dimensions)) throw argumentError("a Tile", other);
    return sameSizes(this.dimensions, other.dimensions);
  }

  /** Returns the tile as layout text writes it: `(8,128)`, `(2,*,128)`. */
  toString(): string {
    return `(${this.dimensions.map((entry) => (entry === kCombineDimension ? "*" : String(entry))).join(",")})`;
  }
}

/**
 * Tests whether a tiled layout equals the plain one, and whether byte strides are those of a row-major array
 * (IsUntiledLayout and ByteStridesIsMajorToMinor in xla/layout_util.cc).
 *
 * For the first test a dimension is a list of digits, each of `size` values that are `stride` row-major elements apart. A
 * tile entry that divides a dimension splits its digits in two. The tiled order is the plain one exactly if the resulting
 * digits, read in the tiled order, have the strides of a row-major array.
 *
 *     [24,128] T(8,128)    [24 x 128, 128 x 1]  ->  [3 x 1024, 8 x 128, 128 x 1]              plain
 *     [16,256] T(8,128)    [16 x 256, 256 x 1]  ->  [2 x 2048, 2 x 128, 8 x 256, 128 x 1]     not plain: 256 should be 128
 */
import { sameSizes } from "@onebuffer/storage/internal";
import { checkArray, isArray } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers } from "../type/argument-check.ts";
import { checkedCount, checkedIntegers } from "../type/integers.ts";
import type { PrimitiveTypeLike } from "../type/primitive-type.ts";
import { toPrimitiveType } from "../type/primitive-type.ts";
import { byteWidth } from "../type/primitive-type-traits.ts";
import { shownText } from "../type/shown-list.ts";
import { sizeProduct } from "../type/size-product.ts";
import { kCombineDimension, Tile } from "../model/tile.ts";

/** A digit: `size` values that are `stride` row-major elements apart. */
interface Digit {
  readonly size: number;
  readonly stride: number;
}

/** The digits of one dimension, major first; empty for a dimension of size 1. */
type Digits = readonly Digit[];

/**
 * Returns true if an array of these physical sizes, major first, is stored in plain row-major order without padding
 * although it is tiled (IsUntiledLayout). An array without elements is. If a `*` merges dimensions that an earlier tile has
 * split, and a tile then cuts through a digit, the result is false without further analysis.
 *
 * Throws INVALID_ARGUMENT for invalid sizes, and for tiles that are empty, hold a zero or end in `*`.
 *
 * @example
 * LayoutUtil.isUntiledLayout([new Tile([8, 128])], [24, 128]); // => true
 * LayoutUtil.isUntiledLayout([new Tile([8, 128])], [16, 256]); // => false
 * LayoutUtil.isUntiledLayout([new Tile([8, 128])], [2, 3, 4]); // => false
 */
export function isUntiledLayout(tiles: readonly (Tile | readonly number[])[], dims: readonly number[]): boolean {
  checkNumbers(dims, "dims");
  const sizes = checkedIntegers(dims, "dims");
  checkArray(tiles, "an array of tiles");
  const checked = Array.from(tiles, (tile) =>
    isArray((tile as Partial<Tile> | null | undefined)?.dimensions) ? (tile as Tile) : new Tile(tile as readonly number[]),
  );
  for (const tile of checked) {
    if (tile.dimensions.length === 0 || tile.dimensions.includes(0) || tile.dimensions.at(-1) === kCombineDimension)
      throw new InvalidArgumentError(`layout has invalid tiles: ${shownText(tile.toString())}`);
  }
  if (sizeProduct(sizes) === 0) return true;
  let stride = 1;
  let digits: readonly Digits[] = sizes
    .toReversed()
    .map((size) => {
      const digit = { size, stride };
      stride *= size;
      return size === 1 ? [] : [digit];
    })
    .reverse();
  for (const tile of checked) {
    const split = splitByTile(digits, tile);
    if (split === null) return false;
    digits = split;
  }
  return isRowMajor(digits.flat());
}

/** Returns the dimensions after one tile, or null if the tile adds padding or cuts through a digit. */
function splitByTile(dims: readonly Digits[], tile: Tile): readonly Digits[] | null {
  const entries = tile.dimensions;
  const missing = Math.max(0, entries.length - dims.length);
  const all: readonly Digits[] = [...Array.from({ length: missing }, (): Digits => []), ...dims];
  const head = all.slice(0, all.length - entries.length);
  const outer: Digits[] = [];
  const inner: Digits[] = [];
  let merged: Digits = [];
  for (const [i, entry] of entries.entries()) {
    merged = merge(merged, all[head.length + i]!);
    if (entry === kCombineDimension) continue;
    const halves = splitDigits(merged, entry);
    if (halves === null) return null;
    outer.push(halves[0]);
    inner.push(halves[1]);
    merged = [];
  }
  return [...head, ...outer, ...inner];
}

/** Merges two neighboring dimensions. Digits that continue each other become one digit, so that a tile may split it anywhere. */
function merge(major: Digits, minor: Digits): Digits {
  const last = major.at(-1);
  const [first, ...rest] = minor;
  if (last === undefined || first === undefined || last.stride !== first.stride * first.size) return [...major, ...minor];
  return [...major.slice(0, -1), { size: last.size * first.size, stride: first.stride }, ...rest];
}

/** Splits a dimension into the digits above and below its last `entry` values, or returns null if `entry` cuts through a digit. */
function splitDigits(digits: Digits, entry: number): readonly [Digits, Digits] | null {
  const below: Digit[] = [];
  const above = [...digits];
  let remaining = entry;
  while (remaining > 1) {
    const last = above.pop();
    if (last === undefined) return null;
    if (remaining >= last.size) {
      if (remaining % last.size !== 0) return null;
      below.unshift(last);
      remaining /= last.size;
    } else {
      if (last.size % remaining !== 0) return null;
      below.unshift({ size: remaining, stride: last.stride });
      above.push({ size: last.size / remaining, stride: last.stride * remaining });
      remaining = 1;
    }
  }
  return [above, below];
}

/** Returns true if digits, major first, have the strides of a row-major array. */
function isRowMajor(digits: Digits): boolean {
  let stride = 1;
  for (const digit of digits.toReversed()) {
    if (digit.stride !== stride) return false;
    stride *= digit.size;
  }
  return true;
}

/**
 * Returns true if byte strides are those of a dense row-major array of these sizes and this type
 * (ByteStridesIsMajorToMinor).
 *
 * Throws INVALID_ARGUMENT for lists of different lengths, invalid sizes, and more than 2^53 - 1 bytes.
 *
 * @example
 * LayoutUtil.byteStridesIsMajorToMinor([12, 4], [2, 3], "f32"); // => true
 * LayoutUtil.byteStridesIsMajorToMinor([16, 4], [2, 3], "f32"); // => false
 */
export function byteStridesIsMajorToMinor(byteStrides: readonly number[], dims: readonly number[], type: PrimitiveTypeLike): boolean {
  checkNumbers(byteStrides, "byte strides");
  checkNumbers(dims, "dims");
  const strides = checkedIntegers(byteStrides, "byte strides");
  const sizes = checkedIntegers(dims, "dims");
  if (strides.length !== sizes.length) throw new InvalidArgumentError(`${strides.length} byte strides, but ${sizes.length} dimensions`);
  let stride = byteWidth(toPrimitiveType(type));
  const dense = sizes.toReversed().map((size) => {
    const current = stride;
    stride = checkedCount(stride * size, "a dense byte stride");
    return current;
  });
  return sameSizes(strides, dense.reverse());
}

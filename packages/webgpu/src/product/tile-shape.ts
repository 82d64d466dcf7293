/**
 * TileShape: how the result of a product is divided into tiles. The bits of the result do not depend on it.
 */

/** The sizes of a tile, and of what one invocation computes of it. */
export interface TileShape {
  /** Rows and columns of one invocation, both multiples of 4. */
  readonly rows: number;
  readonly columns: number;
  /** Invocations of a workgroup down and across a tile. */
  readonly down: number;
  readonly across: number;
  /** How many k are in workgroup memory at a time. */
  readonly step: number;
}

/** 8 x 8 numbers per invocation: on software adapters twice as fast as 4 x 4, because each number that is read is used more often. */
const kLarge: TileShape = { rows: 8, columns: 8, down: 8, across: 8, step: 16 };
/** For results with few tiles, which would leave most of a GPU idle. */
const kSmall: TileShape = { rows: 4, columns: 4, down: 8, across: 8, step: 16 };

/** Results with fewer large tiles are divided into small ones. */
const kFewTiles = 16;

/** Returns the number of tiles that cover a matrix. */
export function tilesOf({ rows, columns, down, across }: TileShape, height: number, width: number): readonly [number, number] {
  return [Math.ceil(height / (rows * down)), Math.ceil(width / (columns * across))];
}

/** Returns the shape of tiles for `count` products. */
export function tileShape(height: number, width: number, count: number): TileShape {
  const [rows, columns] = tilesOf(kLarge, height, width);
  return rows * columns * count < kFewTiles ? kSmall : kLarge;
}

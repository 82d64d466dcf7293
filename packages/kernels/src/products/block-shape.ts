/**
 * block-shape: the sizes of the blocks of a matrix product (Eigen's gebp_traits, and computeProductBlockingSizes).
 *
 *     B   | NR columns | NR columns | …      one panel of `depth` rows stays in the first-level cache
 *     A   | MR rows    | MR rows    | …      a block of kLeftBytes stays in the second-level cache
 *     C   MR x NR elements are computed in registers
 *
 * Engines that move the loads of a block of code to its top run out of registers if the loop over k is unrolled; the others are faster
 * with eight copies. Where a multiply-add is one instruction, it needs no register for the product, and six rows fit: twelve sums are
 * enough for two units with a latency of four cycles. docs/contributing/products.md has the figures.
 */
import type { DType } from "@onebuffer/base";
import { engine } from "@onebuffer/wasm/internal";
import { kernelDTypes } from "../lanes/lanes.ts";

/** The dtypes whose products are computed in blocks. Their lanes multiply and add in one width. */
export type ContractionDType = "float32" | "float64" | "int32" | "uint32" | "int64" | "uint64";

/** The sizes of one micro kernel. */
export interface BlockShape {
  readonly itemBytes: 4 | 8;
  /** Rows of A that are in registers. */
  readonly rows: number;
  /** Vectors of a row of B that are in registers. */
  readonly vectors: number;
  /** Columns of B that are in registers. */
  readonly columns: number;
  /** The copies of the loop over k. */
  readonly unroll: number;
}

/** How many rows of B, and so additions of one element, make one block: the patches of 3 x 3 places of 32 channels are one. */
export const kDepth: number = 288;
/** How many rows of A are packed at a time, in bytes of one block. */
export const kLeftBytes: number = 128 * 1024;
/**
 * Of a product with so few k, storing C takes longest. If the rows of C are a multiple of so many bytes apart, and so share few places of a
 * cache, few panels of A are multiplied at a time: the rows are written from end to end, and not one panel wide from top to bottom.
 */
export const kShallow: number = 32;
const kSharedPlaces = 1024;
const kShallowPanels = 2;
/** How many columns of B are packed at a time, in bytes of one block. */
export const kRightBytes: number = 512 * 1024;

/** The dtypes whose products are computed in another dtype. Unsigned integers multiply and add like signed ones. */
const kWidened: Readonly<Partial<Record<DType, ContractionDType>>> = {
  float16: "float32",
  bfloat16: "float32",
  int16: "int32",
  uint16: "uint32",
  int8: "int32",
  uint8: "uint32",
};

/** Returns the dtype in which products of a dtype are computed; null if they are not computed in blocks. */
export function contractionDType(dtype: DType): ContractionDType | null {
  const own = dtype !== "bool" && kernelDTypes.includes(dtype) ? (dtype as ContractionDType) : null;
  return kWidened[dtype] ?? own;
}

/** Returns the block shape of a dtype for this engine. */
export function blockShape(dtype: ContractionDType): BlockShape {
  const itemBytes = dtype === "float64" || dtype === "int64" || dtype === "uint64" ? 8 : 4;
  const { relaxed, unroll } = engine();
  const isSix = relaxed && unroll.product > 1 && dtype.startsWith("float");
  return { itemBytes, rows: isSix ? 6 : 4, vectors: 2, columns: 32 / itemBytes, unroll: unroll.product };
}

/** For each remainder of a division by 6, the number of rows that go into panels of four rows. The fewest rows are then computed in vain. */
const kInFours: readonly number[] = [0, 7, 8, 3, 4, 0];

/** Returns the numbers of rows that panels of A have: of most panels, and of the last ones if fewer rows are then computed in vain. */
export function panelHeights({ rows }: BlockShape): readonly number[] {
  return rows === 6 ? [6, 4] : [rows];
}

/** Returns how many of these rows are in panels of each height. Panels of the last height may be incomplete, those of 6 only if they are last. */
export function rowsByHeight({ rows }: BlockShape, count: number): readonly number[] {
  if (rows !== 6) return [count];
  const inFours = Math.min(count, kInFours[count % 6] as number);
  return [count - inFours, inFours];
}

/** Returns the number of elements of k in one block: `inner` divided evenly into blocks of at most kDepth. */
export function blockDepth(inner: number): number {
  return Math.ceil(inner / Math.ceil(inner / kDepth));
}

/** Returns the number of rows of A in one block, a multiple of the height of its panels. The rows of C are `rowStride` bytes apart. */
export function blockRows(itemBytes: number, height: number, depth: number, all: number, rowStride: number): number {
  const isShallow = depth <= kShallow && rowStride % kSharedPlaces === 0;
  const panels = isShallow ? kShallowPanels : Math.max(1, Math.floor(kLeftBytes / (depth * itemBytes * height)));
  const most = panels * height;
  return Math.min(most, Math.ceil(all / height) * height);
}

/** Returns the number of columns of B in one block, a multiple of the micro kernel's columns. */
export function blockColumns({ columns, itemBytes }: BlockShape, depth: number, all: number): number {
  const most = Math.max(1, Math.floor(kRightBytes / (depth * itemBytes * columns))) * columns;
  return Math.min(most, Math.ceil(all / columns) * columns);
}

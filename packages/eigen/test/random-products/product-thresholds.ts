// The numbers in the source at which a product takes another way, in one table: the random products have sizes on both sides of each.
import { blockShape, kDepth, kLeftBytes, kRightBytes, kShallow } from "@onebuffer/kernels/src/products/block-shape";
import { kDirectBytes, kDirectColumns } from "@onebuffer/kernels/src/products/contract";
import { kFewRows } from "@onebuffer/kernels/src/products/few-rows";
import { kFewLines, kLeastWork } from "@onebuffer/compiler/src/contraction/matrix-products";
import { kShortRun } from "@onebuffer/compiler/src/contraction/product-loops";
import { kManyRows } from "@onebuffer/compiler/src/plan/lowering-product";
import { kShortRow } from "@onebuffer/kernels/src/calls/loop-nest";

/** The bytes of an element of float32, for which limits in bytes are turned into sizes. */
const kItemBytes = 4;

const micro = blockShape("float32");

/** For each size of a product the numbers at which its way changes. */
export const kThresholds = {
  /** Rows: panels of the micro kernel, products with few of them, B read where it is for few of them, and blocks of A. */
  rows: [kFewLines, kFewRows, kManyRows, micro.rows, Math.floor(kLeftBytes / (kDepth * kItemBytes))],
  /** Columns: panels, products with few of them, A read where it is, and blocks of B. */
  columns: [kFewLines, micro.columns, kDirectColumns, Math.floor(kRightBytes / (kDepth * kItemBytes))],
  /** Elements of k: short runs, rows of reductions, blocks of few panels, one block, and B read where it is in a product of 64 columns. */
  inner: [2, kShortRun, kShortRow, kShallow, kDepth, kDirectBytes / (64 * kItemBytes)],
  /** Multiplications of one product. */
  work: [kLeastWork],
} as const;

/** Returns the sizes next to the numbers of a list: one less, the number, and one more. */
export const bothSides = (list: readonly number[]): readonly number[] => list.flatMap((at) => [at - 1, at, at + 1]).filter((n) => n > 0);

// The sizes and kinds that decompositions are tested with: a sample in `npm test`, all of them in `npm run long`.
import { isLong } from "@onebuffer/test-support";
import type { MatrixDType } from "@onebuffer/linalg";
import type { By } from "./decomposed.ts";
import { matrixTensor, storedRows } from "./decomposed.ts";
import type { Rows } from "./matrix-kinds.ts";
import { kinds, Numbers, unitOf } from "./matrix-kinds.ts";
import type { Tensor } from "@onebuffer/core";

export const dtypes: readonly MatrixDType[] = ["float64", "float32", "complex128", "complex64"];

/** Each side of the block of 32 columns and of the leaves of 32 rows, and of their halves. */
const kSizes = isLong
  ? [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 34, 63, 64, 65, 66, 67, 100, 129, 193, 257, 300]
  : [0, 1, 2, 3, 5, 31, 33, 66];

/** More elements than a matrix of 130 x 130 has. */
const kLarge = 130 ** 2;

/** In the short form one of so many small matrices is decomposed. */
const kShare = 23;

/** A matrix to decompose. */
export interface Case {
  readonly kind: string;
  readonly m: number;
  readonly n: number;
  readonly dtype: MatrixDType;
  readonly by: By;
  readonly rows: Rows;
  readonly tensor: Tensor;
  readonly unit: number;
}

/** Calls `check` with matrices of all kinds and dtypes. In the short form each kind has a few sizes, and the evaluator decomposes few. */
export function eachCase(shapes: "square" | "any", change: (rows: Rows) => Rows, check: (each: Case) => void): void {
  let number = 0;
  for (const dtype of dtypes) {
    for (const kind of Object.keys(kinds)) {
      for (const [m, n] of sizesFor(shapes)) {
        number++;
        const isSmall = m * n <= 64;
        // In the long form the largest have a sample of kinds: the products of the test itself take seconds.
        if (isLong ? m * n > kLarge && number % 149 !== 0 : number % (isSmall ? kShare : 211) !== 0) continue;
        const by = isSmall && Math.floor(number / kShare) % 3 === 0 ? "evaluator" : "kernel";
        const made = change(kinds[kind]!(m, n, dtype, new Numbers(number)));
        using tensor = matrixTensor(made, m, n, dtype);
        const rows = m === 0 || n === 0 ? made : storedRows(tensor);
        check({ kind, m, n, dtype, by, rows, tensor, unit: unitOf(dtype) });
      }
    }
  }
}

function sizesFor(shapes: "square" | "any"): readonly (readonly [number, number])[] {
  const square = kSizes.map((n) => [n, n] as const);
  if (shapes === "square") return square;
  const other = isLong
    ? [
        [0, 3],
        [3, 0],
        [2, 1],
        [1, 5],
        [5, 3],
        [7, 33],
        [33, 7],
        [40, 31],
        [33, 64],
        [64, 33],
        [100, 66],
        [66, 100],
        [129, 40],
        [40, 129],
        [300, 70],
        [64, 257],
      ]
    : [
        [0, 3],
        [3, 0],
        [5, 3],
        [3, 5],
        [40, 31],
        [33, 66],
      ];
  return [...square, ...(other as unknown as (readonly [number, number])[])];
}

// Operands and results that begin at any byte of the linear memory, as parts of messages and files do: the results are those of aligned ones.
import { beforeAll, expect, test } from "@jest/globals";
import type { RawDType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { ready } from "@onebuffer/eigen";
import { unalignedTensorMap } from "@onebuffer/eigen/internal";
import { cholesky, eig, eigh, expm, inverse, lu, pseudoInverse, qr, schur, solve, sqrtm, svd } from "@onebuffer/linalg";
import { kUnowned } from "@onebuffer/storage/internal";
import { isLong } from "@onebuffer/test-support";
import { linearMemory } from "@onebuffer/wasm";
import { numbersIn, stream } from "./matrices.ts";

/** Maps and expressions of several dtypes. */
type Any = ReturnType<typeof JSON.parse>;

beforeAll(async () => {
  await ready();
});

const kBytes = 1 << 16;
const region = linearMemory().reserve(4 * kBytes) as number;

/** Returns a map in the k-th part of a region, `shift` bytes behind a multiple of 64. */
const mapAt = (k: number, shift: number, dtype: RawDType, dims: readonly number[]): Any => {
  expect(dims.reduce((count, size) => count * size, dtypeSize(dtype))).toBeLessThan(kBytes - 64);
  return unalignedTensorMap(dtype, linearMemory().buffer, region + k * kBytes + shift, kUnowned, dims);
};

const n = 12;
/** Two operands: a symmetric positive definite matrix for all functions, and an operand beside it. */
const kSubjects: Readonly<Record<string, (a: Any, b: Any) => Any>> = {
  cholesky: (a) => cholesky(a),
  eig: (a) => eig(a).v,
  eigh: (a) => eigh(a).v,
  expm: (a) => expm(a.mul(0.01)),
  inverse: (a) => inverse(a),
  lu: (a) => lu(a).lu,
  "places of pivots": (a) => lu(a).p,
  pseudoInverse: (a) => pseudoInverse(a),
  qr: (a) => qr(a).q,
  schur: (a) => schur(a).t,
  solve: (a, b) => solve(a, b),
  sqrtm: (a) => sqrtm(a),
  svd: (a) => svd(a).u,
};

function filled(map: Any, seed: number): Any {
  const { normal } = stream(seed);
  const isComplex = map.dtype.startsWith("complex");
  const [rows, columns] = map.dimensions as [number, number];
  const values = Array.from({ length: rows * columns }, normal);
  const at = (i: number, j: number): number =>
    rows === columns ? values[i * rows + j]! + values[j * rows + i]! : values[i * columns + j]!;
  map.copyFrom(
    values.map((_, k) => {
      const [i, j] = [Math.floor(k / columns), k % columns];
      const value = at(i, j) + (i === j ? 4 * rows : 0);
      return isComplex ? [value, 0] : value;
    }),
  );
  return map;
}

const kDTypes = ["float32", "float64", "complex64", "complex128"] as const;

// In `npm test` each function has one real and one complex dtype.
test.each(kDTypes)("factors and solutions of %s at any address", (dtype) => {
  const turn = kDTypes.indexOf(dtype);
  for (const [name, make] of Object.entries(kSubjects).filter((_, k) => isLong || (k + turn) % 2 === 0)) {
    const results = [0, 1, 4].flatMap((shift) => {
      const [a, b] = [filled(mapAt(0, shift, dtype, [n, n]), 3), filled(mapAt(1, shift, dtype, [n, 5]), 4)];
      // Twice: the second time by a plan that is kept. Then into an aligned result by that plan.
      return [shift, shift, 0].map((to) => {
        const made = make(a, b);
        const out = mapAt(2, to, made.dtype, made.dimensions);
        out.assign(made);
        return numbersIn(out.toArray());
      });
    });
    for (const result of results) expect([name, ...result]).toEqual([name, ...results[0]!]);
  }
});

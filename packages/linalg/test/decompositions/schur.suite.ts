// schur, sqrtm and logm: LAPACK's ratios, the form of T, roots and logarithms that give the matrix back, what has none, gradients.
import { expect, test } from "@jest/globals";
import type { Complex } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import { evaluate, item, tensorMap } from "@onebuffer/eigen";
import type { OperandLike } from "@onebuffer/expression";
import { checkGradients, gradients } from "@onebuffer/gradients";
import { eigvals, expm, logm, schur, sqrtm } from "@onebuffer/linalg";
import type { MatrixDType } from "@onebuffer/linalg";
import { isLong } from "@onebuffer/test-support";
import { dtypes, eachCase } from "./cases.ts";
import { distanceFromOrthonormal, largestOf, matrixTensor, operand, rowsOf } from "./decomposed.ts";
import { isComplex, kinds, Numbers, unitOf } from "./matrix-kinds.ts";
import { adjoint, differenceRatio, kThreshold, magnitudeOf, orthogonalityRatio, product } from "./ratios.ts";

/** The expressions here have shapes that types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

test("Z T Z^H is A, Z is unitary, and T is a triangle but for conjugate pairs", () => {
  eachCase(
    "square",
    (rows) => rows,
    ({ kind, n, dtype, by, rows, tensor, unit }) => {
      const parts = schur(operand(tensor));
      const [t, z] = [rowsOf(parts.t, by), rowsOf(parts.z, by)];
      const name = `${kind} ${dtype} ${n} by ${by}`;
      const largest = magnitudeOf(rows) || 1;
      const moderate = t.map((row) => row.map(([re, im]): Complex => [re / largest, im / largest]));
      const made = product(product(z, moderate, n), adjoint(z, n), n).map((row) =>
        row.map(([re, im]): Complex => [re * largest, im * largest]),
      );
      expect([name, differenceRatio(rows, made, n, unit) < kThreshold]).toEqual([name, true]);
      expect([name, orthogonalityRatio(z, n, unit) < kThreshold]).toEqual([name, true]);
      t.forEach((row, i) =>
        row.forEach(([re, im], j) => {
          if (i > j + 1 || (i > j && isComplex(dtype))) expect([name, i, j, re, im]).toEqual([name, i, j, 0, 0]);
          else if (i === j + 1 && re !== 0)
            expect([name, t[j]![j]![0] - t[i]![i]![0], Math.sign(re) + Math.sign(t[j]![i]![0])]).toEqual([name, 0, 0]);
        }),
      );
    },
  );
});

/** Matrices without eigenvalues on the negative axis. */
const definite = (n: number, dtype: MatrixDType): Tensor => {
  const rows = kinds["normal"]!(n, n, dtype, new Numbers(n + 1));
  return matrixTensor(
    rows.map((row, i) => row.map(([re, im], j): Complex => [re + (i === j ? 3 * Math.sqrt(n) + 1 : 0), im])),
    n,
    n,
    dtype,
  );
};

test.each(dtypes)("the square of a root and the exponential of a logarithm are the matrix: %s", (dtype) => {
  for (const n of isLong ? [0, 1, 2, 5, 33, 65] : [0, 1, 5]) {
    using a = definite(n, dtype);
    for (const by of ["kernel", "evaluator"] as const) {
      const wanted = rowsOf(operand(a) as never, by);
      const root = rowsOf(sqrtm(operand(a)), by);
      expect(differenceRatio(wanted, product(root, root, n), n, unitOf(dtype))).toBeLessThan(kThreshold);
      if (n > 5) continue;
      using log = matrixTensor(rowsOf(logm(operand(a)), by), n, n, dtype);
      expect(differenceRatio(wanted, rowsOf(expm(operand(log)), "kernel"), n, unitOf(dtype))).toBeLessThan(kThreshold);
    }
  }
});

const real = (...elements: number[]) =>
  tensorMap("float64", Float64Array.from(elements), [Math.sqrt(elements.length), Math.sqrt(elements.length)]);
const digits = (x: unknown): unknown[] =>
  (evaluate(x as never).toArray() as number[][]).flat(2).map((each) => Math.round(each * 1e12) / 1e12 + 0);

/** Returns the largest difference of Z T Z^T from a matrix. */
const residualOf = (z: Any, t: Any, a: Any): number => largestOf(z.matMul(t).matMul(z.transpose()).sub(a));

test.each([0, 1e-100, 1e-156, 1e-158, 1e-161, 3e-162, 1e-165])("an element of %p, whose square has few digits or none", (tiny) => {
  const a = tensorMap("float64", Float64Array.of(0, 0, 0, -0.5, -0.2, -0.3, 0, 1, tiny), [3, 3]);
  const { t, z } = schur(a);
  expect(residualOf(z, t, a)).toBeLessThan(1e-15);
  expect(distanceFromOrthonormal(z, 3)).toBeLessThan(2e-15);
  expect(item(eigvals(a).sum().real() as never)).toBeCloseTo(-0.2, 15);
});

test.each([1e-300, 1e-316, 3e-323])("a pair with elements on the diagonal that differ by %p is turned without being stretched", (tiny) => {
  const a = real(-tiny, 0.5, -0.5, 0);
  const { t, z } = schur(a);
  expect(distanceFromOrthonormal(z, 2)).toBeLessThan(1e-15);
  expect(residualOf(z, t, a)).toBeLessThan(1e-15);
});

test("complex elements whose product is 0 are rotated", () => {
  const imaginary = [0, 0, 1, 1, 0, 0, 1e-286, 1e-86, 0];
  const rows = [0, 3, 6].map((first) => imaginary.slice(first, first + 3).map((im): Complex => [0, im]));
  using a = matrixTensor(rows, 3, 3, "complex128");
  for (const by of ["kernel", "evaluator"] as const) {
    const parts = schur(operand(a));
    const [t, z] = [rowsOf(parts.t, by), rowsOf(parts.z, by)];
    expect(differenceRatio(rows, product(product(z, t, 3), adjoint(z, 3), 3), 3, 2 ** -52)).toBeLessThan(kThreshold);
    expect(orthogonalityRatio(z, 3, 2 ** -52)).toBeLessThan(kThreshold);
  }
});

test("values that are known", () => {
  expect(digits(sqrtm(real(7, 10, 15, 22)))).toEqual(digits(real(1.566698903601, 1.740776559557, 2.611164839335, 4.177863742937)));
  // A turn by 2 radians: half of it, and its generator.
  const turn = real(Math.cos(2), -Math.sin(2), Math.sin(2), Math.cos(2));
  expect(digits(sqrtm(turn))).toEqual(digits(real(Math.cos(1), -Math.sin(1), Math.sin(1), Math.cos(1))));
  expect(digits(logm(turn))).toEqual([0, -2, 2, 0]);
  expect(digits(logm(real(1, 1e-13, 0, 1)))).toEqual(digits(real(0, 1e-13, 0, 0)));
  // Elements far above the diagonal's, and eigenvalues of very different size.
  expect(digits(logm(real(1, 1e6, 0, 1)).div(1e6))).toEqual([0, 1, 0, 0]);
  expect(digits(logm(real(1e-100, 0, 0, 1e100)).div(100 * Math.LN10))).toEqual([-1, 0, 0, 1]);
  expect(digits(sqrtm(real(1e-100, 0, 0, 1e100)).mul(real(1e50, 1, 1, 1e-50)))).toEqual([1, 0, 0, 1]);
});

test("a root whose square has an eigenvalue above the largest number", () => {
  const a = real(3 * 2 ** 1022, 2 ** 1023, 2 ** 1023, 3 * 2 ** 1022);
  const [sum, difference] = [Math.sqrt(5) / 2, 1 / 2];
  const wanted = digits(real(sum + difference, sum - difference, sum - difference, sum + difference));
  expect(digits(sqrtm(a).div(2 ** 511))).toEqual(wanted);
  expect(
    digits(
      sqrtm(a.cast("complex128"))
        .real()
        .div(2 ** 511),
    ),
  ).toEqual(wanted);
});

test("a pair whose element above the diagonal is rounded to 0 is a triangle", () => {
  // A pair of eigenvalues, as half^2 is nine tenths of 2^-149 * 2^49. With equal elements on the diagonal a tenth of 2^-149 stays above it.
  const half = Math.sqrt(0.9) * 2 ** -50;
  const { t, z } = schur(tensorMap("float32", Float32Array.of(2 * half, 2 ** -149, -(2 ** 49), 0), [2, 2]));
  const [top, low] = evaluate(t).toArray() as number[][];
  expect([top![1], low![0], low![1]! - top![0]!, Math.abs(top![0]! / half - 1) < 1e-6]).toEqual([2 ** 49, 0, 0, true]);
  expect(evaluate(z).toArray()).toEqual([
    [expect.closeTo(0, 6), expect.closeTo(-1, 6)],
    [expect.closeTo(1, 6), expect.closeTo(0, 6)],
  ]);
});

test("singular matrices have roots, and negative eigenvalues none of real numbers", () => {
  expect(digits(sqrtm(real(0, 0, 0, 0)))).toEqual([0, 0, 0, 0]);
  const third = 1 / Math.sqrt(3);
  expect(digits(sqrtm(real(1, 1, 1, 1, 1, 1, 1, 1, 1)))).toEqual(digits(real(...Array<number>(9).fill(third))));
  const negative = real(-4, 0, 0, 1);
  expect([...digits(sqrtm(negative)), ...digits(logm(negative))]).toEqual(Array(8).fill(NaN));
  expect(digits(sqrtm(negative.cast("complex128")))).toEqual([0, 2, 0, 0, 0, 0, 1, 0]);
  expect(digits(logm(negative.cast("complex128")))).toEqual(
    digits(tensorMap("float64", Float64Array.of(Math.log(4), Math.PI, 0, 0, 0, 0, 0, 0), [8])),
  );
  for (const none of [sqrtm(real(0, 1, 0, 0)), logm(real(0, 0, 0, 1))]) expect(digits(none).every(Number.isFinite)).toBe(false);
  const batch = tensorMap("float32", Float32Array.of(1, NaN, 0, 1, 4, 0, 0, 9), [2, 2, 2]);
  expect(digits(sqrtm(batch))).toEqual([NaN, NaN, NaN, NaN, 2, 0, 0, 3]);
  expect(() => evaluate(schur(batch).t)).toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      message: expect.stringMatching(/^schur: Schur decomposition was not successful.*\(matrix 0 of the batch, an element is NaN\)$/),
    }),
  );
});

test("gradients of roots and logarithms equal differences; a Schur form has none", () => {
  for (const dtype of ["float64", "complex128"] as const) {
    using a = definite(2, dtype);
    const map = a.matrix() as never as OperandLike<"float64", 2>;
    expect(checkGradients(sqrtm(map), [a] as never)).toBeLessThan(1e-6);
    expect(checkGradients(logm(map), [a] as never)).toBeLessThan(1e-6);
  }
  const a = real(4, 1, 0, 9);
  expect(() => gradients(schur(a).t.sum(), [a])).toThrow(expect.objectContaining({ code: "UNIMPLEMENTED" }));
});

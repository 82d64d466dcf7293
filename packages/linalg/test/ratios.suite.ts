// The test ratios of LAPACK: residuals over n eps times norms, below 30, for its kinds of matrices and sizes on both sides of every block.
import { expect, test } from "@jest/globals";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import type { Expression } from "@onebuffer/eigen";
import { cholesky, choleskySolve, inverse, lu, solve, triangularSolve } from "@onebuffer/linalg";
import type { MatrixDType } from "@onebuffer/linalg";
import { isLong, sampled } from "@onebuffer/test-support";
import { adjointIn, differenceIn, kinds, matrixOf, normOf, numbersIn, productOf, stream } from "./matrices.ts";
import type { Kind } from "./matrices.ts";

const kBound = 30;
const sizes = isLong
  ? [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 64, 65, 96, 97, 100, 128, 129, 192, 193, 257, 300]
  : [1, 3, 8, 9, 17, 33, 65, 128];

interface Case {
  readonly dtype: MatrixDType;
  readonly n: number;
  readonly kind: Kind;
}

const arrayOf = (dtype: MatrixDType, numbers: Float64Array): Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer> =>
  dtype === "float32" || dtype === "complex64" ? new Float32Array(numbers) : new Float64Array(numbers);
/** Returns the numbers, rounded to those of the dtype. */
const roundedTo = (dtype: MatrixDType, numbers: Float64Array): Float64Array => new Float64Array(arrayOf(dtype, numbers));
const mapOf = (
  dtype: MatrixDType,
  numbers: Float64Array,
  dims: readonly number[],
): ReturnType<typeof tensorMap<"float64", [number, number]>> =>
  tensorMap(dtype as "float64", arrayOf(dtype, numbers) as Float64Array<ArrayBuffer>, dims as [number, number]);
const epsOf = (dtype: MatrixDType): number => (dtype === "float32" || dtype === "complex64" ? 2 ** -23 : 2 ** -52);
const topOf = (dtype: MatrixDType): number => (dtype === "float32" || dtype === "complex64" ? 1e38 : 1e307);
const isComplexOf = (dtype: MatrixDType): boolean => dtype.startsWith("complex");
/** Returns the elements of a result, of complex ones both parts. */
const result = (expression: unknown): Float64Array =>
  new Float64Array((evaluate(expression as never) as { readonly data: Float64Array }).data);

/** A matrix, rounded to its dtype, and right-hand sides. */
function systemOf({ dtype, n, kind }: Case, columns: number): { a: Float64Array; b: Float64Array; isComplex: boolean } {
  const isComplex = isComplexOf(dtype);
  const { normal } = stream(7 * n + columns);
  const size = isComplex ? 2 : 1;
  const a = roundedTo(dtype, matrixOf(kind, n, isComplex, topOf(dtype)));
  return { a, b: roundedTo(dtype, new Float64Array(n * columns * size).map(normal)), isComplex };
}

/** ||b - A x|| / (||A|| ||x|| n eps). */
function residual({ dtype, n }: Case, a: Float64Array, x: Float64Array, b: Float64Array, columns: number): number {
  const isComplex = isComplexOf(dtype);
  const product = productOf(a, x, [n, n, columns], isComplex);
  const difference = normOf(differenceIn(product, b), n, columns, isComplex);
  return difference / (normOf(a, n, n, isComplex) * normOf(x, n, columns, isComplex) * n * epsOf(dtype));
}

const dtypes: readonly MatrixDType[] = ["float32", "float64", "complex64", "complex128"];
const shown = dtypes.flatMap((dtype) =>
  sizes.filter((n) => !isComplexOf(dtype) || n <= (isLong ? 300 : 33)).map((n) => [dtype, n] as const),
);
const kindsFor = (n: number): readonly Kind[] => (isLong || n <= 9 ? kinds : ["random", "wilkinson"]);

test.each(sampled(shown, 12))("solutions of systems of %s, %d rows", (dtype, n) => {
  const cases = kindsFor(n).flatMap((kind) => [1, 3, n + 1].map((columns) => ({ kind, columns })));
  for (const { kind, columns } of sampled(cases, cases.length > 6 ? 10 : 3)) {
    const each = { dtype, n, kind };
    const { a, b, isComplex } = systemOf(each, columns);
    const [matrix, right] = [mapOf(dtype, a, [n, n]), mapOf(dtype, b, [n, columns])];
    expect([kind, columns, residual(each, a, result(solve(matrix, right)), b, columns) < kBound]).toEqual([kind, columns, true]);
    const x = result(solve(matrix, right, { adjoint: true }));
    expect([kind, columns, residual(each, adjointIn(a, n, isComplex), x, b, columns) < kBound]).toEqual([kind, columns, true]);
  }
});

test.each(sampled(shown.toReversed(), 12))("factors of %s, %d rows", (dtype, n) => {
  const isComplex = isComplexOf(dtype);
  const size = isComplex ? 2 : 1;
  for (const kind of kindsFor(n)) {
    const { a } = systemOf({ dtype, n, kind }, 1);
    const { lu: factors, p } = lu(mapOf(dtype, a, [n, n]));
    const [packed, order] = [result(factors), numbersIn(evaluate(p).toArray())];
    const part = (keep: (i: number, j: number) => boolean, one: number): Float64Array =>
      packed.map((value, k) => {
        const [i, j] = [Math.floor(k / size / n), Math.floor(k / size) % n];
        return keep(i, j) ? value : i === j && k % size === 0 ? one : 0;
      });
    const product = productOf(
      part((i, j) => i > j, 1),
      part((i, j) => i <= j, 0),
      [n, n, n],
      isComplex,
    );
    const permuted = new Float64Array(a.length);
    order.forEach((row, i) => permuted.set(a.subarray(row * n * size, (row + 1) * n * size), i * n * size));
    expect([...order].sort((x, y) => x - y)).toEqual(Array.from({ length: n }, (_, i) => i));
    const error = normOf(differenceIn(product, permuted), n, n, isComplex);
    expect([kind, error / (n * epsOf(dtype) * normOf(a, n, n, isComplex)) < kBound]).toEqual([kind, true]);
    // Partial pivoting: no multiplier is larger than 1.
    // Of large matrices there are too many elements for the arguments of one call.
    const largest = part((i, j) => i > j, 0).reduce((most, each) => Math.max(most, Math.abs(each)), 0);
    expect(largest).toBeLessThanOrEqual(1);
  }
});

// Rows of 128 numbers are multiples of 512 bytes: in scratch memory there is room between them.
test.each(["float32", "float64"] as const)("Cholesky factors of three matrices of 128 rows, %s", (dtype) => {
  const n = 128;
  const { normal } = stream(11);
  const lower = new Float64Array(n * n).map(normal);
  const positive = lower.map((value, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    return i === j ? 4 * n : j < i ? value : lower[j * n + i]!;
  });
  // The second one has no factor: its last pivot is negative.
  const indefinite = positive.map((value, k) => (k === n * n - 1 ? -1 : value));
  const [first, second, third] = [positive, indefinite, positive.map((value) => 3 * value)].map((each) => roundedTo(dtype, each));
  const all = new Float64Array(3 * n * n);
  for (const [m, each] of [first!, second!, third!].entries()) all.set(each, m * n * n);
  const batch = mapOf(dtype, all, [3, n, n]) as never as Expression<"float64", 3>;
  const factors = result(cholesky(batch, { check: false }));
  for (const [m, a] of [first!, second!, third!].entries()) {
    const l = factors.slice(m * n * n, (m + 1) * n * n);
    expect(l.every((value, k) => k % n <= Math.floor(k / n) || Object.is(value, 0))).toBe(true);
    if (m === 1) {
      expect(l.every((value, k) => k % n > Math.floor(k / n) || Number.isNaN(value))).toBe(true);
      continue;
    }
    const product = productOf(l, adjointIn(l, n, false), [n, n, n], false);
    const error = normOf(differenceIn(product, a), n, n, false);
    expect(error / (n * epsOf(dtype) * normOf(a, n, n, false))).toBeLessThan(kBound);
  }
  expect(() => result(cholesky(batch))).toThrow("matrix 1 of the batch, pivot 127 is not positive");
});

const kBooleans = [true, false];
const kWays = kBooleans.flatMap((lower) =>
  kBooleans.flatMap((adjoint) => kBooleans.map((unitDiagonal) => ({ lower, adjoint, unitDiagonal }))),
);

/** The ways to solve a system of a triangle, with one column, two, or more than there are rows: all of them, or each with one of the widths. */
const waysWith = (width: number): typeof kWays => (isLong ? kWays : kWays.filter((_, k) => k % 3 === width - 1));

test.each(sampled(shown, 12))("inverses, Cholesky factors and triangles of %s, %d rows", (dtype, n) => {
  const isComplex = isComplexOf(dtype);
  const [eps, size] = [epsOf(dtype), isComplex ? 2 : 1];
  const { a } = systemOf({ dtype, n, kind: "random" }, 1);
  const identity = new Float64Array(n * n * size);
  for (let i = 0; i < n; i++) identity[i * (n + 1) * size] = 1;
  const x = result(inverse(mapOf(dtype, a, [n, n])));
  const off = normOf(differenceIn(productOf(a, x, [n, n, n], isComplex), identity), n, n, isComplex);
  expect(off / (n * eps * normOf(a, n, n, isComplex) * normOf(x, n, n, isComplex))).toBeLessThan(kBound);
  // A A^H + I is positive definite.
  const positive = roundedTo(
    dtype,
    productOf(a, adjointIn(a, n, isComplex), [n, n, n], isComplex).map((value, k) => value + identity[k]!),
  );
  const factor = result(cholesky(mapOf(dtype, positive, [n, n])));
  const again = productOf(factor, adjointIn(factor, n, isComplex), [n, n, n], isComplex);
  const norm = normOf(positive, n, n, isComplex);
  expect(normOf(differenceIn(again, positive), n, n, isComplex) / (n * eps * norm)).toBeLessThan(kBound);
  expect(factor.every((value, k) => Math.floor(k / size) % n <= Math.floor(k / size / n) || Object.is(value, 0))).toBe(true);
  for (const width of [1, 2, 3]) {
    const columns = width === 3 ? n + 3 : width;
    const { b } = systemOf({ dtype, n, kind: "random" }, columns);
    const solution = result(choleskySolve(mapOf(dtype, factor, [n, n]), mapOf(dtype, b, [n, columns])));
    expect(residual({ dtype, n, kind: "random" }, positive, solution, b, columns)).toBeLessThan(kBound);
    for (const { lower, adjoint, unitDiagonal } of waysWith(width)) {
      const triangle = positive.map((value, k) => {
        const [i, j] = [Math.floor(k / size / n), Math.floor(k / size) % n];
        if (i === j) return unitDiagonal ? (k % size === 0 ? 1 : 0) : value;
        return lower === i > j ? value / (unitDiagonal ? norm : 1) : 0;
      });
      const stored = roundedTo(dtype, triangle);
      // What is not read is NaN.
      const read = stored.map((value, k) => {
        const [i, j] = [Math.floor(k / size / n), Math.floor(k / size) % n];
        return (i === j ? !unitDiagonal : lower === i > j) ? value : NaN;
      });
      const y = result(triangularSolve(mapOf(dtype, read, [n, n]), mapOf(dtype, b, [n, columns]), { lower, adjoint, unitDiagonal }));
      const used = adjoint ? adjointIn(stored, n, isComplex) : stored;
      expect([lower, adjoint, unitDiagonal, residual({ dtype, n, kind: "random" }, used, y, b, columns) < kBound]).toEqual([
        lower,
        adjoint,
        unitDiagonal,
        true,
      ]);
    }
  }
});

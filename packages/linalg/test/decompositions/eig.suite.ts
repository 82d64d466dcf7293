// eig and eigvals: LAPACK's ratio on its kinds of matrices, known eigenvalues, conjugate pairs, TensorFlow's order, NaN, gradients.
import { expect, test } from "@jest/globals";
import type { Complex } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { evaluate } from "@onebuffer/eigen";
import type { OperandLike } from "@onebuffer/expression";
import { checkGradients } from "@onebuffer/gradients";
import { eig, eigvals } from "@onebuffer/linalg";
import { isLong } from "@onebuffer/test-support";
import { eachCase } from "./cases.ts";
import { matrixTensor, operand, rowsOf } from "./decomposed.ts";
import { isComplex, kinds, Numbers } from "./matrix-kinds.ts";
import { differenceRatio, kThreshold, magnitudeOf, product } from "./ratios.ts";

test("A V is V diag(e), vectors have norm 1, and those of real matrices are conjugate pairs", () => {
  eachCase(
    "square",
    (rows) => rows,
    ({ kind, n, dtype, by, rows, tensor, unit }) => {
      const { e, v } = eig(operand(tensor));
      const [vectors, values] = [rowsOf(v, by), rowsOf(e, by)[0] ?? []];
      const name = `${kind} ${dtype} ${n} by ${by}`;
      const largest = magnitudeOf(rows) || 1;
      // The matrix and the eigenvalues divided by the largest element, so that products do not overflow.
      const moderate = rows.map((row) => row.map(([re, im]): Complex => [re / largest, im / largest]));
      const scaled = vectors.map((row) =>
        row.map(([re, im], j): Complex => {
          const [p, q] = [values[j]![0] / largest, values[j]![1] / largest];
          return [re * p - im * q, re * q + im * p];
        }),
      );
      const residual = product(moderate, vectors, n).map((row, i) =>
        row.map(([re, im], j): Complex => [moderate[i]![j]![0] + re - scaled[i]![j]![0], moderate[i]![j]![1] + im - scaled[i]![j]![1]]),
      );
      expect([name, differenceRatio(moderate, residual, n, unit) < kThreshold]).toEqual([name, true]);
      const norms = values.map((_, j) => Math.hypot(...vectors.flatMap((row) => row[j]!)));
      expect([name, norms.every((each) => Math.abs(each - 1) < 30 * n * unit)]).toEqual([name, true]);
      if (isComplex(dtype)) return;
      for (let k = 0; k < n; k++) {
        if (values[k]![1] === 0) continue;
        expect([name, values[k + 1]]).toEqual([name, [values[k]![0], -values[k]![1]]]);
        k++;
      }
    },
  );
});

test("known eigenvalues", () => {
  using turn = Tensor.from(
    [
      [0, 1],
      [-1, 0],
    ],
    { dtype: "float64" },
  );
  expect(evaluate(eigvals(turn.matrix())).toArray()).toEqual([
    [0, 1],
    [0, -1],
  ]);
  using order = Tensor.from([
    [3, 0, 0],
    [0, 1, 0],
    [0, 0, 2],
  ]);
  expect(evaluate(eig(order.matrix()).e).toArray()).toEqual([
    [3, 0],
    [1, 0],
    [2, 0],
  ]);
  // The companion matrix of (x - 1) (x - 2) (x - 3) (x - 4).
  using companion = Tensor.from(
    [
      [10, -35, 50, -24],
      [1, 0, 0, 0],
      [0, 1, 0, 0],
      [0, 0, 1, 0],
    ],
    { dtype: "float64" },
  );
  const roots = (evaluate(eigvals(companion.matrix())).toArray() as Complex[]).map(([re]) => re).sort();
  roots.forEach((each, k) => expect(Math.abs(each - k - 1)).toBeLessThan(1e-11));
});

test.each([1e-30, 1e-32, 1e-34, 1e-40, 1e-60])("a vector beside a pair whose block has elements of 1 and %p", (b) => {
  using a = Tensor.from(
    [
      [0, -b, 0],
      [1, 0, 1],
      [0, 0, 0],
    ],
    { dtype: "float64" },
  );
  const { e, v } = eig(a.matrix());
  const residuals = evaluate(a.matrix().cast("complex128").matMul(v).sub(v.mul(e)).abs().max(0)).toArray() as number[];
  expect(Math.max(...residuals)).toBeLessThan(1e-15);
  expect((evaluate(v.chip(2, 1).real()).toArray() as number[]).map((each) => Math.abs(each))).toEqual([
    expect.closeTo(Math.SQRT1_2, 15),
    0,
    expect.closeTo(Math.SQRT1_2, 15),
  ]);
});

test("blocks of rounding errors converge", () => {
  for (const dtype of ["float64", "complex128"] as const) {
    using a = matrixTensor(kinds["permutation"]!(64, 64, dtype, new Numbers(64)), 64, 64, dtype);
    const values = evaluate(eigvals(operand(a) as never)).toArray() as Complex[];
    expect(values.filter(([re, im]) => Math.hypot(re, im) > 1e-6).every(([re, im]) => Math.hypot(re, im) > 0.9)).toBe(true);
  }
});

test("NaN and infinities are errors", () => {
  for (const value of [NaN, Infinity]) {
    using a = Tensor.from([
      [
        [1, 0],
        [0, 1],
      ],
      [
        [1, value],
        [0, 1],
      ],
    ]);
    expect(() => evaluate(eigvals(a.tensor(3)))).toThrow(
      expect.objectContaining({
        code: "INVALID_ARGUMENT",
        message: expect.stringMatching(
          /^eigvals: Eigen decomposition was not successful.*\(matrix 1 of the batch, an element is (NaN|infinite)\)$/,
        ),
      }),
    );
  }
});

test("gradients equal differences", () => {
  for (const dtype of ["float64", "complex128"] as const) {
    const n = isLong || dtype === "float64" ? 3 : 2;
    using a = matrixTensor(kinds["normal"]!(n, n, dtype, new Numbers(4)), n, n, dtype);
    const { e, v } = eig(a.matrix() as never as OperandLike<"float64", 2>);
    expect(checkGradients(e.abs().square(), [a] as never)).toBeLessThan(1e-5);
    expect(checkGradients(v.abs().square(), [a] as never)).toBeLessThan(1e-5);
    expect(checkGradients(eigvals(a.matrix() as never as OperandLike<"float64", 2>), [a] as never)).toBeLessThan(1e-5);
  }
});

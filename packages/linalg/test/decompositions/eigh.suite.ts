// eigh and eigvalsh: LAPACK's ratios on its kinds of matrices, known eigenvalues, TensorFlow's answers to NaN and infinities, gradients.
import { expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { assignTogether, evaluate } from "@onebuffer/eigen";
import type { OperandLike } from "@onebuffer/expression";
import { checkGradients } from "@onebuffer/gradients";
import { eigh, eigvalsh } from "@onebuffer/linalg";
import { isLong } from "@onebuffer/test-support";
import { eachCase } from "./cases.ts";
import { matrixTensor, operand, rowsOf } from "./decomposed.ts";
import { hermitianOf, kinds, Numbers } from "./matrix-kinds.ts";
import { adjoint, differenceRatio, kThreshold, orthogonalityRatio, product } from "./ratios.ts";

test("V diag(e) V^H is the matrix, V is unitary and e ascends", () => {
  let number = 0;
  eachCase("square", hermitianOf, ({ kind, n, dtype, by, rows, tensor, unit }) => {
    const { e, v } = eigh(operand(tensor));
    const vectors = rowsOf(v, by);
    const values = (rowsOf(e, by)[0] ?? []).map(([re]) => re);
    const name = `${kind} ${dtype} ${n} by ${by}`;
    const scaled = vectors.map((row) => row.map(([re, im], j): [number, number] => [re * values[j]!, im * values[j]!]));
    const ratios = [differenceRatio(rows, product(scaled, adjoint(vectors, n), n), n, unit), orthogonalityRatio(vectors, n, unit)];
    expect([name, ...ratios.map((each) => each < kThreshold)]).toEqual([name, true, true]);
    expect([name, values.every((each, k) => k === 0 || values[k - 1]! <= each)]).toEqual([name, true]);
    if (number++ % 4 !== 0) return;
    const alone = (rowsOf(eigvalsh(operand(tensor)), by)[0] ?? []).map(([re]) => re);
    const most = Math.max(...values.map(Math.abs), 0);
    expect([name, alone.every((each, k) => Math.abs(each - values[k]!) <= 30 * Math.max(1, n) * unit * most)]).toEqual([name, true]);
  });
});

test("eigenvalues of 1, -2, 1 are 2 - 2 cos", () => {
  using a = matrixTensor(kinds["toeplitz"]!(50, 50, "float64", new Numbers(1)), 50, 50, "float64");
  (evaluate(eigvalsh(a.matrix() as never)).toArray() as number[]).forEach((each, k) => {
    expect(Math.abs(each - (2 - 2 * Math.cos(((k + 1) * Math.PI) / 51)))).toBeLessThan(1e-14);
  });
});

test("a diagonal matrix that is divided has its diagonal as eigenvalues, each half's vectors in its own rows", () => {
  const n = 40;
  using a = Tensor.zeros([n, n], { dtype: "float64" });
  for (let k = 0; k < n; k++) a.matrix().set(k, k, (k * 7) % n);
  const { e, v } = eigh(a.matrix());
  expect(evaluate(e).toArray()).toEqual(Array.from({ length: n }, (_, k) => k));
  for (const [row, elements] of (evaluate(v).toArray() as number[][]).entries())
    expect(elements.map(Math.abs)).toEqual(Array.from({ length: n }, (_, k) => (k === (row * 7) % n ? 1 : 0)));
});

test("vectors are orthonormal where squares of elements would have few digits", () => {
  const beside = [1e-50, 1e-111, 1];
  const rows = Array.from({ length: 4 }, (_, i) =>
    Array.from({ length: 4 }, (_, j): [number, number] => [Math.abs(i - j) === 1 ? beside[Math.min(i, j)]! : 0, 0]),
  );
  using a = matrixTensor(rows, 4, 4, "float64");
  for (const by of ["kernel", "evaluator"] as const) {
    expect(orthogonalityRatio(rowsOf(eigh(operand(a)).v, by), 4, 2 ** -52)).toBeLessThan(kThreshold);
  }
});

test("only the lower triangle is used", () => {
  using a = Tensor.from(
    [
      [2, NaN],
      [-1, 3],
    ],
    { dtype: "float64" },
  );
  (evaluate(eigh(a.matrix()).e).toArray() as number[]).forEach((each, k) => expect(each).toBeCloseTo([1.381966, 3.618034][k]!, 6));
});

test("complex matrices have complex eigenvalues with imaginary parts of 0", () => {
  using a = Tensor.from(
    [
      [
        [2, 5],
        [9, 9],
      ],
      [
        [0, 1],
        [2, 0],
      ],
    ] as never,
    { dtype: "complex64" },
  );
  const [low, high] = evaluate(eigh(a.matrix()).e).toArray() as [number, number][];
  expect([low![0], high![0]].map((each) => Math.round(each * 1e5) / 1e5)).toEqual([1, 3]);
  expect([low![1], high![1]]).toEqual([0, 0]);
});

test("both parts of a batch are computed together", () => {
  using a = Tensor.from(
    [
      [
        [2, 0],
        [0, 1],
      ],
      [
        [0, 1],
        [1, 0],
      ],
    ],
    { dtype: "float64" },
  );
  using e = Tensor.zeros([2, 2], { dtype: "float64" });
  using v = Tensor.zeros([2, 2, 2], { dtype: "float64" });
  const parts = eigh(a.tensor(3));
  assignTogether([
    [e, parts.e],
    [v, parts.v],
  ] as never);
  expect((e.toArray() as number[][]).flat().map((each) => Math.round(each * 1e12) / 1e12)).toEqual([1, 2, -1, 1]);
  const none = Tensor.zeros([0, 3, 3]);
  expect([...eigh(none.tensor(3)).v.dimensions]).toEqual([0, 3, 3]);
  none.dispose();
});

test("NaN is an error that names the matrix, and leaves the target; an infinity gives NaN and an identity", () => {
  using a = Tensor.from([
    [
      [1, 0],
      [0, 1],
    ],
    [
      [NaN, 0],
      [0, 1],
    ],
  ]);
  using target = Tensor.from([
    [7, 7],
    [7, 7],
  ]);
  expect(() => target.matrix().assign(eigvalsh(a.tensor(3)) as never)).toThrow(
    expect.objectContaining({
      code: "INVALID_ARGUMENT",
      message:
        "eigvalsh: Self-adjoint eigen decomposition was not successful. The input might not be valid. (matrix 1 of the batch, an element is NaN)",
    }),
  );
  expect(target.toArray()).toEqual([
    [7, 7],
    [7, 7],
  ]);
  using b = Tensor.from([
    [Infinity, 0],
    [0, 1],
  ]);
  const { e, v } = eigh(b.matrix());
  expect([evaluate(e).toArray(), evaluate(v).toArray()]).toEqual([
    [NaN, NaN],
    [
      [1, 0],
      [0, 1],
    ],
  ]);
});

test("gradients equal differences", () => {
  for (const dtype of ["float64", "complex128"] as const) {
    const n = isLong || dtype === "float64" ? 3 : 2;
    using a = matrixTensor(kinds["normal"]!(n, n, dtype, new Numbers(9)), n, n, dtype);
    const { e, v } = eigh(a.matrix() as never as OperandLike<"float64", 2>);
    expect(checkGradients(e.square(), [a] as never)).toBeLessThan(1e-6);
    // Vectors have signs, or factors on the unit circle: of the magnitudes and products there is one value.
    expect(checkGradients(v.abs().square().mul(e.abs()), [a] as never)).toBeLessThan(1e-6);
    expect(checkGradients(eigvalsh(a.matrix() as never as OperandLike<"float64", 2>), [a] as never)).toBeLessThan(1e-6);
  }
});

test("wrong operands are refused", () => {
  using a = Tensor.zeros([2, 3]);
  expect(() => eigh(a.matrix())).toThrow(/square/);
  using b = Tensor.zeros([2, 2], { dtype: "int32" });
  // @ts-expect-error: matrices of integers have no decomposition
  expect(() => eigvalsh(b.matrix())).toThrow(/int32/);
});

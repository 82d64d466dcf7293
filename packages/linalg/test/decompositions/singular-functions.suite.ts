// Functions of singular values: lstsq, pseudoInverse, matrixRank, norm, conditionNumber, with TensorFlow's and NumPy's answers.
import { expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { evaluate, item, tensorMap } from "@onebuffer/eigen";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkGradients, gradients } from "@onebuffer/gradients";
import { conditionNumber, lstsq, matrixRank, norm, pseudoInverse, svd } from "@onebuffer/linalg";
import { isLong, sampled } from "@onebuffer/test-support";
import { numbersIn } from "../matrices.ts";
import { matrixTensor } from "./decomposed.ts";
import { kinds, Numbers } from "./matrix-kinds.ts";

/** Expressions whose dtypes and ranks the tests choose. */
type Any = ReturnType<typeof JSON.parse>;

const valueOf = (part: Expression<"float64", number>): unknown => (evaluate(part as never) as { toArray(): unknown }).toArray();
const rounded = (value: unknown, digits = 6): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === "number" ? Number(each.toFixed(digits)) + 0 : each)));
const matrix = (rows: number[][]): Tensor<"float64"> => Tensor.from(rows, { dtype: "float64" });

test("lstsq: tall, wide, dependent columns, regularized", () => {
  using tall = matrix([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  using b = matrix([[1], [1], [1]]);
  expect(rounded(valueOf(lstsq(tall.matrix(), b.matrix(), { rcond: 0 }) as never))).toEqual([[-1], [1]]);
  expect(rounded(valueOf(lstsq(tall.matrix(), b.matrix(), { l2Regularizer: 0.1, rcond: 0 }) as never), 4)).toEqual([[-0.6977], [0.7611]]);
  using dependent = matrix([
    [1, 1],
    [1, 1],
    [1, 1],
  ]);
  expect(rounded(valueOf(lstsq(dependent.matrix(), b.matrix(), { rcond: 1e-14 }) as never))).toEqual([[0.5], [0.5]]);
  using wide = matrix([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  using c = matrix([[0.5], [0.5]]);
  expect(rounded(valueOf(lstsq(wide.matrix(), c.matrix(), { rcond: 1e-14 }) as never), 4)).toEqual([[-0.25], [0], [0.25]]);
});

test.each([33, 40, 63])("lstsq takes what rounding makes of 0 in %d singular values for 0", (n) => {
  const numbers = new Numbers(n);
  const filled = (rows: number, columns: number): Float64Array<ArrayBuffer> =>
    Float64Array.from({ length: rows * columns }, () => numbers.normal());
  for (const rank of [1, 2, n >> 1]) {
    const left = tensorMap("float64", filled(n, rank), [n, rank]);
    const a = evaluate(left.matMul(tensorMap("float64", filled(rank, n), [rank, n])));
    const b = a.matMul(tensorMap("float64", filled(n, 1), [n, 1]));
    const { s } = svd(a);
    const x = lstsq(a, b, { rcond: n * 2 ** -52 });
    const [most, first] = [item(s.chip(0)), item(s.chip(rank))];
    expect(first / most).toBeLessThan(16 * 2 ** -52);
    expect(item(a.matMul(x).sub(b).abs().max())).toBeLessThan(1e-10);
    expect(item(x.abs().max())).toBeLessThan(100);
  }
});

test("lstsq: vectors and batches", () => {
  using a = Tensor.from(
    [
      [
        [2, 0],
        [0, 4],
      ],
      [
        [1, 0],
        [0, 1],
      ],
    ],
    { dtype: "float64" },
  );
  using b = Tensor.from([2, 4], { dtype: "float64" });
  const x = lstsq(a.tensor(3), b.vec(), { rcond: 0 });
  expect(rounded(valueOf(x as never))).toEqual([
    [1, 1],
    [2, 4],
  ]);
  using none = Tensor.zeros([0, 2], { dtype: "float64" });
  using zero = Tensor.zeros([0], { dtype: "float64" });
  expect(valueOf(lstsq(none.matrix(), zero.vec(), { rcond: 0 }) as never)).toEqual([0, 0]);
});

test("pseudoInverse has the four properties of Moore and Penrose", () => {
  const dtypes = ["float64", "complex128"] as const;
  const forms = [
    [4, 4],
    [5, 3],
    [3, 5],
  ] as const;
  const cases = dtypes.flatMap((dtype) =>
    ["normal", "rankOne", "rankLess", "zero"].flatMap((kind) => forms.map(([m, n]) => ({ dtype, kind, m, n }))),
  );
  for (const { dtype, kind, m, n } of sampled(cases, 5)) {
    using tensor = matrixTensor(kinds[kind]!(m, n, dtype, new Numbers(m + n)), m, n, dtype);
    const a = tensor.matrix() as never as Expression<"float64", 2>;
    const p = pseudoInverse(a as never as OperandLike<"float64", 2>);
    const adjoint = (x: Expression<"float64", 2>): Expression<"float64", 2> =>
      dtype === "float64" ? x.shuffle([1, 0]) : ((x.shuffle([1, 0]) as never as Expression<"complex128", 2>).conj() as never);
    const near = (x: Expression<"float64", 2>, y: Expression<"float64", 2>): void =>
      expect(valueOf(x.sub(y).abs().max() as never)).toBeLessThan(1e-12);
    near(a.matMul(p).matMul(a), a);
    near(p.matMul(a).matMul(p), p);
    const [left, right] = [a.matMul(p), p.matMul(a)];
    near(left, adjoint(left));
    near(right, adjoint(right));
  }
  using a = matrix([
    [1, 0],
    [0, 1e-15],
  ]);
  expect(valueOf(pseudoInverse(a.matrix()) as never)).toEqual([
    [1, 0],
    [0, 0],
  ]);
  expect(rounded(valueOf(pseudoInverse(a.matrix(), { rcond: 1e-16 }).div(1e15) as never))).toEqual([
    [0, 0],
    [0, 1],
  ]);
});

test("matrixRank counts singular values", () => {
  using a = Tensor.from(
    [
      [
        [1, 2],
        [2, 4],
      ],
      [
        [1, 0],
        [0, 1],
      ],
      [
        [0, 0],
        [0, 0],
      ],
    ],
    { dtype: "float64" },
  );
  expect(evaluate(matrixRank(a.tensor(3))).toArray()).toEqual([1, 2, 0]);
  expect(evaluate(matrixRank(a.tensor(3), { tolerance: 2 })).toArray()).toEqual([1, 0, 0]);
  using none = Tensor.zeros([2, 0, 3]);
  expect(evaluate(matrixRank(none.tensor(3))).toArray()).toEqual([0, 0]);
});

test("norm of matrices has NumPy's orders", () => {
  using a = matrix([
    [1, -2],
    [3, 4],
    [5, 6],
  ]);
  const of = (order: number | "fro" | "nuc"): number => valueOf(norm(a.matrix(), { ord: order, axes: [0, 1] }) as never) as number;
  expect(([1, -1, Infinity, -Infinity] as const).map(of)).toEqual([12, 9, 11, 3]);
  expect(of("fro")).toBeCloseTo(Math.sqrt(91), 12);
  const [large, small] = [of(2), of(-2)];
  expect(large * large + small * small).toBeCloseTo(91, 10);
  expect(large * small).toBeCloseTo(Math.sqrt(35 * 56 - 40 * 40), 10);
  expect(of("nuc")).toBeCloseTo(large + small, 10);
});

test("conditionNumber", () => {
  using a = matrix([
    [4, 0],
    [0, 0.5],
  ]);
  expect(
    (["fro", 1, -1, 2, -2, Infinity] as const).map((order) => rounded(valueOf(conditionNumber(a.matrix(), { ord: order }) as never))),
  ).toEqual([8.125, 8, 0.125, 8, 0.125, 8]);
  using singular = matrix([
    [1, 0],
    [0, 0],
  ]);
  expect(valueOf(conditionNumber(singular.matrix()) as never)).toBe(Infinity);
  expect(valueOf(conditionNumber(singular.matrix(), { ord: -2 }) as never)).toBe(0);
  // As in NumPy; quotients of zeros would be NaN.
  using zeros = Tensor.zeros([3, 2], { dtype: "float64" });
  for (const ord of [2, -2]) expect(valueOf(conditionNumber(zeros.matrix(), { ord }) as never)).toBe(Infinity);
});

test("gradients equal differences", () => {
  // A tall matrix; each of its numbers is moved four times.
  const [m, n] = isLong ? [4, 3] : [3, 2];
  using a = matrixTensor(kinds["normal"]!(m, n, "float64", new Numbers(12)), m, n, "float64");
  using b = matrix([[1], [2], [-1], [3]].slice(0, m));
  const [x, y] = [a.matrix() as never as OperandLike<"float64", 2>, b.matrix()];
  expect(checkGradients(lstsq(x, y, { rcond: 0 }), [a, b] as never)).toBeLessThan(1e-6);
  expect(checkGradients(lstsq(x, y, { l2Regularizer: 0.5, rcond: 0 }), [a, b] as never)).toBeLessThan(1e-6);
  expect(checkGradients(pseudoInverse(x), [a] as never)).toBeLessThan(1e-6);
  for (const order of ["nuc", 2, -2, 1] as const)
    expect(checkGradients(norm(x, { ord: order, axes: [0, 1] }), [a] as never)).toBeLessThan(1e-6);
  expect(checkGradients(conditionNumber(x), [a] as never)).toBeLessThan(1e-6);
});

test("gradients of pseudo-inverses and least squares know nothing of vectors: equal singular values, and all orders", () => {
  // Identities, whose singular values are equal, square, tall and wide: the vectors of the decomposition are any.
  for (const rows of [
    [
      [1, 0],
      [0, 1],
    ],
    [
      [1, 0],
      [0, 1],
      [0, 0],
    ],
    [
      [0, 2, 0],
      [2, 0, 0],
    ],
  ]) {
    using a = matrix(rows);
    using weights = matrix(rows[0]!.map((_, i) => rows.map((__, j) => 1 + 2 * i + j * j)));
    using b = matrix(rows.map((_, i) => [1 + i, 3 - i * i]));
    const inverse = pseudoInverse(a.matrix()) as never as Any;
    expect(checkGradients(inverse.mul(weights.matrix()).sum(), [a] as never)).toBeLessThan(1e-8);
    expect(checkGradients(lstsq(a.matrix(), b.matrix(), { rcond: 1e-14 }), [a, b] as never)).toBeLessThan(1e-8);
    const [first] = gradients(inverse.mul(weights.matrix()).sum(), [a]) as never as [Any];
    expect(checkGradients(first, [a] as never)).toBeLessThan(1e-7);
  }
});

test("the gradient of a complex pseudo-inverse can be differentiated again, as that of its formula for a row", () => {
  using a = Tensor.zeros([1, 2], { dtype: "complex128" });
  a.flat().data.set([1, 2, 3, -1]);
  const row = a.matrix().chip(0) as never as Any;
  const byFormula = row.conj().div(row.abs().square().sum().cast("complex128"));
  const of = (inverse: Any): number[] => {
    const [first] = gradients(inverse.chip(0).real(), [a]) as never as [Any];
    expect(checkGradients(first, [a] as never)).toBeLessThan(1e-8);
    const [second] = gradients(first.chip(0).chip(0).imag(), [a]) as never as [Any];
    return numbersIn(valueOf(second));
  };
  const found = of((pseudoInverse(a.matrix()) as never as Any).reshape([2]));
  of(byFormula).forEach((value, k) => expect(found[k]).toBeCloseTo(value, 12));
});

test("a pseudo-inverse keeps the rank of a matrix without full rank, and its gradient is that of changes which do", () => {
  // A = x y^T: the pseudo-inverse is y x^T / (|x|^2 |y|^2).
  using x = matrix([[1], [2], [-1]]);
  using y = matrix([[2, 1]]);
  const product = x.matrix().matMul(y.matrix()) as never as Any;
  const inverse = pseudoInverse(product) as never as Any;
  using weights = matrix([
    [1, 2, 3],
    [4, -1, 2],
  ]);
  expect(checkGradients(inverse.mul(weights.matrix()).sum(), [x, y] as never)).toBeLessThan(1e-7);
});

test("wrong operands are refused", () => {
  using a = matrix([
    [1, 2, 3],
    [4, 5, 6],
  ]);
  using b = matrix([[1], [2], [3]]);
  expect(() => lstsq(a.matrix(), b.matrix())).toThrow(/2 and 3 rows/);
  expect(() => lstsq(a.matrix(), a.matrix(), { l2Regularizer: -1 })).toThrow(/l2Regularizer is a number from 0/);
  expect(() => conditionNumber(a.matrix(), { ord: 1 })).toThrow(/square/);
  expect(() => lstsq(a.matrix(), a.matrix(), { fast: true, rcond: 0 })).toThrow(/exclude each other/);
  using none = Tensor.zeros([3, 0], { dtype: "float64" });
  expect(() => norm(none.matrix(), { ord: -2, axes: [0, 1] })).toThrow(/no singular values/);
  using empty = Tensor.zeros([0, 0], { dtype: "float64" });
  for (const ord of [2, -2, 1, Infinity, "fro", "nuc"] as const)
    expect(() => conditionNumber(empty.matrix(), { ord })).toThrow(/conditionNumber: a matrix without elements/);
  expect(() => conditionNumber(a.matrix(), { ord: 3 })).toThrow(/the order is/);
});

// qr: LAPACK's ratios on its kinds of matrices, TensorFlow's signs and shapes, batches, NaN.
import { expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkGradients, gradients } from "@onebuffer/gradients";
import { qr } from "@onebuffer/linalg";
import { isLong } from "@onebuffer/test-support";
import { eachCase } from "./cases.ts";
import { matrixTensor, operand, rowsOf } from "./decomposed.ts";
import { kinds, Numbers } from "./matrix-kinds.ts";
import { differenceRatio, kThreshold, orthogonalityRatio, product } from "./ratios.ts";

test("Q R is the matrix, Q is orthonormal and R triangular", () => {
  let number = 0;
  eachCase(
    "any",
    (rows) => rows,
    ({ kind, m, n, dtype, by, rows, tensor, unit }) => {
      const fullMatrices = number++ % 2 === 0;
      const { q, r } = qr(operand(tensor), { fullMatrices });
      const kept = fullMatrices ? m : Math.min(m, n);
      const [left, right] = [rowsOf(q, by), rowsOf(r, by)];
      const name = `${kind} ${dtype} ${m} x ${n} by ${by}`;
      expect([name, left.length, right.length]).toEqual([name, m, kept]);
      const ratios = [differenceRatio(rows, product(left, right, n), m, unit), orthogonalityRatio(left, kept, unit)];
      expect([name, ...ratios.map((each) => each < kThreshold)]).toEqual([name, true, true]);
      const below = right.flatMap((row, i) => row.filter((_, j) => j < i)).flat();
      expect([name, below.every((each) => each === 0)]).toEqual([name, true]);
    },
  );
});

test("signs are those of LAPACK and TensorFlow", () => {
  using a = Tensor.from([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  const { q, r } = qr(a.matrix());
  const near = (part: Expression<"float32", 2>, values: number[][]): void => {
    const flat = (evaluate(part).toArray() as number[][]).flat();
    flat.forEach((value, i) => expect(value).toBeCloseTo(values.flat()[i]!, 5));
  };
  near(r, [
    [-5.91608, -7.437357],
    [0, 0.8280787],
  ]);
  near(q, [
    [-0.1690309, 0.8970851],
    [-0.5070925, 0.2760266],
    [-0.8451543, -0.345033],
  ]);
  using identity = Tensor.from([
    [1, 0],
    [0, 1],
  ]);
  expect(evaluate(qr(identity.matrix()).q).toArray()).toEqual([
    [1, 0],
    [0, 1],
  ]);
});

test("empty matrices have TensorFlow's shapes", () => {
  const shapes = (m: number, n: number, fullMatrices: boolean): unknown => {
    using a = Tensor.zeros([m, n]);
    const { q, r } = qr(a.matrix(), { fullMatrices });
    return [evaluate(q).toArray(), [...r.dimensions]];
  };
  expect(shapes(0, 2, false)).toEqual([[], [0, 2]]);
  expect(shapes(2, 0, true)).toEqual([
    [
      [1, 0],
      [0, 1],
    ],
    [2, 0],
  ]);
  expect(shapes(2, 0, false)).toEqual([
    [[], []],
    [0, 0],
  ]);
});

test("each matrix of a batch is decomposed, of strided and computed operands", () => {
  using a = Tensor.from(
    [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [0, 1],
        [2, 3],
      ],
      [
        [5, 6],
        [7, 9],
      ],
    ],
    { dtype: "float64" },
  );
  for (const batch of [a.tensor(3), a.tensor(3).shuffle([0, 2, 1]), a.tensor(3).add(1)] as never as Expression<"float64", 3>[]) {
    const { q, r } = qr(batch);
    const wanted = (evaluate(batch).toArray() as number[][][]).flat(2);
    const products = (evaluate(q.matMul(r)).toArray() as number[][][]).flat(2);
    products.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 12));
  }
  using none = Tensor.zeros([2, 0, 3, 2]);
  expect([...qr(none.tensor(4) as never).q.dimensions]).toEqual([2, 0, 3, 2]);
});

test("NaN and infinities end, in NaN", () => {
  for (const value of [NaN, Infinity, -Infinity]) {
    using a = Tensor.from(
      [
        [1, value],
        [2, 3],
      ],
      { dtype: "float64" },
    );
    const { q, r } = qr(a.matrix());
    const all = [...(evaluate(q).toArray() as number[][]), ...(evaluate(r).toArray() as number[][])];
    expect(all.flat().some(Number.isNaN)).toBe(true);
    expect((evaluate(r).toArray() as number[][])[1]![0]).toBe(0);
  }
});

test("columns of very different magnitudes are as accurate as others", () => {
  const a = [
    [1e300, 3e-300, 1],
    [2e300, -1e-300, 4],
    [-1e300, 2e-300, 9],
  ];
  using tensor = Tensor.from(a, { dtype: "float64" });
  const { q, r } = qr(tensor.matrix());
  const [left, right] = [evaluate(q).toArray() as number[][], evaluate(r).toArray() as number[][]];
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      const sum = left[i]!.reduce((total, value, k) => total + value * right[k]![j]!, 0);
      expect(Math.abs(sum / a[i]![j]! - 1)).toBeLessThan(1e-14);
    }
  }
});

test("gradients equal differences", () => {
  for (const dtype of ["float64", "complex128"] as const) {
    for (const [m, n] of [
      [3, 3],
      [4, 2],
      [2, 4],
    ] as const) {
      // Complex matrices of one form, and real ones of all.
      if (!isLong && dtype === "complex128" && m <= n) continue;
      using a = matrixTensor(kinds["normal"]!(m, n, dtype, new Numbers(m + 7 * n)), m, n, dtype);
      const { q, r } = qr(a.matrix() as never as OperandLike<"float64", 2>);
      const product = q.matMul(r.square());
      if (isLong || m === n) expect(checkGradients(q.square().add(q), [a] as never)).toBeLessThan(1e-6);
      expect(checkGradients(product, [a] as never)).toBeLessThan(1e-6);
    }
  }
  using tall = Tensor.zeros([3, 1], { dtype: "float64" });
  expect(() => gradients(qr(tall.matrix(), { fullMatrices: true }).q.sum(), [tall])).toThrow(
    expect.objectContaining({ code: "UNIMPLEMENTED" }),
  );
});

test("wrong operands are refused", () => {
  const vector = tensorMap("float32", new Float32Array(4), [4]);
  expect(() => qr(vector)).toThrow(
    expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(/rank >= 2, got 1/) }),
  );
  // @ts-expect-error: matrices of integers have no decomposition
  expect(() => qr(tensorMap("int32", new Int32Array(4), [2, 2]))).toThrow(/int32/);
  // @ts-expect-error: the option is called fullMatrices
  expect(() => qr(vector.reshape([2, 2]), { full: true })).toThrow(/full/);
});

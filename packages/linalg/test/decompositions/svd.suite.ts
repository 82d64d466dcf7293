// svd: LAPACK's ratios on its kinds of matrices, TensorFlow's order of parts, shapes and answers to NaN, gradients.
import { expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { evaluate } from "@onebuffer/eigen";
import type { OperandLike } from "@onebuffer/expression";
import { checkGradients, gradients } from "@onebuffer/gradients";
import { svd } from "@onebuffer/linalg";
import { isLong } from "@onebuffer/test-support";
import { eachCase } from "./cases.ts";
import { distanceFromOrthonormal, largestOf, matrixTensor, operand, rowsOf } from "./decomposed.ts";
import { kinds, Numbers } from "./matrix-kinds.ts";
import { adjoint, differenceRatio, kThreshold, orthogonalityRatio, product } from "./ratios.ts";

/** Expressions of vectors, whose dtypes need not be followed. */
type Any = ReturnType<typeof JSON.parse>;

test("U diag(s) V^H is the matrix, U and V are unitary and s descends", () => {
  let number = 0;
  eachCase(
    "any",
    (rows) => rows,
    ({ kind, m, n, dtype, by, rows, tensor, unit }) => {
      const fullMatrices = number++ % 2 === 0;
      const { s, u, v } = svd(operand(tensor), { fullMatrices });
      const count = Math.min(m, n);
      const [left, right] = [rowsOf(u, by), rowsOf(v, by)];
      const values = (rowsOf(s as never, by)[0] ?? []).map(([re]) => re);
      const name = `${kind} ${dtype} ${m} x ${n} by ${by}`;
      const scaled = left.map((row) => values.map((each, j): [number, number] => [row[j]![0] * each, row[j]![1] * each]));
      const size = Math.max(m, n);
      const ratios = [
        differenceRatio(rows, product(scaled, adjoint(right, count), n), size, unit),
        orthogonalityRatio(left, fullMatrices ? m : count, unit),
        orthogonalityRatio(right, fullMatrices ? n : count, unit),
      ];
      expect([name, ...ratios.map((each) => each < kThreshold)]).toEqual([name, true, true, true]);
      expect([name, values.every((each, k) => each >= 0 && (k === 0 || values[k - 1]! >= each))]).toEqual([name, true]);
      if (number % 4 !== 0) return;
      const alone = (rowsOf(svd(operand(tensor), { computeUv: false }).s as never, by)[0] ?? []).map(([re]) => re);
      expect([name, alone.every((each, k) => Math.abs(each - values[k]!) <= 30 * size * unit * (values[0] ?? 0))]).toEqual([name, true]);
    },
  );
});

test("the parts are s, u and v, not v^H", () => {
  using a = Tensor.from([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
  const { s, u, v } = svd(a.matrix());
  (evaluate(s).toArray() as number[]).forEach((each, k) => expect(each).toBeCloseTo([9.525518, 0.5143006][k]!, 5));
  const magnitudes = (rows: unknown): number[] => (rows as number[][]).flat().map((each) => Math.round(Math.abs(each) * 1e5) / 1e5);
  expect(magnitudes(evaluate(u).toArray())).toEqual([0.22985, 0.88346, 0.52474, 0.24078, 0.81964, 0.4019]);
  expect(magnitudes(evaluate(v).toArray())).toEqual([0.61963, 0.78489, 0.78489, 0.61963]);
  using c = Tensor.zeros([2, 3], { dtype: "complex128" });
  const parts = svd(c.matrix());
  expect([parts.s.dtype, parts.u.dtype, [...parts.v.dimensions]]).toEqual(["float64", "complex128", [3, 2]]);
});

test("empty matrices have TensorFlow's shapes, and NaN and infinities give NaN", () => {
  using none = Tensor.zeros([0, 3]);
  const { s, u, v } = svd(none.matrix(), { fullMatrices: true });
  expect([evaluate(s).toArray(), evaluate(u).toArray(), evaluate(v).toArray()]).toEqual([
    [],
    [],
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  ]);
  for (const value of [NaN, Infinity]) {
    using a = Tensor.from([
      [
        [1, 0, 2],
        [0, value, 1],
      ],
      [
        [3, 0, 0],
        [0, 4, 0],
      ],
    ]);
    const parts = svd(a.tensor(3));
    expect(evaluate(parts.s).toArray()).toEqual([
      [NaN, NaN],
      [4, 3],
    ]);
    expect((evaluate(parts.v).toArray() as number[][][])[0]!.flat().every(Number.isNaN)).toBe(true);
  }
});

test("small singular values of a graded bidiagonal matrix have relative accuracy", () => {
  // Without vectors: implicit QR from the large end.
  using a = Tensor.from(
    [
      [1, 0, 0],
      [0, 1e-8, 0],
      [0, 0, 1e-15],
    ],
    { dtype: "float64" },
  );
  (evaluate(svd(a.matrix(), { computeUv: false }).s).toArray() as number[]).forEach((each, k) => {
    expect(Math.abs(each / [1, 1e-8, 1e-15][k]! - 1)).toBeLessThan(1e-15);
  });
});

test.each([1e-100, 1e-158, 1e-160, 3e-162, 1e-170])("halves of a division with elements of %p between them", (tiny) => {
  const n = 33;
  using a = Tensor.eye(n, { dtype: "float64" });
  a.matrix().set(15, 15, tiny);
  a.matrix().set(15, 16, tiny);
  const { s, u, v } = svd(a.matrix());
  expect(distanceFromOrthonormal(v, n)).toBeLessThan(1e-14);
  expect(distanceFromOrthonormal(u, n)).toBeLessThan(1e-14);
  expect(largestOf((u as Any).mul(s).matMul(v.transpose()).sub(a.matrix()))).toBeLessThan(1e-14);
});

test("gradients equal differences", () => {
  type Operand = OperandLike<"float64", 2>;
  const parts: readonly ((a: Operand) => OperandLike<"float64", number>)[] = [
    (a) => svd(a).s.square(),
    (a) => svd(a).u.abs().square(),
    (a) => svd(a).v.abs().square().mul(svd(a).s),
    (a) => svd(a, { computeUv: false }).s,
  ];
  // Square, tall and wide; each number of a matrix is moved four times.
  const forms = isLong ? ([[3, 3], [4, 2], [2, 4]] as const) : ([[2, 2], [3, 2], [2, 3]] as const); // biome-ignore format: a line per table
  for (const [at, dtype] of (["float64", "complex128"] as const).entries()) {
    for (const [k, [m, n]] of forms.entries()) {
      using a = matrixTensor(kinds["normal"]!(m, n, dtype, new Numbers(m * 5 + n)), m, n, dtype);
      // In the short form a square matrix has two of the parts, the others each one; complex ones the others.
      for (const [p, part] of parts.entries())
        if (isLong || (p + 2 * at) % forms.length === k)
          expect(checkGradients(part(a.matrix() as never as Operand) as never, [a] as never)).toBeLessThan(1e-6);
    }
  }
  using tall = Tensor.zeros([3, 1], { dtype: "float64" });
  expect(() => gradients(svd(tall.matrix(), { fullMatrices: true }).u.sum(), [tall])).toThrow(
    expect.objectContaining({ code: "UNIMPLEMENTED" }),
  );
});

test("wrong operands and options are refused, and without vectors there are none", () => {
  using a = Tensor.zeros([2, 2]);
  expect(() => svd(a.vec() as never)).toThrow(expect.objectContaining({ code: expect.any(String) }));
  expect(() => svd(a.matrix(), { computeUv: 1 as never })).toThrow(/computeUv is a boolean/);
  // @ts-expect-error: without vectors there is no u
  expect(svd(a.matrix(), { computeUv: false }).u).toBeUndefined();
});

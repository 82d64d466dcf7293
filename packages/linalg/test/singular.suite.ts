// What cannot be computed: singular and indefinite matrices, wrong operands, empty matrices; and what TensorFlow answers for them.
import { expect, test } from "@jest/globals";
import { constant, evaluate, tensorMap } from "@onebuffer/eigen";
import { Tensor } from "@onebuffer/core";
import {
  cholesky,
  choleskySolve,
  conditionNumber,
  cross,
  determinant,
  inverse,
  kron,
  logDeterminant,
  lstsq,
  lu,
  luSolve,
  matrixPower,
  norm,
  pseudoInverse,
  qr,
  schur,
  solve,
  svd,
  tensorsolve,
  triangularSolve,
} from "@onebuffer/linalg";

const float64 = (values: readonly number[], dims: readonly number[]): ReturnType<typeof tensorMap<"float64", [number, number]>> =>
  tensorMap("float64", Float64Array.from(values), dims as [number, number]);
const refused = (message: RegExp): unknown =>
  expect.objectContaining({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) });

const one = float64([1, 2, 3, 4], [2, 2]);
const singular = float64([1, 2, 2, 4], [2, 2]);
const batch = float64([1, 2, 3, 4, 1, 2, 2, 4, 5, 6, 7, 8], [3, 2, 2]);
const complex = tensorMap("complex128", Float64Array.of(1, 0, 0, 2, 0, 1, -2, 0), [2, 2]);
const vector = float64([1, 2], [2]);

test.each<[string, () => unknown, RegExp]>([
  ["solve of a singular matrix", () => solve(singular, vector), /solve: Input matrix is not invertible\. \(pivot 1 is 0\)/],
  [
    "solve of a batch with one",
    () => solve(batch, batch),
    /solve: Input matrix is not invertible\. \(matrix 1 of the batch, pivot 1 is 0\)/,
  ],
  [
    "solve of a singular matrix of complex numbers",
    () => solve(complex, complex).real(),
    /solve: Input matrix is not invertible\. \(pivot 1 is 0\)/,
  ],
  [
    "cholesky of an indefinite matrix of complex numbers",
    () => cholesky(complex).real(),
    /not positive definite \(pivot 1 is not positive\)/,
  ],
  ["solve of NaN", () => solve(float64([NaN, 1, 1, 1], [2, 2]), vector), /not invertible\. \(pivot 0 is NaN\)/],
  ["inverse of zeros", () => inverse(float64([0, 0, 0, 0], [2, 2])), /inverse: Input matrix is not invertible\. \(pivot 0 is 0\)/],
  ["lu of a singular matrix", () => lu(singular).lu, /lu: Input matrix is not invertible/],
  ["cholesky of an indefinite matrix", () => cholesky(float64([1, 2, 2, 1], [2, 2])), /not positive definite \(pivot 1 is not positive\)/],
  [
    "cholesky of a batch with one",
    () => cholesky(float64([1, 0, 0, 1, 0, 0, 0, 0], [2, 1, 2, 2])),
    /matrix \[1, 0\] of the batch, pivot 0/,
  ],
])("%s is an error, and the target stays as it was", (_, make, message) => {
  const expression = make() as typeof one;
  using target = Tensor.zeros(expression.dimensions, { dtype: "float64" });
  const out = target.tensor(expression.dimensions.length) as unknown as typeof one;
  out.assign(7);
  for (let round = 0; round < 3; round++) expect(() => out.assign(expression)).toThrow(refused(message));
  expect(() => evaluate(expression.add(1))).toThrow(refused(message));
  expect((target.toArray() as unknown[]).flat(9).every((value) => value === 7)).toBe(true);
});

test("check: false gives NaN for the matrices that fail, and the others their results", () => {
  const x = evaluate(solve(batch, batch, { check: false })).toArray() as unknown as number[][][];
  const close = (rows: number[][], wanted: number[][]): void =>
    rows.flat().forEach((value, k) => expect(value).toBeCloseTo(wanted.flat()[k]!, 12));
  close(x[0]!, [
    [1, 0],
    [0, 1],
  ]);
  close(x[2]!, [
    [1, 0],
    [0, 1],
  ]);
  expect(x[1]!.flat()).toEqual([NaN, NaN, NaN, NaN]);
  expect(
    evaluate(solve(complex, complex, { check: false }).real())
      .toArray()
      .flat(),
  ).toEqual([NaN, NaN, NaN, NaN]);
  expect(evaluate(cholesky(complex, { check: false }).real()).toArray()).toEqual([
    [NaN, 0],
    [NaN, NaN],
  ]);
  const factors = evaluate(cholesky(float64([4, 9, 2, 5, 1, 2, 2, 1], [2, 2, 2]), { check: false })).toArray();
  expect(factors).toEqual([
    [
      [2, 0],
      [1, 2],
    ],
    [
      [NaN, 0],
      [NaN, NaN],
    ],
  ]);
  expect(evaluate(inverse(singular, { check: false })).toArray()).toEqual([
    [NaN, NaN],
    [NaN, NaN],
  ]);
});

test("determinants of singular matrices are 0", () => {
  expect(Number(evaluate(determinant(singular)).toArray())).toBeCloseTo(0, 14);
  expect((evaluate(determinant(batch)).toArray() as unknown as number[])[1]).toBeCloseTo(0, 14);
  const { sign, logAbsDeterminant } = logDeterminant(float64([0, 0, 0, 1], [2, 2]));
  expect([Number(evaluate(sign).toArray()) + 0, evaluate(logAbsDeterminant).toArray()]).toEqual([0, -Infinity]);
});

test("empty matrices", () => {
  const none = float64([], [0, 0]);
  expect(evaluate(inverse(none)).dimensions).toEqual([0, 0]);
  expect(evaluate(determinant(none)).toArray()).toBe(1);
  expect(evaluate(logDeterminant(none).logAbsDeterminant).toArray()).toBe(0);
  expect(evaluate(cholesky(float64([], [2, 0, 0]))).dimensions).toEqual([2, 0, 0]);
  expect(evaluate(solve(none, float64([], [0, 3]))).dimensions).toEqual([0, 3]);
  expect(evaluate(solve(one, float64([], [2, 0]))).dimensions).toEqual([2, 0]);
  expect(evaluate(solve(float64([], [0, 2, 2]), float64([], [0, 2]))).dimensions).toEqual([0, 2]);
  expect(evaluate(lu(none).p).dimensions).toEqual([0]);
});

test("batches are broadcast, and vectors are right-hand sides", () => {
  const x = evaluate(solve(one, float64([5, 6, 11, 16], [2, 2, 1]))).dimensions;
  expect(x).toEqual([2, 2, 1]);
  expect(evaluate(solve(float64([1, 0, 0, 1, 2, 0, 0, 2], [2, 2, 2]), vector)).toArray()).toEqual([
    [1, 2],
    [0.5, 1],
  ]);
  expect(evaluate(triangularSolve(one, vector)).toArray()).toEqual([1, -0.25]);
  expect(evaluate(triangularSolve(float64([0, 0, 1, 1], [2, 2]), vector)).toArray()).toEqual([Infinity, -Infinity]);
});

test.each<[string, () => unknown, RegExp]>([
  ["a vector", () => inverse(vector), /rank >= 2, got 1/],
  ["another shape", () => determinant(float64([1, 2, 3, 4, 5, 6], [2, 3])), /must be square, got 2 x 3/],
  ["integers", () => inverse(tensorMap("int32", new Int32Array(4), [2, 2]) as never), /not of int32/],
  ["other rows", () => solve(one, float64([1, 2, 3], [3])), /incompatible: 2 and 3 rows/],
  ["another dtype", () => solve(one, tensorMap("float32", new Float32Array(2), [2]) as never), /different dtypes/],
  ["other batches", () => choleskySolve(batch, float64(new Array(8).fill(1), [2, 2, 2])), /batches are incompatible/],
  ["an unknown option", () => solve(one, vector, { adjont: true } as never), /adjont/],
  ["a product with a vector and null as options", () => one.matMul(vector, null as never), /expected options such as/],
  ["an option of another type", () => solve(one, vector, { adjoint: 1 } as never), /adjoint is a boolean, got 1/],
])("%s is refused where the call is written", (_, call, message) => {
  expect(call).toThrow(refused(message));
});

const single = tensorMap("float32", new Float32Array(4), [2, 2]);
const huge = constant("float64", 1, [2 ** 26, 2 ** 26]);
const tall = constant("float64", 1, [2 ** 27, 2]);

test.each<[string, () => unknown, RegExp]>([
  [
    "lstsq by normal equations",
    () => evaluate(lstsq(singular, vector, { fast: true })),
    /^lstsq: .*not positive definite \(pivot 1 is not positive\); \{ rcond \} in place of \{ fast: true \}/,
  ],
  [
    "lstsq of complex numbers",
    () => evaluate(lstsq(complex.mul(0), complex, { fast: true }).real()),
    /^lstsq: .*\(pivot 0 is not positive\); \{ rcond \}/,
  ],
  ["cholesky", () => evaluate(cholesky(singular)), /^cholesky: .*\{ check: false \} gives NaN instead$/],
  ["tensorsolve", () => evaluate(tensorsolve(singular, vector)), /^tensorsolve: Input matrix is not invertible\. \(pivot 1 is 0\)$/],
  ["tensorsolve of two dtypes", () => tensorsolve(one, single as never), /^tensorsolve\(float64 \[2, 2\], float32 \[2, 2\]\): .*dtypes/],
  [
    "tensorsolve of integers",
    () => tensorsolve(constant("int32", 1, [3, 3]) as never, constant("int32", 1, [3]) as never),
    /^tensorsolve\(int32 \[3, 3\]\): matrices of/,
  ],
  ["matrixPower", () => evaluate(matrixPower(singular, -2)), /^matrixPower: Input matrix is not invertible\. \(pivot 1 is 0\)$/],
  ["conditionNumber", () => evaluate(conditionNumber(singular, { ord: 1 })), /^conditionNumber: Input matrix is not invertible/],
  ["conditionNumber by values", () => evaluate(conditionNumber(singular, { ord: "nuc" })), /^conditionNumber: Input matrix is not/],
  ["kron of two dtypes", () => kron(one, single as never), /^kron\(float64 \[2, 2\], float32 \[2, 2\]\): .*different dtypes/],
  [
    "kron of two batches",
    () => kron(batch, constant("float64", 1, [2, 1, 1])),
    /^kron\(float64 \[3, 2, 2\], float64 \[2, 1, 1\]\): .*incompatible/,
  ],
  [
    "cross of two dtypes",
    () => cross(constant("float64", 1, [3]), constant("float32", 1, [3]) as never),
    /^cross\(float64 \[3\], float32 \[3\]\)/,
  ],
  [
    "cross of two batches",
    () => cross(constant("float64", 1, [2, 3]), constant("float64", 1, [4, 3])),
    /^cross\(float64 \[2, 3\], float64 \[4, 3\]\)/,
  ],
  [
    "svd",
    () => svd(huge),
    /^svd\(float64 \[67108864, 67108864\]\): the result, of parts \[67108864\], \[67108864, 67108864\] and \[67108864, 67108864\], has more than 2\^53 - 1 elements$/,
  ],
  ["svd of full matrices", () => svd(tall, { fullMatrices: true }), /^svd\(float64 \[134217728, 2\]\): .*\[134217728, 134217728\]/],
  ["qr", () => qr(huge), /^qr\(float64 \[67108864, 67108864\]\): the result, of parts .* more than 2\^53 - 1 elements/],
  ["schur", () => schur(huge), /^schur\(float64 .* more than 2\^53 - 1 elements/],
  ["pseudoInverse", () => pseudoInverse(huge), /^pseudoInverse\(float64 .* more than 2\^53 - 1 elements/],
  ["lstsq by QR", () => lstsq(huge, constant("float64", 1, [2 ** 26])), /^lstsq\(float64 .* more than 2\^53 - 1 elements/],
  [
    "lstsq by singular values",
    () => lstsq(huge, constant("float64", 1, [2 ** 26]), { rcond: 0 }),
    /^lstsq\(float64 .* more than 2\^53 - 1 elements/,
  ],
])("the error of %s names the function that was called, and what it takes", (_, call, message) => {
  expect(call).toThrow(refused(message));
});

test.each([false, true])("luSolve takes one factorization for a batch of right-hand sides (adjoint %p)", (adjoint) => {
  const { lu: factors, p } = lu(one);
  const right = float64([5, 6, 7, 8, 9, 10], [3, 2, 1]);
  const wanted = evaluate(solve(one, right, { adjoint }))
    .toArray()
    .flat(2)
    .map(Number);
  const given = evaluate(luSolve(factors, p, right, { adjoint }))
    .toArray()
    .flat(2)
    .map(Number);
  given.forEach((value, k) => expect(value).toBeCloseTo(wanted[k]!, 13));
  const stacked = lu(float64([1, 2, 3, 4], [1, 2, 2]));
  expect(
    evaluate(luSolve(stacked.lu, stacked.p, right, { adjoint }))
      .toArray()
      .flat(2),
  ).toEqual(given);
  for (const wrong of [[0], [0, 1, 2]]) {
    const rows = tensorMap("int32", Int32Array.from(wrong), [wrong.length]);
    expect(() => luSolve(factors, rows, right, { adjoint })).toThrow(refused(/p is int32 \[3, 2\]/));
  }
});

test("complex numbers near the largest one are divided without overflow", () => {
  const large = 2 ** 1023;
  const [right, left] = [
    tensorMap("complex128", Float64Array.of(large, large), [1, 1]),
    tensorMap("complex128", Float64Array.of(large, -large), [1, 1]),
  ];
  expect(evaluate(solve(right, right)).toArray()).toEqual([[[1, 0]]]);
  expect(evaluate(solve(left, right)).toArray()).toEqual([[[0, 1]]]);
});

test("an infinity on the diagonal has an infinite pivot, in small batches and alone", () => {
  for (const count of [1, 2]) {
    const values = Array.from({ length: count }, () => [4, 2, 0, 2, Infinity, 3, 0, 3, 9]).flat();
    expect(evaluate(cholesky(float64(values, [count, 3, 3]))).toArray()).toEqual(
      Array.from({ length: count }, () => [
        [2, 0, 0],
        [1, Infinity, 0],
        [0, 0, 3],
      ]),
    );
  }
});

test.each([false, true])("luSolve refuses what is no row of its matrix, also where it is one of another (adjoint %p)", (adjoint) => {
  const factors = tensorMap("float64", Float64Array.of(1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1), [3, 2, 2]);
  const right = constant("float64", 1, [3, 2, 1]) as never;
  for (const wrong of [-1, 2, 5, 2 ** 31 - 1, -(2 ** 31)]) {
    const p = tensorMap("int32", Int32Array.of(0, 1, 1, wrong, 0, 1), [3, 2]);
    expect(() => evaluate(luSolve(factors, p as never, right, { adjoint }))).toThrow(refused(/^gather: indices\[3\] = /));
  }
  const p = tensorMap("int32", Int32Array.of(0, 1, 1, 0, 1, 0), [3, 2]);
  expect((evaluate(luSolve(factors, p as never, right, { adjoint })) as never as { toArray(): unknown }).toArray()).toEqual([
    [[1], [1]],
    [[1], [1]],
    [[1], [1]],
  ]);
});

/** The functions with options that are true or false, with the names of these options. */
const kFlags: readonly (readonly [string, (options: never) => unknown, readonly string[]])[] = [
  ["solve", (options) => solve(one, vector, options), ["adjoint", "check"]],
  ["inverse", (options) => inverse(one, options), ["adjoint", "check"]],
  ["cholesky", (options) => cholesky(one, options), ["check"]],
  ["lu", (options) => lu(one, options), ["check"]],
  ["luSolve", (options) => luSolve(one, tensorMap("int32", Int32Array.of(0, 1), [2]), vector, options), ["adjoint"]],
  ["triangularSolve", (options) => triangularSolve(one, vector, options), ["lower", "adjoint", "unitDiagonal"]],
  ["qr", (options) => qr(one, options), ["fullMatrices"]],
  ["svd", (options) => svd(one, options), ["fullMatrices", "computeUv"]],
  ["lstsq", (options) => lstsq(one, vector, options), ["fast"]],
  ["norm", (options) => norm(one, options), ["keepDims"]],
];

test.each(kFlags)("options of %s are booleans, of which undefined is the default and null is refused", (call, made, names) => {
  // The tree of an expression has the attributes of its nodes.
  const shown = (options: object): string => JSON.stringify(made(options as never));
  for (const name of names) {
    expect(shown({ [name]: undefined })).toBe(shown({}));
    for (const [value, text] of [
      [null, "null"],
      [1, "1"],
    ])
      expect(() => made({ [name]: value } as never)).toThrow(refused(new RegExp(`^${call}: ${name} is a boolean, got ${text}$`)));
  }
});

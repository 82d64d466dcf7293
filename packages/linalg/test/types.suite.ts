// Types: dtype and rank go from operands to results, and operands that do not fit do not compile.
import { expect, test } from "@jest/globals";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import type { Expression } from "@onebuffer/eigen";
import {
  bandPart,
  choleskySolve,
  cross,
  determinant,
  diag,
  diagPart,
  inverse,
  kron,
  lstsq,
  lu,
  luSolve,
  norm,
  schur,
  solve,
  sqrtm,
  tensorsolve,
  trace,
  triangularSolve,
  tridiagonalSolve,
} from "@onebuffer/linalg";

const a = tensorMap("float64", Float64Array.of(2, 0, 0, 2), [2, 2]);
const b = tensorMap("float64", Float64Array.of(2, 4), [2]);
const single = tensorMap("float32", Float32Array.of(2, 4), [2]);
const whole = tensorMap("int32", Int32Array.of(1, 2, 3, 4), [2, 2]);
const z = tensorMap("complex64", Float32Array.of(1, 2, 3, 4), [2]);

test("results have the dtypes and ranks of their types", () => {
  const x: Expression<"float64", 1> = solve(a, b);
  const y: Expression<"float64", 1> = lstsq(a, b);
  const inverted: Expression<"float64", 2> = inverse(a);
  const number: Expression<"float64", 0> = determinant(a);
  const places: Expression<"int32", 1> = lu(a).p;
  const band: Expression<"int32", 2> = bandPart(whole, 0, -1);
  const sum: Expression<"int32", 0> = trace(whole);
  const raised: Expression<"float64", 2> = diag(b);
  const lowered: Expression<"int32", 1> = diagPart(whole);
  const products: Expression<"int32", 2> = kron(whole, whole);
  const length: Expression<"float32", number> = norm(z);
  const root: Expression<"float64", 2> = sqrtm(a);
  const triangle: Expression<"float64", 2> = schur(a).t;
  const solved: Expression<"float64", number> = tensorsolve(a, b);
  const shown = [x, y, inverted, number, places, band, sum, raised, lowered, products, length, root, triangle, solved].map(
    ({ dtype, rank }) => `${dtype} ${rank}`,
  );
  expect(shown.join(", ")).toBe(
    "float64 1, float64 1, float64 2, float64 0, int32 1, int32 2, int32 0, float64 2, int32 1, int32 2, float32 0, float64 2, float64 2, float64 1",
  );
});

test("solutions have the rank of their types, whichever of both operands has the batch", () => {
  const stack = tensorMap("float64", Float64Array.of(2, 0, 0, 2, 4, 0, 0, 4), [2, 2, 2]);
  const places = tensorMap("int32", Int32Array.of(0, 1, 0, 1), [2, 2]);
  const vectors: Expression<"float64", 2> = solve(stack, b);
  // A b of one dimension less than the matrices is a batch of vectors; of the same rank it is matrices.
  const paired: Expression<"float64", 2> = solve(stack, a);
  const matrices: Expression<"float64", 3> = solve(a, stack);
  const wide: Expression<"float64", 4> = solve(stack.expandDims(0), a);
  const unknown: Expression<"float64", number> = solve(stack as Expression<"float64", number>, b);
  const others: readonly Expression<"float64", 2>[] = [
    choleskySolve(stack, b),
    triangularSolve(stack, b),
    luSolve(stack, places, b),
    lstsq(stack, b),
    tridiagonalSolve(tensorMap("float64", new Float64Array(12), [2, 3, 2]), b),
  ];
  expect([vectors, paired, matrices, wide, unknown].map(({ rank }) => rank)).toEqual([2, 2, 3, 4, 2]);
  expect(others.map(({ rank }) => rank)).toEqual([2, 2, 2, 2, 2]);
  // @ts-expect-error the batch of the matrices is a dimension of the solution
  const x: Expression<"float64", 1> = vectors;
  expect(() => evaluate(x).at(0)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  // @ts-expect-error the rank is not known
  const y: Expression<"float64", 1> = unknown;
  expect(y.rank).toBe(2);
});

test("what does not compile is refused", () => {
  const refused = expect.objectContaining({ code: "INVALID_ARGUMENT" });
  // @ts-expect-error the right-hand side has another dtype
  expect(() => solve(a, single)).toThrow(refused);
  // @ts-expect-error integers are not factored
  expect(() => inverse(whole)).toThrow(refused);
  // @ts-expect-error integers have no root
  expect(() => sqrtm(whole)).toThrow(refused);
  // @ts-expect-error integers have no norm
  expect(() => norm(whole)).toThrow(refused);
  // @ts-expect-error there is no such option
  expect(() => solve(a, b, { transposed: true })).toThrow(refused);
  // @ts-expect-error the operands have different dtypes
  expect(() => cross(b, single)).toThrow();
});

// What XLA has of linear algebra is written as its operations; the rest is UNIMPLEMENTED by name.
import { expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import {
  cholesky,
  determinant,
  eigh,
  eigvals,
  expm,
  inverse,
  logm,
  qr,
  schur,
  solve,
  sqrtm,
  svd,
  tridiagonalSolve,
  triangularSolve,
} from "@onebuffer/linalg";
import { toStableHLO } from "@onebuffer/stablehlo";

const a = tensorMap("complex64", Float32Array.of(4, 0, 2, 1, 2, -1, 5, 0), [2, 2]);

test("Cholesky factors and triangular systems", () => {
  const { text } = toStableHLO([cholesky(a), triangularSolve(a, a, { lower: false, adjoint: true })]);
  expect(text).toMatch(/"stablehlo.cholesky"\(%\w+\) <\{lower = true\}> : \(tensor<2x2xcomplex<f32>>\) -> \(tensor<2x2xcomplex<f32>>\)/);
  expect(text).toMatch(/stablehlo.select/);
  expect(text).toMatch(
    /"stablehlo.triangular_solve".* <\{left_side = true, lower = false, unit_diagonal = false, transpose_a = #stablehlo<transpose ADJOINT>\}>/,
  );
});

const real = tensorMap("float32", Float32Array.of(4, 1, 1, 3, 2, 5), [3, 2]);
const three = real.slice([0, 0], [2, 2]);

test.each([
  ["lu", () => solve(a, a), "LU factorization"],
  ["lu", () => inverse(three), "LU factorization"],
  ["lu", () => determinant(three), "LU factorization"],
  ["qr", () => qr(a).r, "signs of Q and R differ"],
  ["svd", () => svd(real, { computeUv: false }).s, "singular values"],
  ["eigh", () => eigh(a).v, "eigenvalues"],
  ["eig", () => eigvals(a), "eigenvalues"],
  ["schur", () => schur(three).t, "Schur forms"],
  ["sqrtm", () => sqrtm(a), "no operation"],
  ["logm", () => logm(a), "no operation"],
  ["expm", () => expm(a), "no operation"],
  ["tridiagonalSolve", () => tridiagonalSolve(real, tensorMap("float32", new Float32Array(2), [2])), "tridiagonal"],
])("%s is UNIMPLEMENTED there by name, with the reason", (name, make, reason) => {
  expect(() => toStableHLO([make() as never])).toThrow(
    expect.objectContaining({ code: "UNIMPLEMENTED", message: expect.stringMatching(new RegExp(`^toStableHLO: ${name}, of .*${reason}`)) }),
  );
});

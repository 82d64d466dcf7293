// What XLA has of linear algebra is written as its operations; the rest is UNIMPLEMENTED by name.
import { expect, test } from "@jest/globals";
import { tensorMap } from "@onebuffer/eigen";
import { cholesky, solve, tridiagonalSolve, triangularSolve } from "@onebuffer/linalg";
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

test.each([
  ["lu", () => solve(a, a)],
  [
    "tridiagonalSolve",
    () => tridiagonalSolve(tensorMap("float32", new Float32Array(6), [3, 2]), tensorMap("float32", new Float32Array(2), [2])),
  ],
])("%s has no form there", (name, make) => {
  expect(() => toStableHLO([make() as never])).toThrow(
    expect.objectContaining({ code: "UNIMPLEMENTED", message: expect.stringContaining(`toStableHLO: ${name}, of`) }),
  );
});

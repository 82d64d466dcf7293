// Gradients of the functions against differences, along random directions.
import { expect, test } from "@jest/globals";
import { evaluate, item, tensorMap } from "@onebuffer/eigen";
import type { Expression } from "@onebuffer/eigen";
import { gradients } from "@onebuffer/gradients";
import { cholesky, choleskySolve, determinant, expm, inverse, logDeterminant, logm, lu, luSolve } from "@onebuffer/linalg";
import { solve, sqrtm, triangularSolve } from "@onebuffer/linalg";
import { numbersIn, stream } from "./matrices.ts";

type Matrix = ReturnType<typeof tensorMap<"float64", [number, number, number]>>;

const n = 4;
const { normal } = stream(5);
const filled = (count: number): Float64Array<ArrayBuffer> => Float64Array.from({ length: count }, normal);
const b = tensorMap("float64", filled(2 * n * 2), [2, n, 2]);
// Far from singular, and so that small changes do not change the order of the pivots.
const start = Float64Array.from({ length: 2 * n * n }, (_, k) => normal() / 2 + (Math.floor(k / n) % n === k % n ? 6 : 0));
const positive = (a: Matrix): Matrix => a.matMul(a, { transposeB: true }) as never;

type Make = (a: Matrix, right: typeof b) => Expression<"float64", number>;

const cases: readonly (readonly [string, Make])[] = [
  ["solve", (a, right) => solve(a, right)],
  ["solve of vectors", (a, right) => solve(a, right.chip(0, 2) as never)],
  ["solve of the adjoint", (a, right) => solve(a, right, { adjoint: true })],
  ["inverse", (a) => inverse(a)],
  ["determinant", (a) => determinant(a)],
  ["logDeterminant", (a) => logDeterminant(a.neg()).logAbsDeterminant],
  ["cholesky", (a) => cholesky(positive(a))],
  ["choleskySolve", (a, right) => choleskySolve(cholesky(positive(a)), right)],
  ["lu", (a) => lu(a.reverse([1])).lu],
  ["luSolve", (a, right) => luSolve(lu(a.reverse([1])).lu, lu(a.reverse([1])).p, right)],
  ["luSolve of the adjoint", (a, right) => luSolve(lu(a.reverse([1])).lu, lu(a.reverse([1])).p, right, { adjoint: true })],
  ["triangularSolve", (a, right) => triangularSolve(a, right)],
  ["triangularSolve of the upper adjoint", (a, right) => triangularSolve(a, right, { lower: false, adjoint: true })],
  ["triangularSolve of ones", (a, right) => triangularSolve(a.mul(0.1), right, { unitDiagonal: true })],
];

test.each(cases)("%s", (_, make) => {
  const variable = tensorMap("float64", start.slice(), [2, n, n]);
  const right = tensorMap("float64", Float64Array.from(b.data), [2, n, 2]);
  const result = make(variable as never, right);
  const weights = tensorMap("float64", filled(result.size), [result.size]);
  const loss = (): Expression<"float64", 0> =>
    make(variable as never, right)
      .reshape([result.size])
      .mul(weights)
      .sum() as never;
  const variables = make.length === 2 ? [variable, right] : [variable];
  const given = gradients(loss(), variables as never) as unknown as Expression<"float64", number>[];
  variables.forEach((each, v) => {
    const direction = filled(each.size);
    const before = Float64Array.from(each.data);
    const at = (h: number): number => {
      each.data.set(before.map((value, k) => value + h * direction[k]!));
      return item(loss());
    };
    const h = 1e-5;
    const wanted = (at(h) - at(-h)) / (2 * h);
    each.data.set(before);
    const change = numbersIn(evaluate(given[v]!).toArray()).reduce((sum, value, k) => sum + value * direction[k]!, 0);
    expect(Math.abs(change - wanted)).toBeLessThan(1e-6 * (1 + Math.abs(wanted)));
  });
});

test.each([
  ["expm", expm],
  ["sqrtm", sqrtm],
  ["logm", logm],
] as const)("the gradient of %s is linear in that of the result, however large that is", (_, make) => {
  const a = tensorMap("float64", start.slice(0, n * n), [n, n]);
  const g = filled(n * n);
  const gradientFor = (scale: number): number[] => {
    const outputGradients = tensorMap(
      "float64",
      g.map((each) => each * scale),
      [n, n],
    );
    return numbersIn(evaluate(gradients(make(a), [a], { outputGradients })[0]).toArray()).map((each) => each / scale);
  };
  const wanted = gradientFor(1);
  const largest = Math.max(...wanted.map(Math.abs));
  for (const scale of [2 ** -100, 2 ** 27, 2 ** 200]) {
    const error = Math.max(...gradientFor(scale).map((each, k) => Math.abs(each - wanted[k]!)));
    expect(error).toBeLessThan(1e-13 * largest);
  }
  const zeros = numbersIn(evaluate(gradients(make(a), [a], { outputGradients: a.mul(0) })[0]).toArray());
  expect(zeros.every((each) => each === 0)).toBe(true);
});

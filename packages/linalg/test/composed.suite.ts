// The functions that are composed of others, and small solvers, against plain loops.
import { expect, test } from "@jest/globals";
import { evaluate, iota, item, tensorMap } from "@onebuffer/eigen";
import type { Expression } from "@onebuffer/eigen";
import { gradients } from "@onebuffer/gradients";
import {
  bandPart,
  cross,
  diag,
  diagPart,
  expm,
  kron,
  lstsq,
  matrixPower,
  norm,
  setDiag,
  tensorsolve,
  tridiagonalSolve,
} from "@onebuffer/linalg";
import { isLong } from "@onebuffer/test-support";
import { numbersIn, stream } from "./matrices.ts";

const { normal } = stream(11);
const random = (dims: readonly number[]): ReturnType<typeof tensorMap<"float64", [number, number]>> =>
  tensorMap("float64", Float64Array.from({ length: dims.reduce((a, b) => a * b, 1) }, normal), dims as [number, number]);
const counted = (rows: number, columns: number): Expression<"int32", 2> =>
  iota("int32", rows * columns)
    .add(1)
    .reshape([rows, columns]) as never;
const numbers = (expression: unknown): number[] => numbersIn([evaluate(expression as never).toArray()]);
const close = (given: readonly number[], wanted: readonly number[], error = 1e-12): void => {
  expect(given.length).toBe(wanted.length);
  given.forEach((value, k) => expect(Math.abs(value - wanted[k]!)).toBeLessThanOrEqual(error * (1 + Math.abs(wanted[k]!))));
};

test("the number of a diagonal is below 2^31", () => {
  const x = random([2, 3]);
  for (const k of [2 ** 31, -(2 ** 31), 2 ** 32]) expect(() => diagPart(x, k)).toThrow(/k is a whole number/);
  for (const k of [2 ** 31 - 1, -(2 ** 31) + 1])
    expect(() => diagPart(x, k)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

test("bands and diagonals of every shape", () => {
  const shapes = [
    [3, 3],
    [2, 4],
    [4, 2],
    [1, 1],
  ] as const;
  for (const [shape, [rows, columns]] of shapes.entries()) {
    const a = counted(rows, columns);
    const at = (i: number, j: number): number => i * columns + j + 1;
    const all = (value: (i: number, j: number) => number): number[] =>
      Array.from({ length: rows * columns }, (_, k) => value(Math.floor(k / columns), k % columns));
    const bands = [
      [0, 0],
      [-1, 0],
      [0, -1],
      [1, 1],
      [-1, 2],
      [9, 0],
    ] as const;
    // In the short form a shape has every other band and diagonal, and the next shape has those between.
    for (const [low, high] of bands.filter((_, at) => isLong || at % 2 === shape % 2)) {
      const keeps = (i: number, j: number): boolean => (low < 0 || i - j <= low) && (high < 0 || j - i <= high);
      expect(numbers(bandPart(a, low, high))).toEqual(all((i, j) => (keeps(i, j) ? at(i, j) : 0)));
    }
    for (let k = 1 - rows; k < columns; k += isLong || rows === 1 ? 1 : 2) {
      const places = all((i, j) => (j - i === k ? at(i, j) : 0)).filter((value) => value !== 0);
      expect(numbers(diagPart(a, k))).toEqual(places);
      const x = tensorMap(
        "int32",
        Int32Array.from(places, (value) => -value),
        [places.length],
      );
      expect(numbers(setDiag(a, x, k))).toEqual(all((i, j) => (j - i === k ? -at(i, j) : at(i, j))));
      const n = places.length + Math.abs(k);
      const made = Array.from({ length: n * n }, (_, c) =>
        (c % n) - Math.floor(c / n) === k ? -places[Math.min(Math.floor(c / n), c % n)]! : 0,
      );
      expect(numbers(diag(x, k))).toEqual(made);
    }
  }
  const flags = tensorMap("bool", Uint8Array.of(1, 1, 1, 1) as never, [2, 2]);
  expect(evaluate(bandPart(flags, 0, 0)).toArray()).toEqual([
    [true, false],
    [false, true],
  ]);
  expect(evaluate(diag(counted(2, 2))).dimensions).toEqual([2, 2, 2]);
});

test("Kronecker and cross products, powers", () => {
  const [a, b] = [counted(2, 3), counted(3, 2)];
  const wanted = Array.from({ length: 36 }, (_, k) => {
    const [i, j] = [Math.floor(k / 6), k % 6];
    return (Math.floor(i / 3) * 3 + Math.floor(j / 2) + 1) * ((i % 3) * 2 + (j % 2) + 1);
  });
  expect(numbers(kron(a, b))).toEqual(wanted);
  const [x, y] = [
    [1, 2, 3],
    [4, 5, 7],
  ].map((list) => tensorMap("int32", Int32Array.from(list), [3])) as [never, never];
  expect(numbers(cross(x, y))).toEqual([-1, 5, -3]);
  expect(() => cross(a, b)).toThrow(expect.objectContaining({ code: "FAILED_PRECONDITION" }));
  const m = tensorMap("float64", Float64Array.of(1, 1, 1, 0), [2, 2]);
  expect([0, 1, 2, 7, 10].map((power) => numbers(matrixPower(m, power)).slice(0, 2))).toEqual([
    [1, 0],
    [1, 1],
    [2, 1],
    [21, 13],
    [89, 55],
  ]);
  close(numbers(matrixPower(m, -2)), [1, -1, -1, 2]);
});

test("norms of every order", () => {
  const a = tensorMap("float64", Float64Array.of(1, -2, 0, 3, -4, 5), [2, 3]);
  const of = (options: object): number[] => numbers(norm(a, options));
  close(of({}), [Math.sqrt(55)]);
  close(of({ axes: 1 }), [Math.sqrt(5), Math.sqrt(50)]);
  close(of({ axes: 1, ord: 0 }), [2, 3]);
  close(of({ axes: -1, ord: 3 }), [Math.cbrt(9), Math.cbrt(27 + 64 + 125)]);
  close(of({ axes: 0, ord: Infinity }), [3, 4, 5]);
  close(of({ axes: 0, ord: -Infinity }), [1, 2, 0]);
  close(of({ axes: [0, 1], ord: 1 }), [6]);
  close(of({ axes: [0, 1], ord: -1 }), [4]);
  close(of({ axes: [0, 1], ord: Infinity }), [12]);
  close(of({ axes: [1, 0], ord: Infinity }), [6]);
  close(of({ axes: [0, 1], ord: -Infinity }), [3]);
  expect(evaluate(norm(a, { axes: [0, 1], ord: 1, keepDims: true })).dimensions).toEqual([1, 1]);
  const z = tensorMap("complex128", Float64Array.of(3, 4, 0, 0), [2]);
  expect([norm(z).dtype, ...numbers(norm(z))]).toEqual(["float64", 5]);
  for (const options of [{ ord: 3, axes: [0, 1] }, { ord: "nuc" }, { axes: [0, 0] }, { axes: 2 }, { axes: new Array(1e9) }, { ord: NaN }])
    expect(() => norm(a, options as never)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  // What is missing for an order of matrices.
  expect(() => norm(a, { ord: "nuc" })).toThrow('of vectors there is no order "nuc", but of matrices: { axes: [-2, -1] }');
});

// numpy.linalg.norm of zeros of these sizes, NumPy 2.4. Where NumPy raises an error for the smallest of no numbers, it is Infinity here.
test("norms of no elements are 0, as in NumPy", () => {
  const of = (sizes: readonly number[], options: object): number[] =>
    numbers(norm(tensorMap("float64", new Float64Array(0), sizes as [number, number]), options));
  for (const ord of [undefined, Infinity, 0, 1, 2, 3, 0.5]) {
    expect(of([0], { ord })).toEqual([0]);
    expect(of([2, 0], { ord, axes: 1 })).toEqual([0, 0]);
    expect(of([2, 0], { ord, axes: 0, keepDims: true })).toEqual([]);
    expect(of([0, 2], { ord, axes: 0, keepDims: true })).toEqual([0, 0]);
  }
  for (const ord of [-Infinity, -1, -2]) {
    expect(of([0, 2], { ord, axes: 0 })).toEqual([Infinity, Infinity]);
    expect(of([0, 2], { ord, axes: 1 })).toEqual([]);
  }
  const orders = [undefined, "fro", 1, Infinity, 2, "nuc"];
  for (const sizes of [
    [2, 0],
    [0, 2],
    [0, 0],
  ])
    for (const axes of [
      [0, 1],
      [1, 0],
    ]) {
      expect(orders.map((ord) => of(sizes, { ord, axes }))).toEqual(orders.map(() => [0]));
      expect(of([3, ...sizes], { ord: 1, axes: axes.map((axis) => axis + 1), keepDims: true })).toEqual([0, 0, 0]);
      const [rows, columns] = axes.map((axis) => sizes[axis]);
      expect(of(sizes, { ord: -1, axes })).toEqual([columns === 0 ? Infinity : 0]);
      expect(of(sizes, { ord: -Infinity, axes })).toEqual([rows === 0 ? Infinity : 0]);
    }
});

test("tridiagonal systems", () => {
  for (const n of [1, 2, 3, 7]) {
    const [diagonals, b] = [random([2, 3, n]), random([2, n, 2])];
    const x = numbers(tridiagonalSolve(diagonals, b));
    const d = (m: number, which: number, i: number): number => diagonals.data[m * 3 * n + which * n + i]!;
    const product = x.map((value, at) => {
      const [m, i, k] = [Math.floor(at / (2 * n)), Math.floor(at / 2) % n, at % 2];
      const near = (j: number): number => x[m * 2 * n + j * 2 + k]!;
      return d(m, 1, i) * value + (i + 1 < n ? d(m, 0, i) * near(i + 1) : 0) + (i > 0 ? d(m, 2, i) * near(i - 1) : 0);
    });
    close(product, [...b.data], 1e-9);
  }
  const singular = tensorMap("float64", Float64Array.of(1, 0, 1, 1, 0, 1), [3, 2]);
  expect(() => evaluate(tridiagonalSolve(singular, tensorMap("float64", Float64Array.of(1, 2), [2])))).toThrow(/not invertible. \(pivot 1/);
});

test("exponentials", () => {
  const rotation = tensorMap("float64", Float64Array.of(0, 1, -1, 0), [2, 2]);
  close(numbers(expm(rotation.mul(30))), [Math.cos(30), Math.sin(30), -Math.sin(30), Math.cos(30)], 1e-11);
  close(numbers(expm(tensorMap("float32", Float32Array.of(1, 0, 0, -2), [2, 2]))), [Math.E, 0, 0, Math.exp(-2)], 1e-6);
  const i = tensorMap("complex128", Float64Array.of(0, Math.PI), [1, 1]);
  close(numbers(expm(i)), [-1, 0]);
  expect(numbers(expm(rotation.mul(Infinity)))).toEqual([NaN, NaN, NaN, NaN]);
  expect(evaluate(expm(tensorMap("float64", new Float64Array(0), [0, 0]))).dimensions).toEqual([0, 0]);
});

test("least squares: residuals are orthogonal to the columns, and wide systems have their shortest solution", () => {
  for (const [m, n] of [
    [5, 3],
    [3, 3],
    [3, 5],
    [40, 20],
  ] as const) {
    const [a, b] = [random([2, m, n]), random([2, m, 2])];
    for (const fast of [false, true]) {
      // In the short form the square matrices and the large ones are solved in one way, tall and wide ones in both.
      if (!isLong && ((m === 3 && n === 3 && fast) || (m === 40 && !fast))) continue;
      const x = evaluate(lstsq(a, b, { fast }));
      const residual = a.matMul(x as never).sub(b as never);
      if (m >= n) close(numbers(a.matMul(residual as never, { transposeA: true })), new Array<number>(2 * n * 2).fill(0), 1e-7);
      else close(numbers(residual), new Array<number>(2 * m * 2).fill(0), 1e-7);
      const weighted = evaluate(lstsq(a, b, { fast, l2Regularizer: 0.5 }));
      const slope = a
        .matMul(a.matMul(weighted as never).sub(b as never) as never, { transposeA: true })
        .add((weighted as never as typeof a).mul(0.5) as never);
      close(numbers(slope), new Array<number>(2 * n * 2).fill(0), 1e-7);
    }
  }
  close(numbers(lstsq(random([3, 2]), tensorMap("float64", new Float64Array(3), [3]))), [0, 0]);
});

test("gradients of tridiagonal solutions, exponentials and least squares agree with differences", () => {
  const cases: readonly (readonly [readonly number[], (a: never, b: never) => Expression<"float64", number>])[] = [
    [[3, 4], (a, b) => tridiagonalSolve(a, b)],
    [[4, 4], (a) => expm(a)],
    [[4, 3], (a, b) => lstsq(a, b)],
    [[4, 3], (a, b) => lstsq(a, b, { fast: true })],
    [[4, 4], (a) => norm(bandPart(a, 1, 0), { axes: [0, 1], ord: 1 })],
  ];
  for (const [dims, make] of cases) {
    const [a, b] = [random(dims), random([4, 2])];
    const result = make(a as never, b as never);
    const weights = random([result.size]);
    const loss = make(a as never, b as never)
      .reshape([result.size])
      .mul(weights as never)
      .sum() as Expression<"float64", 0>;
    const given = evaluate(gradients(loss, [a])[0]);
    const [direction, before] = [random([a.size]).data, Float64Array.from(a.data)];
    const at = (h: number): number => {
      a.data.set(before.map((value, k) => value + h * direction[k]!));
      return item(loss);
    };
    const wanted = (at(1e-6) - at(-1e-6)) / 2e-6;
    a.data.set(before);
    const change = numbersIn(given.toArray()).reduce((sum, value, k) => sum + value * direction[k]!, 0);
    expect(Math.abs(change - wanted)).toBeLessThan(1e-5 * (1 + Math.abs(wanted)));
  }
});

test("systems between tensors, with axes that are moved", () => {
  const a = random([2, 6, 3]).reshape([2, 3, 2, 3]);
  const x = random([2, 3]);
  // b[i, j] = the sum of a[i, j, k, l] x[k, l]
  const b = evaluate(a.mul(x).sum([2, 3]));
  close(numbers(tensorsolve(a, b)), numbers(x), 1e-10);
  const moved = evaluate(a.shuffle([2, 0, 1, 3]));
  close(numbers(tensorsolve(moved, b, { axes: [0, 3] })), numbers(x), 1e-10);
  close(numbers(tensorsolve(a.reshape([6, 2, 3]) as never, b.reshape([6]) as never)), numbers(x), 1e-10);
  for (const wrong of [
    () => tensorsolve(a, x.slice([0, 0], [1, 3]) as never),
    () => tensorsolve(a, b, { axes: [4] }),
    () => tensorsolve(a, b, { axes: [1, 1] }),
  ]) {
    expect(wrong).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  }
  // A list that is longer than the rank is not read: one of 2^32 - 1 holes took minutes.
  const refused = (axes: unknown, message: string): void =>
    expect(() => tensorsolve(a, b, { axes: axes as number[] })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT", message: `tensorsolve${message}` }),
    );
  refused(new Array(2 ** 32 - 1), "(float64 [2, 3, 2, 3]): axes is a list of at most 4 different axes, got 4294967295");
  refused([0, 1, 2, 3, 0], "(float64 [2, 3, 2, 3]): axes is a list of at most 4 different axes, got 5");
  refused(new Array(1), "(float64 [2, 3, 2, 3]): an axis is a number in [-4, 4), got undefined");
  refused([1, -3], "(float64 [2, 3, 2, 3]): axes is a list of different axes, got [1, -3]");
  refused(0, "(float64 [2, 3, 2, 3]): axes is a list of different axes, got 0");
});

// Batches of small matrices, which are factored one in each lane: the same solutions as one by one, with singular matrices anywhere.
import { expect, test } from "@jest/globals";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import { cholesky, determinant, lu, solve } from "@onebuffer/linalg";
import { isLong, sampled } from "@onebuffer/test-support";
import { numbersIn, stream } from "./matrices.ts";

const arrays = { float32: Float32Array, float64: Float64Array };

test.each(["float32", "float64"] as const)("batches of %s", (dtype) => {
  const { normal } = stream(3);
  const mapOf = (values: readonly number[], dims: readonly number[]): ReturnType<typeof tensorMap<"float64", [number, number, number]>> =>
    tensorMap(dtype as "float64", arrays[dtype].from(values) as Float64Array<ArrayBuffer>, dims as [number, number, number]);
  const eps = dtype === "float32" ? 1e-3 : 1e-9;
  const forms = [
    [1, 1],
    [2, 1],
    [7, 1],
    [9, 3],
    [4, 2],
  ] as const;
  const cases = (isLong ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 2, 4, 8, 9]).flatMap((n) => forms.map((form) => [n, ...form] as const));
  for (const [n, count, columns] of sampled(cases, 6)) {
    const a = Array.from({ length: count * n * n }, normal);
    const b = Array.from({ length: count * n * columns }, normal);
    const x = numbersIn(evaluate(solve(mapOf(a, [count, n, n]), mapOf(b, [count, n, columns]))).toArray());
    const factors = lu(mapOf(a, [count, n, n]));
    const order = numbersIn(evaluate(factors.p).toArray());
    const dets = numbersIn([evaluate(determinant(mapOf(a, [count, n, n]))).toArray()]);
    for (let m = 0; m < count; m++) {
      const one = <T>(list: readonly T[], size: number): T[] => list.slice(m * size, (m + 1) * size);
      const alone = [mapOf(one(a, n * n), [1, n, n]), mapOf(one(b, n * columns), [1, n, columns])] as const;
      const wanted = numbersIn(evaluate(solve(...alone)).toArray());
      one(x, n * columns).forEach((value, k) => expect(Math.abs(value - wanted[k]!)).toBeLessThan(eps * (1 + Math.abs(wanted[k]!))));
      expect(one(order, n)).toEqual(numbersIn(evaluate(lu(alone[0]).p).toArray()));
      const [det] = numbersIn(evaluate(determinant(alone[0])).toArray());
      expect(Math.abs(dets[m]! - det!)).toBeLessThan(eps * (1 + Math.abs(det!)));
    }
  }
});

test.each(["float32", "float64"] as const)("Cholesky factors of batches of %s, of which the upper triangle is not read", (dtype) => {
  const { normal } = stream(6);
  const eps = dtype === "float32" ? 1e-5 : 1e-13;
  for (const n of isLong ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 3, 8, 9]) {
    for (const count of [1, 4, 7]) {
      // Rows of L: A = L L' is computed here.
      const factors = Array.from({ length: count }, () =>
        Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (j > i ? 0 : i === j ? 1 + Math.abs(normal()) : normal()))),
      );
      const matrices = factors.flatMap((l) =>
        l.map((row, i) => l.map((other, j) => (j > i ? NaN : row.reduce((sum, value, k) => sum + value * other[k]!, 0)))),
      );
      const map = tensorMap(dtype as "float64", arrays[dtype].from(matrices.flat()) as Float64Array<ArrayBuffer>, [count, n, n]);
      const given = numbersIn(evaluate(cholesky(map)).toArray());
      const wanted = factors.flat(2);
      expect(given.length).toBe(wanted.length);
      given.forEach((value, k) => expect(Math.abs(value - wanted[k]!)).toBeLessThan(eps * 2 ** n * (1 + Math.abs(wanted[k]!))));
      expect(wanted.every((value, k) => value !== 0 || given[k] === 0)).toBe(true);
    }
  }
});

test("one indefinite matrix anywhere in a batch", () => {
  for (let bad = 0; bad < 7; bad++) {
    const values = Float32Array.from({ length: 7 * 4 }, (_, k) => [4, 0, 2, Math.floor(k / 4) === bad ? 1 : 5][k % 4]!);
    const map = tensorMap("float32", values, [7, 2, 2]);
    expect(() => evaluate(cholesky(map))).toThrow(new RegExp(`matrix ${bad} of the batch, pivot 1 is not positive`));
    const factors = evaluate(cholesky(map, { check: false })).toArray() as unknown as number[][][];
    factors.forEach((each, m) =>
      expect(each).toEqual(
        m === bad
          ? [
              [NaN, 0],
              [NaN, NaN],
            ]
          : [
              [2, 0],
              [1, 2],
            ],
      ),
    );
  }
});

test("one singular matrix anywhere in a batch", () => {
  const { normal } = stream(4);
  for (let bad = 0; bad < 7; bad++) {
    const a = Array.from({ length: 7 * 9 }, (_, k) => (Math.floor(k / 9) === bad ? 0 : normal()));
    const map = tensorMap("float64", Float64Array.from(a), [7, 3, 3]);
    const b = tensorMap("float64", Float64Array.from({ length: 7 * 3 }, normal), [7, 3, 1]);
    expect(() => evaluate(solve(map, b))).toThrow(new RegExp(`matrix ${bad} of the batch, pivot 0 is 0`));
    const x = evaluate(solve(map, b, { check: false })).toArray() as unknown as number[][][];
    expect(x.map((each) => each.flat().some(Number.isNaN))).toEqual(Array.from({ length: 7 }, (_, m) => m === bad));
    const dets = evaluate(determinant(map)).toArray() as unknown as number[];
    expect(dets.map((each) => each === 0)).toEqual(Array.from({ length: 7 }, (_, m) => m === bad));
  }
});

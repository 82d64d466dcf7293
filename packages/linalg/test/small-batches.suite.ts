// Batches of small matrices, which are factored one in each lane: the same solutions as one by one, with singular matrices anywhere.
import { expect, test } from "@jest/globals";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import { determinant, lu, solve } from "@onebuffer/linalg";
import { numbersIn, stream } from "./matrices.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;
const arrays = { float32: Float32Array, float64: Float64Array };

test.each(["float32", "float64"] as const)("batches of %s", (dtype) => {
  const { normal } = stream(3);
  const mapOf = (values: readonly number[], dims: readonly number[]): ReturnType<typeof tensorMap<"float64", [number, number, number]>> =>
    tensorMap(dtype as "float64", arrays[dtype].from(values) as Float64Array<ArrayBuffer>, dims as [number, number, number]);
  const eps = dtype === "float32" ? 1e-3 : 1e-9;
  for (const n of isLong ? [1, 2, 3, 4, 5, 6, 7, 8, 9] : [1, 2, 4, 8, 9]) {
    for (const [count, columns] of [
      [1, 1],
      [2, 1],
      [7, 1],
      [9, 3],
      [4, 2],
    ] as const) {
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

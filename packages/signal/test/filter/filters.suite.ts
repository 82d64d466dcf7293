// Convolutions and filters beside their sums, streams that are cut anywhere, resampling, gradients, errors.
import { beforeAll, expect, test } from "@jest/globals";
import { leafPlaces } from "@onebuffer/compiler/internal";
import { evaluate, ready, tensorMap } from "@onebuffer/eigen";
import { unalignedTensorMap } from "@onebuffer/eigen/internal";
import { evaluateInto } from "@onebuffer/evaluator/internal";
import { concatenate, constant, iota, treeOf } from "@onebuffer/expression";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { gradients } from "@onebuffer/gradients";
import { correlate, fftConvolve, firFilter, resamplePoly, sosFilter } from "@onebuffer/signal";
import { kUnowned } from "@onebuffer/storage/internal";
import { linearMemory } from "@onebuffer/wasm";
import { complexMap, expectNear, numbers, valuesOf } from "../fft/errors.ts";

beforeAll(async () => {
  await ready();
});

const near = (given: readonly number[], wanted: readonly number[], digits = 11): void => expectNear(given, wanted, digits);

const doubles = (length: number, seed = 1) => tensorMap("float64", numbers(length, seed) as Float64Array<ArrayBuffer>, [length]);

/** The sums of a convolution. */
const convolution = (a: readonly number[], b: readonly number[]): number[] =>
  Array.from({ length: a.length + b.length - 1 }, (_, k) => a.reduce((sum, value, j) => sum + value * (b[k - j] ?? 0), 0));

test.each([
  [1, 1],
  [8, 3],
  [3, 8],
  [30, 17],
])("convolutions of %d with %d elements, by modes", (n, m) => {
  const [a, b] = [valuesOf(doubles(n) as never), valuesOf(doubles(m, 2) as never)];
  const full = convolution(a, b);
  const first = Math.floor((m - 1) / 2);
  const parts = { full, same: full.slice(first, first + n), valid: full.slice(Math.min(n, m) - 1, Math.max(n, m)) };
  for (const mode of ["full", "same", "valid"] as const)
    near(valuesOf(fftConvolve(doubles(n), doubles(m, 2), { mode }) as never), parts[mode]);
  near(valuesOf(correlate(doubles(n), doubles(m, 2)) as never), convolution(a, b.toReversed()));
});

test("complex convolutions, and batches that are broadcast", () => {
  const [x, y] = [complexMap("complex128", numbers(6, 1), [3]), complexMap("complex128", numbers(4, 2), [2])];
  const at = (values: number[], k: number): [number, number] => [values[2 * k] ?? 0, values[2 * k + 1] ?? 0];
  const [a, b, c] = [valuesOf(x as never), valuesOf(y as never), valuesOf(fftConvolve(x as never, y as never) as never)];
  const [[p, q], [r, s]] = [at(a, 0), at(b, 0)];
  near(c.slice(0, 2), [p * r - q * s, p * s + q * r]);
  const rows = tensorMap("float64", numbers(10, 3) as Float64Array<ArrayBuffer>, [2, 5]);
  const both = valuesOf(fftConvolve(rows, doubles(3, 4).reshape([1, 3])) as never);
  near(both.slice(7), convolution(valuesOf(rows.chip(1) as never), valuesOf(doubles(3, 4) as never)));
});

/** A filter, with coefficients of a dtype. */
type Filter = (
  x: OperandLike<"float32", 2>,
  state: OperandLike<"float32"> | null,
) => { y: Expression<"float32", 2>; state: Expression<"float32"> };

const kFilters: Readonly<Record<string, (dtype: "float32") => Filter>> = {
  fir(dtype) {
    const taps = tensorMap("float64", numbers(37, 5) as Float64Array<ArrayBuffer>, [37]).cast(dtype);
    return (x, state) => firFilter(x, evaluate(taps), state === null ? {} : { state });
  },
  sos(dtype) {
    const values = Float64Array.of(0.1, 0.2, 0.1, 1, -1.2, 0.5, 0.3, 0.1, 0.2, 1, 0.4, 0.1);
    const sections = evaluate(tensorMap("float64", values, [2, 6]).cast(dtype));
    return (x, state) => sosFilter(x, sections, state === null ? {} : { state });
  },
};

for (const name of ["fir", "sos"]) {
  test.each(["float32", "float64"] as const)(`${name}: a stream of %s cut anywhere gives the same bits`, (dtype) => {
    const filter = kFilters[name]!(dtype as "float32");
    const size = process.env["ONEBUFFER_LONG"] === undefined ? 150 : 5000;
    const x = evaluate(tensorMap("float64", numbers(2 * size, 6) as Float64Array<ArrayBuffer>, [2, size]).cast(dtype as "float32"));
    const whole = evaluate(filter(x, null).y).toArray();
    for (let seed = 0; seed < 3; seed++) {
      const cuts = numbers(size, seed).map((value) => Math.floor(Math.abs(value) * 40));
      const rows: number[][] = [[], []];
      let state: OperandLike<"float32"> | null = null;
      for (let at = 0, k = 0; at < size; at += cuts[k++]! + 1) {
        const piece = evaluate(x.slice(null, [at, Math.min(size, at + cuts[k]! + 1)]));
        const next = filter(piece, state);
        (evaluate(next.y).toArray() as number[][]).forEach((row, r) => rows[r]!.push(...row));
        state = evaluate(next.state);
      }
      expect(rows).toEqual(whole);
    }
  });

  test(`${name}: the evaluator's reference`, () => {
    const filter = kFilters[name]!("float64" as "float32");
    const x = tensorMap("float64", numbers(100, 7) as Float64Array<ArrayBuffer>, [2, 50]) as never;
    for (const tree of Object.values(filter(x, null))) {
      const out = tensorMap("float64", new Float64Array(tree.size), tree.dimensions as number[] & { length: 2 });
      evaluateInto(leafPlaces(treeOf(out)), treeOf(tree));
      near([out.toArray()].flat(3 as 1) as never, valuesOf(tree as never), 12);
    }
  });
}

test("the evaluator gives second-order sections the kernels' bits, so that its streams may be cut, too", () => {
  const filter = kFilters["sos"]!("float32");
  const x = evaluate(tensorMap("float64", numbers(60, 8) as Float64Array<ArrayBuffer>, [60]).cast("float32"));
  const plainly = (tree: Expression<"float32", number>): OperandLike<"float32"> & { toArray(): unknown } => {
    const out = tensorMap("float32", new Float32Array(tree.size), tree.dimensions as [number]);
    evaluateInto(leafPlaces(treeOf(out)), treeOf(tree));
    return out as never;
  };
  const whole = filter(x as never, null);
  expect(plainly(whole.y).toArray()).toEqual(evaluate(whole.y).toArray());
  const begin = filter(evaluate(x.slice([0, 23])) as never, null);
  const rest = filter(evaluate(x.slice([23, 60])) as never, plainly(begin.state));
  expect([plainly(begin.y), plainly(rest.y)].flatMap((part) => part.toArray())).toEqual(evaluate(whole.y).toArray());
});

test("FIR filters are convolutions", () => {
  const wanted = convolution(valuesOf(doubles(40) as never), valuesOf(doubles(5, 2) as never)).slice(0, 40);
  near(valuesOf(firFilter(doubles(40), doubles(5, 2)).y as never), wanted, 13);
});

test("the gradient of a FIR filter is its adjoint", () => {
  const [x, taps, weights] = [doubles(20), doubles(4, 2), doubles(20, 3)];
  const loss = firFilter(x, taps).y.mul(weights).sum();
  const [gx, gt] = gradients(loss, [x, taps]);
  const dot = (a: number[], b: number[]): number => a.reduce((sum, value, k) => sum + value * b[k]!, 0);
  const value = valuesOf(loss as never)[0]!;
  expect(dot(valuesOf(gx as never), valuesOf(x as never))).toBeCloseTo(value, 11);
  expect(dot(valuesOf(gt as never), valuesOf(taps as never))).toBeCloseTo(value, 11);
});

test("gradients of second-order sections equal differences, of the elements, the coefficients, the states and across pieces", () => {
  const sections = tensorMap("float64", Float64Array.of(0.1, 0.2, 0.1, 1, -0.8, 0.3, 0.3, 0.1, 0.2, 1, 0.4, 0.1), [2, 6]);
  const [x, state, weights] = [doubles(14).reshape([2, 7]), doubles(8, 2).reshape([2, 2, 2]), doubles(14, 3).reshape([2, 7])].map(evaluate);
  const loss = (): Expression<"float64", 0> => {
    const [first, rest] = [x!.slice(null, [0, 3]), x!.slice(null, [3, 7])] as never[];
    const begin = sosFilter(first!, sections, { state: state! });
    const then = sosFilter(rest!, sections, { state: begin.state });
    const y = concatenate([begin.y, then.y] as never, 1) as unknown as typeof weights;
    return y!
      .mul(weights!)
      .sum()
      .add(then.state.square().sum() as never) as never;
  };
  const operands = [x!, sections, state!];
  (gradients(loss(), operands as never) as readonly unknown[]).forEach((gradient, v) => {
    const [data, given] = [operands[v]!.data as Float64Array, valuesOf(gradient as never)];
    const direction = numbers(data.length, v + 9).map((each, k) => (v === 1 && k % 6 === 3 ? 0 : each));
    const before = data.slice();
    const at = (h: number): number => {
      data.set(before.map((value, k) => value + h * direction[k]!));
      return valuesOf(loss() as never)[0]!;
    };
    const change = (at(1e-5) - at(-1e-5)) / 2e-5;
    data.set(before);
    expect(given.reduce((sum, value, k) => sum + value * direction[k]!, 0)).toBeCloseTo(change, 7);
    if (v === 1) expect([given[3], given[9]]).toEqual([0, 0]);
  });
});

test("resampling has SciPy's values, and keeps slow waves", () => {
  expect(resamplePoly(iota("float32", 10), 2, 2).dimensions).toEqual([10]);
  const wave = (rate: number, count: number): number[] => Array.from({ length: count }, (_, k) => Math.sin(k / rate / 5));
  for (const [up, down] of [
    [3, 2],
    [2, 3],
    [1, 4],
    [5, 1],
  ] as const) {
    const x = tensorMap("float64", Float64Array.from(wave(1, 400)), [400]);
    const y = valuesOf(resamplePoly(x, up, down) as never);
    expect(y.length).toBe(Math.ceil((400 * up) / down));
    const exact = wave(up / down, y.length);
    const edge = Math.ceil((60 * up) / down);
    for (let k = edge; k < y.length - edge; k++) expect(Math.abs(y[k]! - exact[k]!)).toBeLessThan(0.01);
  }
});

test.each([
  ["different dtypes", () => fftConvolve(constant("float32", 1, [3]), constant("float64", 1, [3]) as never)],
  ["another mode", () => fftConvolve(constant("float32", 1, [3]), constant("float32", 1, [3]), { mode: "some" as "full" })],
  ["scalars", () => correlate(constant("float32", 1, []), constant("float32", 1, []))],
  ["taps in rows", () => firFilter(constant("float32", 1, [3]), constant("float32", 1, [1, 2]) as never)],
  [
    "a state of another size",
    () => firFilter(constant("float32", 1, [3]), constant("float32", 1, [2]), { state: constant("float32", 1, [2]) }),
  ],
  ["sections of 5", () => sosFilter(constant("float32", 1, [3]), constant("float32", 1, [1, 5]))],
  ["another a0", () => evaluate(sosFilter(constant("float32", 1, [3]), constant("float32", 2, [1, 6])).y)],
  ["a rate of 0", () => resamplePoly(constant("float32", 1, [3]), 0, 1)],
])("%s: INVALID_ARGUMENT", (_, call) => {
  expect(call).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
});

test.each(["float32", "float64"] as const)("a filter by sections reads and writes at any address", (dtype) => {
  const bytes = 4096;
  const region = linearMemory().reserve(3 * bytes) as number;
  const mapAt = (k: number, shift: number, dims: readonly number[]) =>
    unalignedTensorMap(dtype as "float32", linearMemory().buffer, region + k * bytes + shift, kUnowned, dims);
  const results = [0, 1, 6].map((shift) => {
    const [x, sections, out] = [mapAt(0, shift, [2, 40]), mapAt(1, shift, [1, 6]), mapAt(2, shift, [2, 40])];
    x.copyFrom([...numbers(80, 7)]);
    sections.copyFrom([0.2, 0.4, 0.2, 1, -0.5, 0.25]);
    out.assign(sosFilter(x as never, sections as never).y as never);
    return out.toArray();
  });
  linearMemory().release(region, 3 * bytes);
  expect(results).toEqual(Array(3).fill(results[0]));
});

// Compares StridedMap with a simple reference model (strided-twin.ts): random chains of views are checked in full after each view, and
// then written through.
import { describe, expect, test } from "@jest/globals";
import type { DType } from "@onebuffer/base";
import type { ConstStridedMap, StridedMap } from "@onebuffer/eigen";
import fc from "fast-check";
import type { Range, Twin } from "./strided-twin.ts";
import { everyIndex } from "../row-major.ts";
import { isDense, layoutOf, stridesOf, twin } from "./strided-twin.ts";
import type { SubjectKind } from "./subjects.ts";
import { expectStatus, isLong, sampled } from "@onebuffer/test-support";
import { fresh, inputs, stored, subjectKinds } from "./subjects.ts";

type Any = StridedMap<DType, number>;
type Loose = { at(...i: number[]): unknown; set(...a: unknown[]): void; fill(v: unknown): void; copyFrom(s: unknown): void };
const loose = (map: ConstStridedMap<DType, number>): Loose => map as unknown as Loose;

/** One view of a chain. Its arguments are random numbers, which `view` reduces to valid arguments for the map it is applied to. */
interface Step {
  readonly kind: string;
  readonly numbers: readonly number[];
  readonly ranges: readonly (Range | null)[];
}

const kSteps = [
  "slice",
  "text",
  "reverse",
  "reverseAll",
  "permute",
  "transpose",
  "chip",
  "expandDims",
  "squeeze",
  "reshape",
  "broadcast",
] as const;
/** The largest number of elements of a broadcast map, and the number of values drawn for writing. */
const kMaxElements = 200;

const bound = fc.option(fc.integer({ min: -6, max: 6 }));
const by = fc.option(fc.constantFrom<number[]>(1, 2, 3, -1, -2, -3));
const range: fc.Arbitrary<Range | null> = fc.option(fc.tuple(bound, bound, by));
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...kSteps),
  numbers: fc.array(fc.nat({ max: 999 }), { minLength: 8, maxLength: 8 }),
  ranges: fc.array(range, { minLength: 7, maxLength: 7 }),
});

/**
 * Returns at most six sizes with the same product as `dims`: random divisors of it. If there are no elements, adds a dimension of size 3.
 */
function otherSizes(dims: readonly number[], numbers: readonly number[]): number[] {
  const size = dims.reduce((a, b) => a * b, 1);
  if (size === 0) return [...dims, 3];
  const out: number[] = [];
  let remaining = size;
  for (const n of numbers) {
    const divisors = Array.from({ length: remaining }, (_, i) => i + 1).filter((d) => remaining % d === 0);
    const d = divisors[n % divisors.length] as number;
    out.push(d);
    remaining /= d;
    if (remaining === 1) break;
  }
  if (remaining > 1) out.push(remaining);
  return out.slice(0, 6).length < out.length ? [size] : out;
}

/** Returns a permutation of the dimensions. */
const order = (rank: number, numbers: readonly number[]): number[] => {
  const left = Array.from({ length: rank }, (_, d) => d);
  return Array.from({ length: rank }, (_, k) => left.splice((numbers[k % 8] as number) % left.length, 1)[0] as number);
};

/** Applies a step to the map and to its model. Returns null if the step is not possible for this map. */
function view(map: Any, model: Twin, { kind, numbers, ranges }: Step): [Any, Twin] | null {
  const { rank } = map;
  const [a = 0, b = 0] = numbers;
  const some = Array.from({ length: rank }, (_, d) => d).filter((d) => ((a >> d) & 1) === 1);
  switch (kind) {
    case "slice": {
      const own = ranges.slice(0, a % (rank + 1));
      return [map.slice(...own), twin.slice(model, own)];
    }
    case "text": {
      if (rank > 6) return null;
      const own = ranges.slice(0, rank);
      const text = own.map((r) => (r === null ? ":" : `${r[0] ?? ""} :${r[1] ?? ""}:${r[2] ?? " "}`));
      return [
        map.strided(["...", ...text, "None"].slice(rank === 0 || b % 2 === 0 ? 0 : 1).join(", ")),
        twin.expandDims(twin.slice(model, own), rank),
      ];
    }
    case "reverse":
      return [map.reverse(some), twin.reverse(model, some)];
    case "reverseAll":
      return [
        map.reverse(),
        twin.reverse(
          model,
          model.dims.map((_, d) => d),
        ),
      ];
    case "permute":
      return [map.permute(order(rank, numbers)), twin.permute(model, order(rank, numbers))];
    case "transpose":
      return [
        map.transpose(),
        twin.permute(
          model,
          model.dims.map((_, d) => rank - 1 - d),
        ),
      ];
    case "chip": {
      const dim = a % Math.max(1, rank);
      const size = model.dims[dim] ?? 0;
      return size === 0 ? null : [map.chip(b % size, b % 2 === 0 ? dim : dim - rank), twin.chip(model, b % size, dim)];
    }
    case "expandDims":
      return rank > 6 ? null : [map.expandDims(a % (rank + 1)), twin.expandDims(model, a % (rank + 1))];
    case "squeeze":
      return [map.squeeze(), twin.squeeze(model)];
    case "reshape": {
      const sizes = otherSizes(model.dims, numbers);
      const next = twin.reshape(model, sizes);
      const reshaped = map.reshapeView(sizes);
      expect(reshaped !== null).toBe(stridesOf(next) !== null);
      expect(map.whyNotReshape(sizes) === null).toBe(reshaped !== null);
      return reshaped === null ? null : [reshaped, next];
    }
    default: {
      const sizes = [
        ...numbers.slice(0, a % 2).map((n) => n % 3),
        ...model.dims.map((size, d) => (size === 1 ? (numbers[d] as number) % 4 : size)),
      ];
      if (sizes.reduce((x, y) => x * y, 1) > kMaxElements || sizes.length > 7) return null;
      return [map.broadcast(sizes) as Any, twin.broadcast(model, sizes)];
    }
  }
}

/** Compares all that can be read from a map with its model and the memory. */
function check(map: Any, model: Twin, memory: readonly unknown[], dtype: DType): void {
  const { dims, cells } = model;
  const elements = cells.map((cell) => memory[cell]);
  const wide = map.strides.map((stride, d) => ((dims[d] as number) < 2 || cells.length === 0 ? 0 : stride));
  const dense = map.toTensorMap();
  const isContiguous = cells.length === 0 || isDense(model);
  // One comparison for everything, because `expect` takes most of the time.
  const got = [
    [map.rank, map.size, map.dtype, map.dimensions, dims.map((_, d) => map.dimension(d)), wide, cells.length > 0 ? map.offset : 0],
    [everyIndex(dims).map((index) => loose(map).at(...index)), [...map], [...map.asConst()], "set" in map.asConst()],
    [map.isContiguous(), dense === null ? null : [[...dense], dense.dimensions, "set" in dense, [...dense.strided()]]],
    [
      map.minorToMajor(),
      (map as unknown as { description(): string }).description().includes(`StridedMap<${dtype}, [${dims.join(", ")}], strides [`),
    ],
  ];
  expect(got).toEqual([
    [dims.length, cells.length, dtype, dims, dims, stridesOf(model), cells[0] ?? 0],
    [elements, elements, elements, false],
    [isContiguous, isContiguous ? [elements, dims, "set" in map, elements] : null],
    [layoutOf(model), true],
  ]);
}

interface Scenario {
  readonly dims: readonly number[];
  readonly base: number;
  readonly steps: readonly Step[];
  readonly at: number;
  readonly values: readonly unknown[];
}

const scenario = (kind: SubjectKind, longest: number): fc.Arbitrary<Scenario> =>
  fc.record({
    dims: fc.oneof(
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 3 }),
      fc.array(fc.integer({ min: 1, max: 2 }), { minLength: 4, maxLength: 7 }),
    ),
    base: fc.nat({ max: 4 }),
    steps: fc.array(step, { minLength: 1, maxLength: longest }),
    at: fc.nat(),
    values: fc
      .array(inputs(kind.dtype), { minLength: 9, maxLength: 9 })
      .map((some) => Array.from({ length: kMaxElements }, (_, n) => some[(n * 7) % 9])),
  });

function run(kind: SubjectKind, { dims, base, steps, at, values }: Scenario): void {
  const { dtype } = kind;
  const { map: whole, again } = kind.make(dims, base);
  const total = base + whole.size + 3;
  const root = again([total], -base);
  (root as unknown as Loose).copyFrom(values.slice(0, total));
  const memory = values.slice(0, total).map((value) => stored(dtype, value));
  const start = again([total], -base).strided();
  let map: Any = again(dims, 0).strided();
  // The offset of an unaligned map counts from its own first byte, so here the map is made as a view of the root.
  if (kind.unaligned) map = start.slice([base, base + whole.size]).reshape(dims) as Any;
  let model: Twin = { dims, cells: Array.from({ length: whole.size }, (_, n) => base + n) };
  check(map, model, memory, dtype);
  for (const each of steps) {
    const next = view(map, model, each);
    if (next === null) continue;
    [map, model] = next;
    check(map, model, memory, dtype);
  }
  const isConst = !("set" in map);
  if (isConst) {
    for (const name of ["set", "fill", "copyFrom"]) expect(name in map).toBe(false);
    return;
  }
  const { cells } = model;
  const seen = (): void => {
    expect([...root]).toEqual(memory);
    check(map, model, memory, dtype);
  };
  if (cells.length > 0) {
    const n = at % cells.length;
    loose(map).set(...(everyIndex(model.dims)[n] as number[]), values[n]);
    memory[cells[n] as number] = stored(dtype, values[n]);
    seen();
    (root as unknown as Loose).set(cells[n] as number, values[n + 1]);
    memory[cells[n] as number] = stored(dtype, values[n + 1]);
    seen();
  }
  const all = values.slice(-cells.length, values.length);
  if (cells.length > 0) {
    loose(map).copyFrom(all);
    for (const [n, cell] of cells.entries()) memory[cell] = stored(dtype, all[n]);
    seen();
    // The source is the target reversed: the result must be that of a copy by way of a temporary.
    const before = cells.map((cell) => memory[cell]);
    loose(map).copyFrom(map.reverse());
    for (const [n, cell] of cells.entries()) memory[cell] = before[cells.length - 1 - n];
    seen();
  }
  loose(map).fill(values[0]);
  for (const cell of cells) memory[cell] = stored(dtype, values[0]);
  seen();
}

describe.each(sampled(subjectKinds.slice(7), 6))("$name", (kind) => {
  test("short chains of views read and write the right elements", () => {
    fc.assert(
      fc.property(scenario(kind, 3), (input) => run(kind, input)),
      { numRuns: isLong ? 3 : 2 },
    );
  });
});

test("long chains of views read and write the right elements", () => {
  const [float32] = subjectKinds.filter(({ name }) => name === "float32") as [SubjectKind];
  fc.assert(
    fc.property(scenario(float32, 8), (input) => run(float32, input)),
    { numRuns: isLong ? 120 : 7 },
  );
});

/** Ranges for a dimension of three elements, with bounds inside it, before it and after it. */
const everyRange = [null, -2, 1, 4].flatMap((start) =>
  [null, -5, -1, 2].flatMap((stop) => [null, -2, 2].map((by): Range => [start, stop, by])),
);

test.each([[[3]], [[3, 2]], [[3, 2, 2]], [[3, 2, 1, 2]], [[3, 0]], [[3, 2, 2, 1, 2]]])(
  "slices, chips and transpositions of %j by the classes of its rank",
  (dims) => {
    const [float32] = subjectKinds.filter(({ name }) => name === "float32") as [SubjectKind];
    const root = float32.make([64]).map;
    const memory = Array.from({ length: 64 }, (_, n) => n);
    (root as unknown as Loose).copyFrom(memory);
    const size = dims.reduce((a, b) => a * b, 1);
    const whole: [Any, Twin] = [
      root
        .strided()
        .slice([5, 5 + size])
        .reshape(dims) as Any,
      { dims, cells: Array.from({ length: size }, (_, n) => 5 + n) },
    ];
    const order = dims.map((_, d) => d);
    const reversed: [Any, Twin] = [whole[0].reverse([0]), twin.reverse(whole[1], [0])];
    const both =
      order.length < 2
        ? [whole, reversed]
        : [whole, reversed, [whole[0].permute(swapped(order)), twin.permute(whole[1], swapped(order))] as [Any, Twin]];
    for (const [map, model] of both) {
      check(map.transpose(), twin.permute(model, order.toReversed()), memory, "float32");
      for (const range of everyRange) check(map.slice(range), twin.slice(model, [range]), memory, "float32");
      for (let i = 0; i < (model.dims[0] as number); i++) {
        check(map.chip(i), twin.chip(model, i, 0), memory, "float32");
        check(map.chip(i, -dims.length), twin.chip(model, i, 0), memory, "float32");
      }
    }
  },
);

/** Returns the list with its first two entries exchanged. */
const swapped = ([first, second, ...others]: readonly number[]): readonly number[] => [second as number, first as number, ...others];

test("a map over fresh memory has default elements", () => {
  for (const { make, dtype } of subjectKinds) {
    expect([...make([2, 2]).map.strided().transpose()]).toEqual(Array(4).fill(fresh(dtype)));
  }
  expectStatus(() => subjectKinds[0]?.make([2]).map.strided().dimension(1), "OUT_OF_RANGE", "dimension 1", "[0, 1)");
});

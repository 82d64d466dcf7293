// The plain evaluator against a model that is obviously right: elements in a list, found by index tuples. Random
// sizes (including 0 and 1), operands and targets of every layout, overlapping memory.
import { describe, expect, test } from "@jest/globals";
import { assignByReference } from "@onebuffer/eigen/internal";
import { concatenate, evaluate, select, tensorMap } from "@onebuffer/eigen";
import type { ConstStridedMap, Expression, Operand, StridedMap } from "@onebuffer/eigen";
import fc from "fast-check";
import { everyIndex, position, product } from "../row-major.ts";
import { picked } from "../map/strided-twin.ts";
import type { Range } from "../map/strided-twin.ts";

type Dims = readonly number[];
type Index = readonly number[];
type Any = Operand<"float64", number>;

/** The model of a map or an expression: sizes, and elements in row-major order. */
interface Twin {
  readonly dims: Dims;
  readonly elements: readonly number[];
}

/** The private fields of a map that the tests read: its memory, and the places of its elements one after the other. */
interface Storage {
  readonly array: Float64Array<ArrayBuffer>;
  places(): () => number;
}

const at = (twin: Twin, index: Index): number => twin.elements[position(twin.dims, index)] as number;
const twinOf = (dims: Dims, element: (index: Index) => number): Twin => ({ dims, elements: everyIndex(dims).map(element) });

/** Returns a map with the twin's elements, in one of eight layouts, within memory that also holds other numbers. */
function laidOut(twin: Twin, layout: number): StridedMap<"float64", number> {
  const { dims, elements } = twin;
  const rank = dims.length;
  const memory = new Float64Array(product(dims) * 2 ** rank + 3).fill(-77);
  const map = tensorMap("float64", memory, [memory.length]).strided();
  const doubled = dims.map((size) => (layout & 1 ? size * 2 : size));
  const whole = map.slice([2, 2 + product(doubled)]).reshape(layout & 2 ? doubled.toReversed() : doubled) as StridedMap<"float64", number>;
  const turned = layout & 2 ? whole.transpose() : whole;
  const stepped = turned.slice(...dims.map((): Range => (layout & 1 ? [null, null, 2] : null) as Range));
  const view = layout & 4 ? stepped.reverse() : stepped;
  view.copyFrom(elements);
  return view;
}

const sizes = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 3 });
const layouts = fc.integer({ min: 0, max: 7 });
const seeds = fc.integer({ min: 0, max: 1000 });
const elements = (count: number, seed: number): number[] => Array.from({ length: count }, (_, k) => ((k * 7 + seed * 13) % 23) - 11);
const filled = (dims: Dims, seed: number): Twin => ({ dims, elements: elements(product(dims), seed) });

function expectSame(expression: Any, twin: Twin): void {
  expect(expression.dimensions).toEqual(twin.dims);
  const out = tensorMap("float64", new Float64Array(product(twin.dims)), twin.dims as number[]);
  assignByReference(out, expression);
  expect([...out]).toEqual(twin.elements);
}

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;
const many = { numRuns: isLong ? 150 : 18 };

describe("elementwise", () => {
  test("broadcasts operands of every layout", () => {
    fc.assert(
      fc.property(
        sizes,
        fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 0, max: 3 }),
        layouts,
        layouts,
        seeds,
        (dims, ones, drop, p, q, seed) => {
          const small = dims.map((size, d) => (ones[d] === true ? 1 : size)).slice(Math.min(drop, dims.length));
          const [x, y] = [filled(dims, seed), filled(small, seed + 1)];
          const added = dims.length - small.length;
          const of = (index: Index): number =>
            at(
              y,
              small.map((size, d) => (size === 1 ? 0 : (index[added + d] as number))),
            );
          const [a, b] = [laidOut(x, p), laidOut(y, q)];
          expectSame(
            a.mul(b).sub(1),
            twinOf(dims, (index) => at(x, index) * of(index) - 1),
          );
          expectSame(
            b.minimum(a),
            twinOf(dims, (index) => Math.min(of(index), at(x, index))),
          );
          expectSame(
            select(a.less(b), a, 5),
            twinOf(dims, (index) => (at(x, index) < of(index) ? at(x, index) : 5)),
          );
        },
      ),
      many,
    );
  });
});

describe("movements", () => {
  type Step = readonly [name: string, apply: (operand: Expression<"float64", number>, twin: Twin) => readonly [Any, Twin]];
  const ranges = fc.array(
    fc.tuple(fc.option(fc.integer({ min: -4, max: 4 })), fc.option(fc.integer({ min: -4, max: 4 })), fc.constantFrom(1, 2, -1, -2)),
    {
      minLength: 4,
      maxLength: 4,
    },
  );
  const steps: fc.Arbitrary<Step> = fc.oneof(
    ranges.map(
      (list): Step => [
        `slice ${JSON.stringify(list)}`,
        (operand, twin) => {
          const used = twin.dims.map((_, d) => list[d % 4] as Range);
          const kept = twin.dims.map((size, d) => picked(size, used[d] as Range));
          const moved = twinOf(
            kept.map((part) => part.length),
            (index) =>
              at(
                twin,
                index.map((i, d) => (kept[d] as number[])[i] as number),
              ),
          );
          return [operand.slice(...used), moved];
        },
      ],
    ),
    fc.integer({ min: 0, max: 5 }).map(
      (turn): Step => [
        `shuffle by ${turn}`,
        (operand, twin) => {
          const rank = twin.dims.length;
          const order = twin.dims.map((_, d) => (d + turn) % rank);
          const moved = twinOf(
            order.map((d) => twin.dims[d] as number),
            (index) =>
              at(
                twin,
                twin.dims.map((_, d) => index[order.indexOf(d)] as number),
              ),
          );
          return [operand.shuffle(order), moved];
        },
      ],
    ),
    fc.integer({ min: 0, max: 7 }).map(
      (mask): Step => [
        `reverse ${mask}`,
        (operand, twin) => {
          const axes = twin.dims.map((_, d) => d).filter((d) => (mask >> d) & 1);
          const moved = twinOf(twin.dims, (index) =>
            at(
              twin,
              index.map((i, d) => (axes.includes(d) ? (twin.dims[d] as number) - 1 - i : i)),
            ),
          );
          return [operand.reverse(axes), moved];
        },
      ],
    ),
    fc.constant<Step>(["flat", (operand, twin) => [operand.reshape([-1]), { dims: [product(twin.dims)], elements: twin.elements }]]),
    fc.constant<Step>([
      "broadcast",
      (operand, twin) => [operand.broadcast([2, ...twin.dims]), twinOf([2, ...twin.dims], (index) => at(twin, index.slice(1)))],
    ]),
    fc.constant<Step>([
      "tile",
      (operand, twin) => {
        const dims = twin.dims.map((size) => size * 2);
        return [
          operand.tile(dims.map(() => 2)),
          twinOf(dims, (index) =>
            at(
              twin,
              index.map((i, d) => i % (twin.dims[d] as number)),
            ),
          ),
        ];
      },
    ]),
    fc.integer({ min: -4, max: 4 }).map(
      (shift): Step => [
        `roll ${shift}`,
        (operand, twin) => {
          if (twin.dims.length === 0) return [operand, twin];
          const size = twin.dims[0] as number;
          const from = (i: number): number => (((i - shift) % size) + size) % size;
          return [operand.roll(shift), twinOf(twin.dims, ([i, ...rest]) => at(twin, [from(i as number), ...rest]))];
        },
      ],
    ),
    fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 })).map(
      ([before, after]): Step => [
        `pad ${before} ${after}`,
        (operand, twin) => {
          const dims = twin.dims.map((size) => size + before + after);
          const inside = (index: Index): boolean => index.every((i, d) => i >= before && i < before + (twin.dims[d] as number));
          const moved = twinOf(dims, (index) =>
            inside(index)
              ? at(
                  twin,
                  index.map((i) => i - before),
                )
              : 9,
          );
          return [
            operand.pad(
              dims.map(() => [before, after] as const),
              { value: 9 },
            ),
            moved,
          ];
        },
      ],
    ),
    fc.constant<Step>([
      "concatenate",
      (operand, twin) => {
        if (twin.dims.length === 0) return [operand, twin];
        const last = twin.dims.length - 1;
        const size = twin.dims[last] as number;
        const moved = twinOf(twin.dims.with(last, 2 * size), (index) => {
          const i = index[last] as number;
          return i < size ? at(twin, index) : -at(twin, index.with(last, i - size));
        });
        return [concatenate([operand, operand.neg()], -1), moved];
      },
    ]),
  );

  test("any sequence of movements", () => {
    fc.assert(
      fc.property(sizes, layouts, seeds, fc.array(steps, { minLength: 1, maxLength: 4 }), (dims, layout, seed, list) => {
        let twin = filled(dims, seed);
        let operand: Any = laidOut(twin, layout).add(0);
        for (const [, apply] of list) {
          // The number of elements grows with each step; a few thousand are enough.
          if (product(twin.dims) > 2000) break;
          [operand, twin] = apply(operand as Expression<"float64", number>, twin);
        }
        expectSame(operand, twin);
      }),
      { numRuns: isLong ? 300 : 30 },
    );
  });

  test("gather and scatter", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 3 }),
        layouts,
        fc.array(fc.nat(), { maxLength: 6 }),
        (rows, width, layout, list) => {
          const twin = filled([rows, width], 1);
          const map = laidOut(twin, layout);
          const picks = list.map((n) => n % rows);
          const indices = tensorMap("int32", Int32Array.from(picks), [picks.length]);
          expectSame(
            map.gather(indices),
            twinOf([picks.length, width], ([i, j]) => at(twin, [picks[i as number] as number, j as number])),
          );
          const updates = filled([picks.length, width], 5);
          const target = [...twin.elements];
          const sums = [...twin.elements];
          picks.forEach((row, i) => {
            for (let j = 0; j < width; j++) {
              target[row * width + j] = at(updates, [i, j]);
              sums[row * width + j] = (sums[row * width + j] as number) + at(updates, [i, j]);
            }
          });
          const written = laidOut(updates, layout);
          expectSame(map.scatter(indices, written), { dims: twin.dims, elements: target });
          expectSame(map.scatter(indices, written, 0, { reduction: "add" }), { dims: twin.dims, elements: sums });
        },
      ),
      many,
    );
  });
});

describe("reductions and scans", () => {
  const masks = fc.integer({ min: 0, max: 7 });

  test("over any axes", () => {
    fc.assert(
      fc.property(sizes, layouts, seeds, masks, fc.boolean(), (dims, layout, seed, mask, keep) => {
        const twin = filled(dims, seed);
        const axes = dims.map((_, d) => d).filter((d) => (mask >> d) & 1);
        const outer = dims.map((size, d) => (axes.includes(d) ? 1 : size));
        const shape = keep ? outer : dims.filter((_, d) => !axes.includes(d));
        const lines = everyIndex(outer).map((first) =>
          everyIndex(dims)
            .filter((index) => index.every((i, d) => axes.includes(d) || i === first[d]))
            .map((index) => at(twin, index)),
        );
        const map = laidOut(twin, layout).add(0) as Expression<"float64", number>;
        const expectLines = (expression: Any, of: (line: readonly number[]) => number): void =>
          expectSame(expression, { dims: shape, elements: lines.map(of) });
        expectLines(map.sum(axes, { keepDims: keep }), (line) => line.reduce((a, b) => a + b, 0));
        expectLines(map.max(axes, { keepDims: keep }), (line) => line.reduce((a, b) => Math.max(a, b), -Infinity));
        expectLines(map.min(axes, { keepDims: keep }), (line) => line.reduce((a, b) => Math.min(a, b), Infinity));
        expectLines(map.mean(axes, { keepDims: keep }), (line) => line.reduce((a, b) => a + b, 0) / line.length);
        expectLines(map.prod(axes, { keepDims: keep }), (line) => line.reduce((a, b) => a * b, 1));
      }),
      many,
    );
  });

  test("cumulative sums, and argmax", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 4 }),
        layouts,
        seeds,
        fc.boolean(),
        fc.boolean(),
        (rows, width, layout, seed, exclusive, reverse) => {
          const twin = filled([rows, width], seed);
          const map = laidOut(twin, layout);
          const before = (index: Index): number => {
            const [i, j] = index as [number, number];
            const row = Array.from({ length: width }, (_, k) => k).filter((k) => (reverse ? k > j : k < j) || (!exclusive && k === j));
            return row.reduce((sum, k) => sum + at(twin, [i, k]), 0);
          };
          expectSame(map.cumsum(1, { exclusive, reverse }), twinOf([rows, width], before));
          const places = [...evaluate(map.argmax(1))].map(Number);
          expect(places).toEqual(
            Array.from({ length: rows }, (_, i) => {
              const row = twin.elements.slice(i * width, (i + 1) * width);
              return row.indexOf(Math.max(...row));
            }),
          );
        },
      ),
      many,
    );
  });

  test("the sum of 2^20 times 0.1 is accurate to 1e-7", () => {
    const n = 2 ** 20;
    const tenth = tensorMap("float32", Float32Array.of(0.1), [1]);
    const out = tensorMap("float32", new Float32Array(1), []);
    assignByReference(out, tenth.broadcast([n]).sum());
    const exact = Math.fround(0.1) * n;
    expect(Math.abs(out.at() - exact) / exact).toBeLessThan(1e-7);
  });

  test("matrix products", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 4 }),
        layouts,
        layouts,
        fc.boolean(),
        fc.boolean(),
        ([batch, n, k, m], p, q, transposeA, transposeB) => {
          const x = filled([batch as number, ...(transposeA ? [k, n] : [n, k])] as number[], 1);
          const y = filled((transposeB ? [m, k] : [k, m]) as number[], 2);
          const expected = twinOf([batch, n, m] as number[], ([b, i, j]) => {
            let sum = 0;
            for (let c = 0; c < (k as number); c++) {
              const left = at(x, [b as number, ...((transposeA ? [c, i] : [i, c]) as number[])]);
              sum += left * at(y, (transposeB ? [j, c] : [c, j]) as number[]);
            }
            return sum;
          });
          expectSame(laidOut(x, p).matMul(laidOut(y, q), { transposeA, transposeB }), expected);
        },
      ),
      many,
    );
  });
});

describe("assign", () => {
  test("writes targets of every layout, and no other memory", () => {
    fc.assert(
      fc.property(sizes, layouts, layouts, seeds, (dims, p, q, seed) => {
        const twin = filled(dims, seed);
        const target = laidOut(filled(dims, seed + 1), q);
        const { array: memory, places } = target as unknown as Storage;
        const before = memory.slice();
        assignByReference(target, laidOut(twin, p).mul(2));
        expect([...target]).toEqual(twin.elements.map((x) => x * 2));
        const touched = new Set<number>();
        const next = places.call(target);
        for (let k = 0; k < target.size; k++) touched.add(next());
        before.forEach((value, k) => {
          if (!touched.has(k)) expect(memory[k]).toBe(value);
        });
      }),
      many,
    );
  });

  test("sources that overlap the target are read before they are overwritten", () => {
    const view = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom(1, 2, -1, 3), fc.boolean());
    fc.assert(
      fc.property(view, view, view, fc.integer({ min: 0, max: 4 }), (to, from, other, count) => {
        const memory = Float64Array.from({ length: 40 }, (_, k) => k);
        const map = tensorMap("float64", memory, [40]).strided();
        const part = ([start, step, turned]: readonly [number, number, boolean]): StridedMap<"float64", 1> => {
          const first = step < 0 ? start + 12 : start;
          const stop = first + step * count;
          const slice = map.slice([first, stop < 0 ? null : stop, step]);
          return turned ? slice.reverse() : slice;
        };
        const [target, x, y] = [part(to), part(from), part(other)];
        const expected = [...x].map((value, k) => value * 2 + ([...y][k] as number));
        target.assign(x.mul(2).add(y));
        expect([...target]).toEqual(expected);
        const sum = [...target].map((value, k) => value + ([...x.asConst()][k] as number));
        target.addAssign(x);
        expect([...target]).toEqual(sum);
      }),
      { numRuns: isLong ? 400 : 45 },
    );
  });

  test("sources that read the target in place, transposed, reduced or chipped", () => {
    const map = () => tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
    const [a, b, c, d] = [map(), map(), map(), map()];
    a.assign(a.add(a.transpose()));
    expect(a.toArray()).toEqual([
      [2, 5],
      [5, 8],
    ]);
    b.assign(b.div(b.sum([1], { keepDims: true })));
    expect(evaluate(b.sum([1]).sub(1).abs().max()).at()).toBeLessThan(1e-6);
    c.strided("0").assign(c.chip(1));
    expect(c.toArray()).toEqual([
      [3, 4],
      [3, 4],
    ]);
    d.assign(d.max());
    expect(d.toArray()).toEqual([
      [4, 4],
      [4, 4],
    ]);
  });

  test("two views of one SharedArrayBuffer are the same memory", () => {
    const shared = new SharedArrayBuffer(16);
    const x = tensorMap("float32", new Float32Array(shared), [4]);
    const y = tensorMap("float32", new Float32Array(shared), [4]);
    x.copyFrom([1, 2, 3, 4]);
    x.assign(y.reverse());
    expect(y.toArray()).toEqual([4, 3, 2, 1]);
  });

  test("addAssign, subAssign, mulAssign and divAssign", () => {
    const x = tensorMap("int32", Int32Array.of(10, -7, 3), [3]);
    x.addAssign(1);
    x.mulAssign(tensorMap("int32", Int32Array.of(2, 3, 4), [3]));
    x.subAssign(x.chip(0).mul(1));
    expect(x.toArray()).toEqual([0, -40, -6]);
    x.divAssign(4);
    expect(x.toArray()).toEqual([0, -10, -1]);
  });
});

const constOnly: ConstStridedMap<"float64", 1> = tensorMap("float64", new Float64Array(1), [1]).asConst().strided();
test("a read-only map has no assign in its type, and refuses it at run time", () => {
  // @ts-expect-error read-only
  expect(() => constOnly.assign(1)).toThrow(/read-only/);
});

/** Random sequences of share, slice, reshape, write and dispose, compared with a naive model: plain arrays and a list of holders. */
import { expect, test } from "@jest/globals";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import fc from "fast-check";

/** The model of a tensor: an array, an offset in it, and sizes. Each slice makes a window; handles shared from a slice have its window. */
interface Model {
  readonly root: { readonly data: number[] };
  readonly window: { readonly root: object };
  readonly start: number;
  readonly dims: readonly number[];
}

const count = (dims: readonly number[]): number => dims.reduce((a, b) => a * b, 1);

type Step = { readonly kind: number; readonly pick: number; readonly a: number; readonly b: number };
const step = fc.record({ kind: fc.nat(7), pick: fc.nat(1000), a: fc.nat(1000), b: fc.nat(1000) });

/** Returns one of a few factorizations of `total` into sizes; trying all of them would take too long. */
function otherDims(total: number, a: number): number[] {
  const divisors = [...Array(total).keys()].map((i) => i + 1).filter((d) => total % d === 0);
  const first = divisors[a % divisors.length] ?? 1;
  return a % 2 === 0 ? [first, total / first] : [total / first, 1, first];
}

function run(steps: readonly Step[]): void {
  const live = liveBuffers();
  const pairs: { tensor: Tensor<"int32">; model: Model }[] = [];
  const add = (tensor: Tensor<"int32">, model: Model): void => void pairs.push({ tensor, model });
  const make = (n: number): void => {
    const data = Array.from({ length: n }, (_, i) => i);
    const root = { data };
    add(Tensor.from(data, { dtype: "int32" }), { root, window: { root }, start: 0, dims: [n] });
  };
  try {
    for (const { kind, pick, a, b } of steps) {
      const pair = pairs[pick % Math.max(pairs.length, 1)];
      if (pair === undefined || kind === 0) {
        make(1 + (a % 24));
        continue;
      }
      const { tensor, model } = pair;
      const total = count(model.dims);
      const rows = model.dims[0];
      if (kind === 1) add(tensor.share(), model);
      else if (kind === 2 && total > 0) {
        const dims = otherDims(total, a);
        add(tensor.reshape(dims), { ...model, dims });
      } else if (kind === 3 && rows !== undefined) {
        const start = a % (rows + 1);
        const limit = start + (b % (rows - start + 1));
        const row = rows === 0 ? 0 : total / rows;
        const whole = limit - start === rows;
        add(tensor.slice(start, limit), {
          root: model.root,
          window: whole ? model.window : { root: model.root },
          start: model.start + start * row,
          dims: [limit - start, ...model.dims.slice(1)],
        });
      } else if (kind === 4 && rows !== undefined && rows > 0) {
        const i = a % rows;
        add(tensor.subSlice(i), {
          root: model.root,
          window: { root: model.root },
          start: model.start + i * (total / rows),
          dims: model.dims.slice(1),
        });
      } else if (kind === 5 && total > 0) {
        tensor.flat().set(a % total, b);
        model.root.data[model.start + (a % total)] = b;
      } else if (kind === 6) {
        tensor.dispose();
        pairs.splice(pairs.indexOf(pair), 1);
      } else if (kind === 7) {
        const target = pairs[a % pairs.length];
        if (target !== undefined) {
          expect(target.tensor.copyFrom(tensor, count(target.model.dims) === total ? target.model.dims : model.dims)).toBe(true);
          target.model = { ...model, dims: count(target.model.dims) === total ? target.model.dims : model.dims };
        }
      }
      check(pairs, live);
    }
  } finally {
    for (const { tensor } of pairs) tensor.dispose();
  }
  expect(liveBuffers()).toBe(live);
}

function check(pairs: readonly { tensor: Tensor<"int32">; model: Model }[], live: number): void {
  expect(liveBuffers() - live).toBe(new Set(pairs.map(({ model }) => model.root)).size);
  for (const { tensor, model } of pairs) {
    expect(tensor.shape.dimSizes).toEqual(model.dims);
    expect([...tensor.flat()]).toEqual(model.root.data.slice(model.start, model.start + count(model.dims)));
    // The holders of this window, and all windows on the root.
    const holders = pairs.filter((other) => other.model.window === model.window).length;
    const windows = new Set(pairs.filter((other) => other.model.root === model.root).map((other) => other.model.window));
    const { buffer } = tensor;
    expect(buffer?.refs).toBe(holders + (buffer?.rootBuffer === buffer ? windows.size - 1 : 0));
    for (const other of pairs) expect(tensor.sharesBufferWith(other.tensor)).toBe(other.model.root === model.root);
  }
}

const numRuns = process.env["ONEBUFFER_LONG"] === undefined ? 120 : 6000;

test("reference counts, contents and sharing equal the model's", () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), run), { numRuns });
});

/** Random sequences of share, slice, reshape, write and dispose, compared with a naive model: plain arrays and a list of holders. */
import { expect, test } from "@jest/globals";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import fc from "fast-check";

/** The model of a tensor: an array, an offset in it, and sizes. Each slice makes a window; handles shared from a slice have its window. */
interface Twin {
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
  const pairs: { tensor: Tensor<"int32">; twin: Twin }[] = [];
  const add = (tensor: Tensor<"int32">, twin: Twin): void => void pairs.push({ tensor, twin });
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
      const { tensor, twin } = pair;
      const total = count(twin.dims);
      const rows = twin.dims[0];
      if (kind === 1) add(tensor.share(), twin);
      else if (kind === 2 && total > 0) {
        const dims = otherDims(total, a);
        add(tensor.reshape(dims), { ...twin, dims });
      } else if (kind === 3 && rows !== undefined) {
        const start = a % (rows + 1);
        const limit = start + (b % (rows - start + 1));
        const row = rows === 0 ? 0 : total / rows;
        const whole = limit - start === rows;
        add(tensor.slice(start, limit), {
          root: twin.root,
          window: whole ? twin.window : { root: twin.root },
          start: twin.start + start * row,
          dims: [limit - start, ...twin.dims.slice(1)],
        });
      } else if (kind === 4 && rows !== undefined && rows > 0) {
        const i = a % rows;
        add(tensor.subSlice(i), {
          root: twin.root,
          window: { root: twin.root },
          start: twin.start + i * (total / rows),
          dims: twin.dims.slice(1),
        });
      } else if (kind === 5 && total > 0) {
        tensor.flat().set(a % total, b);
        twin.root.data[twin.start + (a % total)] = b;
      } else if (kind === 6) {
        tensor.dispose();
        pairs.splice(pairs.indexOf(pair), 1);
      } else if (kind === 7) {
        const target = pairs[a % pairs.length];
        if (target !== undefined) {
          expect(target.tensor.copyFrom(tensor, count(target.twin.dims) === total ? target.twin.dims : twin.dims)).toBe(true);
          target.twin = { ...twin, dims: count(target.twin.dims) === total ? target.twin.dims : twin.dims };
        }
      }
      check(pairs, live);
    }
  } finally {
    for (const { tensor } of pairs) tensor.dispose();
  }
  expect(liveBuffers()).toBe(live);
}

function check(pairs: readonly { tensor: Tensor<"int32">; twin: Twin }[], live: number): void {
  expect(liveBuffers() - live).toBe(new Set(pairs.map(({ twin }) => twin.root)).size);
  for (const { tensor, twin } of pairs) {
    expect(tensor.shape.dimSizes).toEqual(twin.dims);
    expect([...tensor.flat()]).toEqual(twin.root.data.slice(twin.start, twin.start + count(twin.dims)));
    // The holders of this window, and all windows on the root.
    const holders = pairs.filter((other) => other.twin.window === twin.window).length;
    const windows = new Set(pairs.filter((other) => other.twin.root === twin.root).map((other) => other.twin.window));
    const { buffer } = tensor;
    expect(buffer?.refs).toBe(holders + (buffer?.rootBuffer === buffer ? windows.size - 1 : 0));
    for (const other of pairs) expect(tensor.sharesBufferWith(other.tensor)).toBe(other.twin.root === twin.root);
  }
}

const numRuns = process.env["ONEBUFFER_LONG"] === undefined ? 120 : 6000;

test("reference counts, contents and sharing equal the model's", () => {
  fc.assert(fc.property(fc.array(step, { maxLength: 40 }), run), { numRuns });
});

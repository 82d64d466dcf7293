// Large operands and targets outside the linear memory are computed in chunks, with the results of the whole and little scratch
// memory.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { concatenate, tensorMap } from "@onebuffer/eigen";
import { isLong, sampled } from "@onebuffer/test-support";
import { kernelCounts, setKernelHooks } from "@onebuffer/kernels/internal";
import { arenaMap, Dice, ownScratch, scratchFrom } from "./kernel-subjects.ts";
import { product } from "../row-major.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const kMiB = 1 << 20;
let held = 0;
let most = 0;
const reasons: string[] = [];

describe("kernels in chunks", () => {
  beforeAll(() => {
    const { reserve, release } = ownScratch;
    setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
    scratchFrom({
      reserve: (bytes) => {
        held += bytes;
        most = Math.max(most, held);
        return reserve(bytes);
      },
      release: (offset, bytes) => {
        held -= bytes;
        release(offset, bytes);
      },
    });
  });
  afterAll(() => scratchFrom(ownScratch));
  beforeEach(() => {
    most = held;
  });

  /** Random elements by their number and seed: most subjects have the same. */
  const randomValues = new Map<string, Float32Array>();

  /** Returns two float32 maps of the same elements, one inside the linear memory and one outside. */
  function twins(dims: readonly number[], seed: number): { inside: Any; outside: Any } {
    const key = `${product(dims)} ${seed}`;
    const dice = new Dice(seed);
    const values = randomValues.get(key) ?? new Float32Array(product(dims));
    if (!randomValues.has(key)) {
      // They repeat after a number of elements that divides no row: making millions of them takes longer than all kernels.
      const period = Math.min(values.length, 10_007);
      for (let i = 0; i < period; i++) values[i] = (dice.unit() - 0.5) * 8;
      for (let i = period; i < values.length; i += period) values.copyWithin(i, 0, Math.min(period, values.length - i));
    }
    randomValues.set(key, values);
    const array = values.slice();
    const inside = arenaMap("float32", dims) as Any;
    inside.array.set(array, inside.base);
    return { inside, outside: (tensorMap as Any)("float32", array, dims) };
  }

  /** Returns true if the elements of two dense maps have the same bytes. */
  function haveSameBytes(a: Any, b: Any): boolean {
    const [x, y] = [a, b].map(({ array, base, size }) => {
      const width = array.BYTES_PER_ELEMENT;
      return Buffer.from(array.buffer, array.byteOffset + base * width, size * width);
    });
    return x!.equals(y!);
  }

  /** The elements of a subject, as rows of 300: at least two chunks. */
  const kSize = isLong ? 900_000 : 540_000;
  const kRows = kSize / 300;

  const subjects: [string, readonly number[], (x: Any, y: Any, v: Any) => Any][] = [
    ["a chain", [kSize], (x, y) => x.mul(y).add(1).exp()],
    ["rows with a bias", [kRows, 300], (x, y, v) => x.mul(y).add(v).tanh()],
    ["few large rows", [2, kSize / 2], (x, y, v) => x.add(y).mul(v)],
    ["softmax", [kRows, 300], (x) => x.softmax()],
    ["layerNorm", [kRows, 300], (x, _, v) => x.layerNorm({ scale: v, offset: v })],
    ["sums of rows", [kRows, 300], (x, y) => x.mul(y).sum([1])],
    ["variance of rows with kept dimensions", [kRows, 300], (x) => x.variance([1], { keepDims: true })],
    ["sums in the middle", [kRows / 60, 60, 300], (x) => x.sum([1])],
    ["argmax of rows", [kRows, 300], (x) => x.argmax(1, { outputType: "int32" })],
    ["a reversed chain", [kRows, 300], (x, y) => x.reverse([1]).add(y)],
    ["a transposition", [300, kRows], (x) => x.transpose().add(1)],
    ["a scan of rows", [kRows, 300], (x) => x.cumsum(1).mul(2)],
    ["a concatenation of columns", [kRows, 300], (x, y) => concatenate([x.add(1), y.mul(2)], 1)],
    ["a concatenation of rows", [kRows, 300], (x, y) => concatenate([x.add(1), y.mul(2)], 0)],
  ];

  test.each(sampled(subjects, 4))(
    "%s: equals the result inside bit for bit, with less than 6 MiB of scratch memory",
    (_, dims, build: (x: Any, y: Any, v: Any) => Any) => {
      const [x, y, v] = [twins(dims, 1), twins(dims, 2), twins(dims.slice(-1), 3)];
      const wanted = build(x.inside, y.inside, v.inside);
      const whole = arenaMap(wanted.dtype, wanted.dimensions) as Any;
      whole.assign(wanted);
      const given = build(x.outside, y.outside, v.outside);
      const constructor = whole.array.constructor;
      for (const where of isLong ? ["outside", "inside"] : [dims.length === 1 ? "inside" : "outside"]) {
        const target =
          where === "inside"
            ? (arenaMap(given.dtype, given.dimensions) as Any)
            : (tensorMap as Any)(given.dtype, new constructor(given.size), given.dimensions);
        const { runs } = kernelCounts();
        most = held;
        target.assign(given);
        expect(kernelCounts().runs).toBeGreaterThan(runs + 1);
        expect(most - held).toBeLessThan(6 * kMiB);
        expect(haveSameBytes(target, whole)).toBe(true);
      }
      // A scan without an operation around it may be left to the plain evaluator.
      expect(reasons.filter((reason) => !reason.includes("cumsum"))).toEqual([]);
    },
  );

  const kLarge = isLong ? 64 : 16;

  test(`${kLarge} MiB outside the linear memory need less than 6 MiB of scratch memory`, () => {
    const rows = kLarge * 128;
    const x = tensorMap("float64", new Float64Array(rows << 10).fill(2), [rows, 1 << 10]) as Any;
    x.assign(x.mul(x).add(0.5));
    expect([x.at(0, 0), x.at(rows - 1, 1023)]).toEqual([4.5, 4.5]);
    expect(most - held).toBeLessThan(6 * kMiB);
  });

  test("an operand that is the same for all rows is copied in once", () => {
    const x = twins([4000, 256], 5).outside;
    const v = twins([256], 6);
    let reads = 0;
    const { outside } = v;
    const places = outside.rawPlaces.bind(outside);
    outside.rawPlaces = () => {
      reads++;
      return places();
    };
    const out = tensorMap("float32", new Float32Array(4000 * 256), [4000, 256]) as Any;
    out.assign(x.mul(outside));
    expect(out.at(3999, 255)).toBe(Math.fround(x.at(3999, 255) * v.inside.at(255)));
    expect(reads).toBeLessThan(12);
  });

  test("a target that overlaps its operand in another order gets the result of the whole", () => {
    const n = 1 << 20;
    const x = tensorMap("float32", new Float32Array(n), [n]) as Any;
    for (let k = 0; k < n; k++) x.data[k] = k;
    x.assign(x.strided().reverse().add(1));
    expect([x.at(0), x.at(n - 1), x.at(1)]).toEqual([n, 1, n - 1]);
  });

  test("a division by zero in a later chunk throws", () => {
    const n = 1 << 20;
    const x = tensorMap("int32", new Int32Array(n).fill(7), [n]) as Any;
    const y = tensorMap("int32", new Int32Array(n).fill(2), [n]) as Any;
    x.assign(x.div(y));
    expect(x.at(n - 1)).toBe(3);
    y.set(n - 3, 0);
    expect(() => x.assign(x.div(y))).toThrow(/division by zero/);
  });
});

// The rep against a naive twin: 120,000 random mutations of full and partial shapes in all three representations. The
// twin keeps a list of sizes, follows the rules of TensorFlow's representations literally, counts in bigint, and has
// its own encoder of the 16 bytes. After every step both agree in everything, also when the step was refused.
import { expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { PartialTensorShape, TensorShape } from "@onebuffer/shape";
import fc from "fast-check";

interface Twin {
  readonly partial: boolean;
  unknownRank: boolean;
  dims: number[];
  tag: 0 | 1 | 2;
  dtype: number;
}

const kLimit = 2n ** 53n - 1n;

/** The number of elements, or null when a product on the way to it does not fit. */
function count(dims: readonly number[]): number | null {
  let product = 1n;
  for (const size of dims) {
    if (size < 0) return -1;
    product *= BigInt(size);
    if (product > kLimit) return null;
  }
  return Number(product);
}

/** Appends by the rules: 6 below 65534 in Rep16, 3 below 2^32 - 2 in Rep32, and never back. */
function push(twin: Twin, size: number): void {
  const inline = size < 0 ? -1 : size;
  if (twin.tag === 0 && twin.dims.length < 6 && size < 65534) twin.dims.push(inline);
  else if (twin.tag === 1 && twin.dims.length < 3 && size < 4294967294) twin.dims.push(inline);
  else if (twin.tag === 2) twin.dims.push(size);
  else {
    const all = [...twin.dims, size];
    twin.tag = all.length <= 3 && all.every((each) => each < 4294967294) ? 1 : 2;
    twin.dims = twin.tag === 1 ? all.map((each) => Math.max(each, -1)) : all;
  }
}

function refill(twin: Twin, dims: readonly number[]): void {
  twin.dims = [];
  twin.tag = 0;
  for (const size of dims) push(twin, size);
}

function encode(twin: Twin): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  if (twin.tag < 2)
    twin.dims.forEach((size, d) =>
      twin.tag === 0 ? view.setUint16(2 * d, size & 0xffff, true) : view.setUint32(4 * d, size === -1 ? 0xffffffff : size, true),
    );
  bytes[13] = twin.dtype;
  bytes[14] = twin.unknownRank ? 255 : twin.dims.length;
  bytes[15] = twin.tag;
  return bytes;
}

type Step = readonly [op: number, i: number, j: number, size: number, more: readonly number[]];
type Refusal = "INVALID_ARGUMENT" | "INTERNAL";

const isSize = (twin: Twin, size: number): boolean => Number.isSafeInteger(size) && (twin.partial || size >= 0);

/** Does to the twin what the step says; a code when it must be refused. */
function predict(twin: Twin, [op, i, j, size, more]: Step): Refusal | null {
  const { dims } = twin;
  const rank = twin.unknownRank ? -1 : dims.length;
  const tryDims = (next: readonly number[], apply: () => void): Refusal | null => {
    if (count(next) === null) return "INVALID_ARGUMENT";
    apply();
    return null;
  };
  const range = (begin: number, end: number): Refusal | null => {
    if (rank < 0) return null;
    const from = begin < 0 ? begin + rank + 1 : begin;
    const to = end < 0 ? end + rank + 1 : end;
    if (from < 0 || from > rank || to < 0 || to > rank) return "INTERNAL";
    if (from >= to) return null;
    const rest = [...dims.slice(0, from), ...dims.slice(to)];
    return tryDims(rest, () => refill(twin, rest));
  };
  switch (op) {
    case 0:
    case 1:
      if (!isSize(twin, size)) return "INVALID_ARGUMENT";
      return rank < 0 ? null : tryDims([...dims, size], () => push(twin, size));
    case 2:
      return rank < 0 ? null : tryDims([...dims, ...more], () => more.forEach((each) => push(twin, each)));
    case 3: {
      if (!isSize(twin, size)) return "INVALID_ARGUMENT";
      if (i < 0 || i > rank) return "INTERNAL";
      const next = [...dims.slice(0, i), size, ...dims.slice(i)];
      return tryDims(next, () => refill(twin, next));
    }
    case 4: {
      if (!isSize(twin, size) || i < 0 || i >= rank) return "INVALID_ARGUMENT";
      const next = dims.map((each, d) => (d === i ? size : each));
      return tryDims(next, () => {
        if (twin.tag === 2) twin.dims = next;
        else if (size < (twin.tag === 0 ? 65534 : 4294967294)) twin.dims = next.map((each) => Math.max(each, -1));
        else refill(twin, next);
      });
    }
    case 5:
      return i < 0 ? "INTERNAL" : range(i, i + 1);
    case 6:
      return j > rank ? "INTERNAL" : range(rank - j, rank);
    case 7:
      return range(i, j);
    case 8:
      Object.assign(twin, { unknownRank: false, dims: [], tag: 0, dtype: 0 });
      return null;
    default:
      twin.dtype = more.length;
      return null;
  }
}

function act(shape: TensorShape | PartialTensorShape, [op, i, j, size, more]: Step): void {
  if (op <= 1) shape.addDim(size);
  else if (op === 2) shape.appendShape(new TensorShape(more));
  else if (op === 3) shape.insertDim(i, size);
  else if (op === 4) shape.setDim(i, size);
  else if (op === 5) shape.removeDim(i);
  else if (op === 6) shape.removeLastDims(j);
  else if (op === 7) shape.removeDimRange(i, j);
  else if (op === 8) shape.clear();
  else shape.setDataType(more.length);
}

/** What can be seen of a shape; cheap enough for 120,000 looks. */
const seen = (shape: TensorShape | PartialTensorShape): string =>
  `${shape.dims}|${shape.numElements}|${shape.rep}|${shape.dimSizes.join()}|${shape.debugString()}|${shape.bytes().join()}`;
const foreseen = (twin: Twin): string =>
  `${twin.unknownRank ? -1 : twin.dims.length}|${twin.unknownRank ? -1 : count(twin.dims)}|${["REP16", "REP32", "REP_OUT_OF_LINE"][twin.tag]}|${twin.dims.join()}|${
    twin.unknownRank ? "<unknown>" : `[${twin.dims.map((size) => (size < 0 ? "?" : size)).join()}]`
  }|${encode(twin).join()}`;

const small = fc.integer({ min: 0, max: 4 });
const edges = fc.constantFrom(
  65532,
  65533,
  65534,
  65535,
  55108,
  55109,
  70000,
  2 ** 30,
  2 ** 31,
  4294967293,
  4294967294,
  4294967295,
  2 ** 40,
  2 ** 53 - 1,
);
const bad = fc.constantFrom(-1, -1, -1, -5, 0.5, Number.NaN, 2 ** 53, Number.NEGATIVE_INFINITY);
const size = fc.oneof({ weight: 12, arbitrary: small }, { weight: 3, arbitrary: edges }, { weight: 2, arbitrary: bad });
const index = fc.integer({ min: -3, max: 7 });
const step: fc.Arbitrary<Step> = fc.tuple(
  fc.constantFrom(0, 0, 0, 1, 2, 3, 3, 4, 4, 4, 5, 6, 7, 8, 9),
  index,
  fc.integer({ min: -3, max: 4 }),
  size,
  fc.array(small, { maxLength: 3 }),
);

const kSteps = 60;
/** `npm run long` runs the models twenty times as often. */
const kFactor = process.env["ONEBUFFER_LONG"] === "1" ? 20 : 1;

const kRuns = 1000 * kFactor;

/** A shape and its twin, from a list of sizes that may be refused; then null. */
function start(partial: boolean, dims: readonly number[]): { shape: TensorShape | PartialTensorShape; twin: Twin } | null {
  const twin: Twin = { partial, unknownRank: false, dims: [], tag: 0, dtype: 0 };
  const make = (): TensorShape | PartialTensorShape => (partial ? new PartialTensorShape(dims) : new TensorShape(dims));
  if (!dims.every((each) => isSize(twin, each)) || count(dims) === null) {
    expect(make).toThrow();
    return null;
  }
  refill(twin, dims);
  return { shape: make(), twin };
}

test.each([[false], [true]])("partial %p: mutations agree with the twin", (partial) => {
  const visited = new Map<string, number>();
  let mutations = 0;
  fc.assert(
    fc.property(fc.array(size, { maxLength: 8 }), fc.array(step, { minLength: kSteps, maxLength: kSteps }), (dims, steps) => {
      const made = start(partial, dims) ?? start(partial, [])!;
      const { twin } = made;
      let { shape } = made;
      if (partial && dims.length === 0) {
        shape = new PartialTensorShape();
        twin.unknownRank = true;
      }
      for (const each of steps) {
        mutations++;
        const before = seen(shape);
        const copy = shape.clone();
        const expected = predict(twin, each);
        let refused: unknown = null;
        try {
          act(shape, each);
        } catch (error) {
          if (!isStatusError(error)) throw error;
          refused = error.code;
        }
        if (refused !== expected || seen(shape) !== foreseen(twin)) {
          throw new Error(
            `after ${JSON.stringify(each)} on ${before}: ${String(refused)} ${seen(shape)}, expected ${String(expected)} ${foreseen(twin)}`,
          );
        }
        if (seen(copy) !== before) throw new Error(`after ${JSON.stringify(each)} the copy of ${before} is ${seen(copy)}`);
        if (refused !== null && seen(shape) !== before) throw new Error(`the refused step ${JSON.stringify(each)} changed ${before}`);
        const key = `${shape.rep}${refused === null ? "" : " refused"}`;
        visited.set(key, (visited.get(key) ?? 0) + 1);
        // The walk goes on with a copy now and then, so that copies are held to the same rules.
        if (each[1] === 7) shape = shape.clone();
      }
    }),
    { numRuns: kRuns },
  );
  expect(mutations).toBeGreaterThanOrEqual(kRuns * kSteps);
  for (const rep of ["REP16", "REP32", "REP_OUT_OF_LINE"]) {
    expect(visited.get(rep)).toBeGreaterThan(1000);
    expect(visited.get(`${rep} refused`)).toBeGreaterThan(100);
  }
});

// Runs of one elementwise computation over chosen operands, and what can be wrong with what kernels make of them: an element's result may
// depend on that element alone.
//
//     alone    v v v v v v v v v v v v v v        what v gives, the same in every lane, unrolled or not
//     spread   o o v o o o o w o o o o x o        one rare element in each group of vectors, at each place of it in turn
//     dense    v w x y z v w x y z v w x          all of them side by side, from aligned and unaligned places on
import type { DType, RawDType } from "@onebuffer/base";
import { dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { assignByReference, kernelCounts, tensorMap } from "@onebuffer/eigen";
import { linearMemory } from "@onebuffer/wasm";
import { ulps } from "./kernel-subjects.ts";
import { bitsIn } from "./rare-elements.ts";
import type { Bits, BitsArray } from "./rare-elements.ts";

/** Trees are put together from tables, which no type follows. */
type Any = ReturnType<typeof JSON.parse>;

/** A computation of an element from one of each operand. */
export interface Body {
  readonly name: string;
  readonly dtypes: readonly RawDType[];
  readonly build: (...operands: Any[]) => Any;
  /** How far kernel and evaluator may be apart, in units of the last place. */
  readonly ulps: number;
}

/** One element of each operand. */
export type Tuple = readonly Bits[];

/** Where operands and result begin, in elements (the result's is the first), and whether the result replaces the first operand. */
interface Place {
  readonly shifts: readonly number[];
  readonly inPlace: boolean;
}
const kAligned: Place = { shifts: [0, 0, 0, 0], inPlace: false };

const kSlotBytes = 1 << 23;
/** More than any load of a whole group brings in from behind the end of an operand. */
const kBehind = 256;
const slots = Array.from({ length: 5 }, () => linearMemory().reserve(kSlotBytes) as number);

/** A dense map from `shift` elements after the start of a slot on, and its bits. Behind its end are zeros, which no result may show. */
function mapIn(slot: number, dtype: RawDType, count: number, shift: number): { readonly map: Any; readonly bits: BitsArray } {
  const at = slots[slot]! + shift * dtypeSize(dtype);
  const size = dtypeSize(dtype);
  if ((shift + count) * size + kBehind > kSlotBytes) throw new Error(`${count} elements of ${dtype} are too many for a slot`);
  const { buffer } = linearMemory();
  new Uint8Array(buffer, at + count * size, kBehind).fill(0);
  const array = new (typedArrayConstructor(dtype) as Any)(buffer, at, count);
  return { map: tensorMap(dtype as DType, array as never, [count]), bits: bitsIn(buffer, at, count, dtype) };
}

/** A body over so many elements, to be computed again and again. */
class Run {
  readonly operands: readonly BitsArray[];
  readonly out: BitsArray;
  readonly dtype: RawDType;
  readonly #expr: Any;
  readonly #target: Any;

  constructor(body: Body, count: number, place: Place = kAligned) {
    const operands = body.dtypes.map((dtype, k) => mapIn(k + 1, dtype, count, place.shifts[k + 1]!));
    this.#expr = body.build(...operands.map(({ map }) => map));
    this.dtype = this.#expr.dtype as RawDType;
    const isInPlace = place.inPlace && this.dtype === body.dtypes[0];
    const target = isInPlace ? operands[0]! : mapIn(0, this.dtype, count, place.shifts[0]!);
    this.operands = operands.map(({ bits }) => bits);
    this.out = target.bits;
    this.#target = target.map;
  }

  set(at: number, tuple: Tuple): void {
    this.operands.forEach((bits, k) => (bits[at] = tuple[k]! as never));
  }

  fill(tuple: Tuple): void {
    this.operands.forEach((bits, k) => bits.fill(tuple[k]! as never));
  }

  compute(): BitsArray {
    const { runs } = kernelCounts();
    this.#target.assign(this.#expr);
    if (kernelCounts().runs === runs) throw new Error("no kernel ran");
    return this.out;
  }

  /** What kernel and evaluator give for the same operands. */
  both(): readonly [kernel: number[], evaluator: number[]] {
    const reference = mapIn(4, this.dtype, this.out.length, 0);
    assignByReference(reference.map, this.#expr);
    this.compute();
    return [[...this.#target], [...reference.map]];
  }
}

const hex = (bits: Bits | undefined): string => `0x${(bits ?? -1).toString(16)}`;
const shown = (tuple: Tuple): string => `(${tuple.map(hex).join(", ")})`;

/** The first place at which two arrays differ; -1 if there is none. */
function firstDifference(a: BitsArray, b: BitsArray): number {
  const bytes = (array: BitsArray): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return Buffer.compare(bytes(a), bytes(b)) === 0 ? -1 : a.findIndex((value: Bits, i: number) => value !== b[i]);
}

/** As many elements as the longest group of vectors that a kernel takes side by side. */
function groupOf({ dtypes }: Body): number {
  return (8 * 16) / Math.min(...dtypes.map((dtype) => dtypeSize(dtype)));
}

/** What each tuple gives among its like; a string that says so if lanes of the same elements differ. */
export function aloneResults(body: Body, tuples: readonly Tuple[]): Bits[] | string {
  const run = new Run(body, groupOf(body) + 21);
  const results: Bits[] = [];
  for (const tuple of tuples) {
    run.fill(tuple);
    const out = run.compute();
    const at = out.findIndex((value: Bits) => value !== out[0]);
    if (at >= 0) return `${shown(tuple)} alone: element ${at} is ${hex(out[at])}, element 0 is ${hex(out[0])}`;
    results.push(out[0]!);
  }
  return results;
}

/** Bits as an array of the kind that holds results of a run. */
function like(run: Run, count: number): BitsArray {
  return new (run.out.constructor as new (length: number) => BitsArray)(count);
}

/** The first element that is not what it is alone, with the last tuple around all others, each `stride`-th place tried. */
export function wrongSpread(body: Body, tuples: readonly Tuple[], alone: readonly Bits[], stride: number): string | null {
  const distance = groupOf(body) + 1;
  const count = tuples.length * distance;
  for (let offset = 0; offset < distance; offset += stride) {
    const run = new Run(body, count, { shifts: [offset % 5, offset % 7, offset % 3, offset % 2], inPlace: offset % 2 === 1 });
    const expected = like(run, count).fill(alone.at(-1) as never);
    run.fill(tuples.at(-1)!);
    tuples.forEach((tuple, t) => {
      run.set(t * distance + offset, tuple);
      expected[t * distance + offset] = alone[t]! as never;
    });
    const at = firstDifference(run.compute(), expected);
    if (at >= 0) return `${shown(tuples[Math.floor(at / distance)]!)} spread, element ${at}: ${hex(run.out[at])}, not ${hex(expected[at])}`;
  }
  return null;
}

/** The first element that is not what it is alone, all tuples side by side in several orders. */
export function wrongDense(body: Body, tuples: readonly Tuple[], alone: readonly Bits[], rounds: number): string | null {
  for (let k = 0; k < rounds; k++) {
    const count = tuples.length + k;
    const run = new Run(body, count, { shifts: [k % 5, k % 7, k % 3, k % 2], inPlace: k % 2 === 1 });
    const expected = like(run, count);
    for (let i = 0; i < count; i++) {
      const t = (i * (k + 1) + k) % tuples.length;
      run.set(i, tuples[t]!);
      expected[i] = alone[t]! as never;
    }
    const at = firstDifference(run.compute(), expected);
    if (at >= 0)
      return `${shown(tuples[(at * (k + 1) + k) % tuples.length]!)} dense, element ${at}: ${hex(run.out[at])}, not ${hex(expected[at])}`;
  }
  return null;
}

/** The first element at which kernel and evaluator are further apart than the body says. */
export function wrongByReference(body: Body, tuples: readonly Tuple[]): string | null {
  const run = new Run(body, tuples.length);
  tuples.forEach((tuple, t) => run.set(t, tuple));
  const [got, wanted] = run.both();
  const at = got.findIndex((value, i) => {
    const other = wanted[i]!;
    return !Object.is(value, other) && !(typeof value === "number" && ulps(value, other, run.dtype) <= body.ulps);
  });
  return at < 0 ? null : `${shown(tuples[at]!)}: ${got[at]}, not ${wanted[at]}`;
}

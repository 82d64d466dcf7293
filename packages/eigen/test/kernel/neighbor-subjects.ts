// Runs one elementwise computation over chosen operands, and checks that the kernel's result of an element depends on that
// element alone.
//
//     alone    v v v v v v v v v v v v v v        the result of v, the same in every lane, unrolled or not
//     spread   o o v o o o o w o o o o x o        one rare element in each group of vectors, at each position in turn
//     dense    v w x y z v w x y z v w x          all of them side by side, from aligned and unaligned addresses on
import type { DType, RawDType } from "@onebuffer/base";
import { dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { assignByReference } from "@onebuffer/eigen/internal";
import { tensorMap } from "@onebuffer/eigen";
import { linearMemory } from "@onebuffer/wasm";
import { kernelCounts } from "@onebuffer/kernels/internal";
import { isWithin } from "./kernel-subjects.ts";
import type { FunctionBound } from "./kernel-subjects.ts";
import { bitsIn } from "./rare-elements.ts";
import type { Bits, BitsArray } from "./rare-elements.ts";

/** The trees here are built from tables of method names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

/** A computation of one element from one element of each operand. */
export interface Body {
  readonly name: string;
  readonly dtypes: readonly RawDType[];
  readonly build: (...operands: Any[]) => Any;
  /** How many units in the last place kernel and evaluator may differ. */
  readonly bound: FunctionBound;
}

/** One element of each operand. */
export type Tuple = readonly Bits[];

/** The offsets of the result and then the operands, in elements, and true if the result replaces the first operand. */
interface Place {
  readonly shifts: readonly number[];
  readonly inPlace: boolean;
}
const kAligned: Place = { shifts: [0, 0, 0, 0], inPlace: false };

const kSlotBytes = 1 << 23;
/** More bytes than any load of a whole group reads beyond the end of an operand. */
const kBehind = 256;
const slots = Array.from({ length: 5 }, () => linearMemory().reserve(kSlotBytes) as number);

/**
 * Returns a dense map that begins `shift` elements into a slot, and its bits. Behind its end are zeros, which must not affect any
 * result.
 */
function mapIn(slot: number, dtype: RawDType, count: number, shift: number): { readonly map: Any; readonly bits: BitsArray } {
  const at = slots[slot]! + shift * dtypeSize(dtype);
  const size = dtypeSize(dtype);
  if ((shift + count) * size + kBehind > kSlotBytes) throw new Error(`${count} elements of ${dtype} are too many for a slot`);
  const { buffer } = linearMemory();
  new Uint8Array(buffer, at + count * size, kBehind).fill(0);
  const array = new (typedArrayConstructor(dtype) as Any)(buffer, at, count);
  return { map: tensorMap(dtype as DType, array as never, [count]), bits: bitsIn(buffer, at, count, dtype) };
}

/** A body over `count` elements, to be computed repeatedly. */
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

  /** Returns the results of kernel and evaluator for the same operands. */
  both(): readonly [kernel: number[], evaluator: number[]] {
    const reference = mapIn(4, this.dtype, this.out.length, 0);
    assignByReference(reference.map, this.#expr);
    this.compute();
    return [[...this.#target], [...reference.map]];
  }
}

const hex = (bits: Bits | undefined): string => `0x${(bits ?? -1).toString(16)}`;
const shown = (tuple: Tuple): string => `(${tuple.map(hex).join(", ")})`;

/** Returns the first index at which two arrays differ, or -1 if they are equal. */
function firstDifference(a: BitsArray, b: BitsArray): number {
  const bytes = (array: BitsArray): Uint8Array => new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
  return Buffer.compare(bytes(a), bytes(b)) === 0 ? -1 : a.findIndex((value: Bits, i: number) => value !== b[i]);
}

/** Returns the number of elements in the longest group of vectors that a kernel computes at once. */
function groupOf({ dtypes }: Body): number {
  return (8 * 16) / Math.min(...dtypes.map((dtype) => dtypeSize(dtype)));
}

/** Returns the result of each tuple among copies of itself, or a message if equal elements have different results. */
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

/** Returns an array of bits for results of a run. */
function like(run: Run, count: number): BitsArray {
  return new (run.out.constructor as new (length: number) => BitsArray)(count);
}

/**
 * Spreads the tuples among copies of the last one, at every `stride`-th position. Returns a message about the first element whose
 * result is not the one it has alone, or null.
 */
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

/**
 * Puts all tuples side by side in several orders. Returns a message about the first element whose result is not the one it has
 * alone, or null.
 */
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

/** Returns a message about the first element in which kernel and evaluator differ by more than the body allows, or null. */
export function wrongByReference(body: Body, tuples: readonly Tuple[]): string | null {
  const run = new Run(body, tuples.length);
  tuples.forEach((tuple, t) => run.set(t, tuple));
  const [got, wanted] = run.both();
  const at = got.findIndex((value, i) => {
    const other = wanted[i]!;
    return !Object.is(value, other) && !(typeof value === "number" && isWithin(body.bound, value, other, run.dtype));
  });
  return at < 0 ? null : `${shown(tuples[at]!)}: ${got[at]}, not ${wanted[at]}`;
}

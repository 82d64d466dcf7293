// Operands for tests of kernels: maps in the linear memory, of every dtype and layout, with ordinary and awkward values.
import type { Complex, DType, RawDType, TypedArray } from "@onebuffer/base";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { tensorMap } from "@onebuffer/eigen";
import type { ConstStridedMap, OpName, StridedMap, TensorMap } from "@onebuffer/eigen";
import { linearMemory } from "@onebuffer/wasm";
import { isComplexDType, partDType } from "@onebuffer/expression/src/tree/dtype-groups";
import { records } from "../operation-records.ts";
import { unitAt } from "../random-trees/float-units.ts";
import { product } from "../row-major.ts";

/** A small pseudorandom generator: its seed reproduces a failing case. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 1;
  }

  /** Returns an integer in [0, 2^32). */
  next(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return this.#state >>> 0;
  }

  /** Returns an integer in [0, n). */
  below(n: number): number {
    return this.next() % n;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Returns a number in [0, 1). */
  unit(): number {
    return this.next() / 2 ** 32;
  }
}

/** The functions from which kernels take their scratch memory: `reserve` and `release` of the linear memory. */
export type ScratchSource = Pick<ReturnType<typeof linearMemory>, "reserve" | "release">;

/** The linear memory's own functions, for tests that call through to them and restore them. */
export const ownScratch: ScratchSource = {
  reserve: linearMemory().reserve.bind(linearMemory()),
  release: linearMemory().release.bind(linearMemory()),
};

/**
 * Makes the linear memory reserve and release through `source`. No test here creates an arena, so scratch memory comes from
 * `source`, too.
 */
export function scratchFrom({ reserve, release }: ScratchSource): void {
  Object.assign(linearMemory(), { reserve, release });
}

const kRegion = 1 << 25;
let region = 0;
let used = 0;

/**
 * Returns a typed array in the linear memory. The region starts over when it is full. With `ownBytes`, the array gets memory of
 * its own.
 */
export function arenaArray(dtype: RawDType, count: number, ownBytes: number = 0): TypedArray {
  const constructor = typedArrayConstructor(dtype) as unknown as new (
    buffer: ArrayBufferLike,
    offset: number,
    length: number,
  ) => TypedArray;
  const size = (typedArrayConstructor(dtype) as { readonly BYTES_PER_ELEMENT: number }).BYTES_PER_ELEMENT;
  if (ownBytes > 0) return new constructor(linearMemory().buffer, linearMemory().reserve(ownBytes) as number, count);
  if (region === 0) region = linearMemory().reserve(kRegion) as number;
  const slots = count * arraySlots(dtype);
  const bytes = Math.ceil((slots * size + 1) / 64) * 64;
  if (used + bytes > kRegion) used = 0;
  const array = new constructor(linearMemory().buffer, region + used, slots);
  used += bytes;
  return array;
}

/** Returns a dense map in the linear memory. */
export function arenaMap<D extends RawDType>(dtype: D, dims: readonly number[]): TensorMap<D, number> {
  return tensorMap(dtype as DType, arenaArray(dtype, product(dims)) as never, dims) as unknown as TensorMap<D, number>;
}

const specials = [
  0,
  -0,
  1,
  -1,
  NaN,
  Infinity,
  -Infinity,
  1e-45,
  -1e-40,
  1.17549435e-38,
  0.5,
  -0.5,
  1.5,
  2.5,
  255,
  256,
  -129,
  65504,
  3e9,
  -3e9,
  1e19,
  3.4e38,
  1e-320,
  1e300,
];

/** The smallest and the largest value of integer dtypes of at most 32 bits. Cached, because they are looked up for every element. */
const rangeOf = new Map<DType, readonly [low: number, high: number]>();

function integerRange(dtype: DType): readonly [low: number, high: number] {
  const known = rangeOf.get(dtype);
  if (known !== undefined) return known;
  const bits = Number(dtype.replace(/\D/g, ""));
  const range = dtype.startsWith("int") ? ([-(2 ** (bits - 1)), 2 ** (bits - 1) - 1] as const) : ([0, 2 ** bits - 1] as const);
  rangeOf.set(dtype, range);
  return range;
}

const int64Ends = [-(2n ** 63n), 2n ** 63n - 1n, 2n ** 53n + 1n, -1n];
const uint64Ends = [0n, 2n ** 64n - 1n, 2n ** 63n, 2n ** 53n + 1n];

/** An element as maps take and return it. */
export type Element = number | bigint | boolean | Complex;

/** Returns a value of a dtype: mostly a small one, with `awkward` sometimes an awkward one. */
export function anyElement(dtype: DType, dice: Dice, awkward: boolean): Element {
  if (dtype === "bool") return dice.below(2) === 1;
  if (isComplexDType(dtype)) {
    const part = (): number => anyElement(partDType(dtype), dice, awkward) as number;
    return [part(), part()];
  }
  if (dtype === "int64" || dtype === "uint64") {
    const wild = (BigInt(dice.next()) << 32n) | BigInt(dice.next());
    const small = BigInt(dice.below(21)) - (dtype === "int64" ? 10n : 0n);
    const ends = dtype === "int64" ? int64Ends : uint64Ends;
    const value = !awkward || dice.below(3) > 0 ? small : dice.below(3) === 0 ? dice.pick(ends) : wild;
    return dtype === "int64" ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value);
  }
  if (dtype.startsWith("int") || dtype.startsWith("uint")) {
    const [low, high] = integerRange(dtype);
    if (awkward && dice.below(4) === 0) return dice.pick([low, high, 0, 1, high - 1]);
    if (awkward && dice.below(2) === 0) return low + (dice.next() % (high - low + 1));
    return Math.min(high, Math.max(low, dice.below(21) - (low < 0 ? 10 : 0)));
  }
  const value = awkward && dice.below(5) === 0 ? dice.pick(specials) : (dice.unit() - 0.5) * (dice.below(3) === 0 ? 200 : 4);
  return dtype === "float64" ? value : Math.fround(value);
}

/**
 * Copies the first elements of an array, of which `count` are set, over all others. Large operands of which only the size matters need few
 * random elements.
 */
export function repeat<A extends TypedArray>(array: A, count: number): A {
  for (let set = count; set < array.length; set *= 2) array.copyWithin(set, 0, set);
  return array;
}

/** The dtypes whose arrays hold their elements as numbers. */
const kStoredAsNumbers = /^(u?int(8|16|32)|float(32|64))$/;

/** Returns the elements of a map. Those of a dense one are read from its array, which takes a tenth of the time, where it holds them as numbers. */
export function elementsOf(map: ReturnType<typeof JSON.parse>): ReturnType<typeof JSON.parse>[] {
  const isAligned = kStoredAsNumbers.test(map.dtype) && map.array.constructor === typedArrayConstructor(map.dtype);
  return isAligned && "data" in map ? Array.from(map.data as Float32Array) : [...map];
}

/** How the elements of an operand are laid out in memory. */
export type Layout = "dense" | "strided" | "transposed" | "reversed" | "broadcast";
export const layouts: readonly Layout[] = ["dense", "strided", "transposed", "reversed", "broadcast"];

type AnyMap = TensorMap<RawDType, number> | StridedMap<RawDType, number> | ConstStridedMap<RawDType, number>;

/** Returns a map of these sizes and this layout, with random elements. A broadcast map repeats elements along some dimensions. */
export function subject(dtype: RawDType, dims: readonly number[], layout: Layout, dice: Dice, element?: (dice: Dice) => Element): AnyMap {
  const make = (sizes: readonly number[]): TensorMap<RawDType, number> => {
    const map = arenaMap(dtype, sizes);
    const isStored = kStoredAsNumbers.test(dtype);
    const values = (isStored ? map.data : []) as Element[];
    const count = map.size;
    for (let i = 0; i < count; i++) values[i] = element === undefined ? anyElement(dtype, dice, true) : element(dice);
    if (!isStored) map.copyFrom(values as never);
    return map;
  };
  if (dims.length === 0 || layout === "dense") return make(dims);
  if (layout === "strided") {
    const last = dims.length - 1;
    const wide = dims.with(last, (dims[last] as number) * 2 + 1);
    return make(wide)
      .strided()
      .slice(...dims.map((size, d) => (d === last ? ([1, 1 + 2 * size, 2] as const) : null)));
  }
  if (layout === "transposed") {
    return make([...dims].reverse())
      .strided()
      .transpose();
  }
  if (layout === "reversed") return make(dims).strided().reverse();
  const narrow = dims.map((size) => (dice.below(2) === 0 ? 1 : size));
  return make(narrow).strided().broadcast(dims);
}

/** How far a kernel may be from the evaluator, whose own functions are within one ulp: ulp, of sizes from `least` on. */
export interface FunctionBound {
  readonly ulps: number;
  readonly least: number;
}

/** Returns how far a kernel may be from the evaluator for an operation and dtype: not at all if the operation is exact. */
export function functionBound(op: string, dtype: DType): FunctionBound {
  const { accuracy, units } = records[op as OpName] ?? { accuracy: "exact" as const };
  if (typeof accuracy === "string") return { ulps: 0, least: 0 };
  return { ulps: 1 + (dtype === "float64" ? Math.max(accuracy[0], accuracy[1]) : (units ?? accuracy[0])), least: accuracy[2] ?? 0 };
}

/** Returns true if two floats of a dtype are within a bound. */
export function isWithin({ ulps: most, least }: FunctionBound, a: number, b: number, dtype: DType): boolean {
  if (most === 0 || ulps(a, b, dtype) <= most) return most > 0;
  return Math.max(Math.abs(a), Math.abs(b)) < least && Math.abs(a - b) <= most * unitAt(dtype, least);
}

/** Returns how many ulp of its larger part a complex result of a kernel may differ from the evaluator's: those of float64 functions. */
export function complexUlps(op: string, dtype: DType): number {
  return op === "select" || records[op as OpName]?.exactOnComplex === true ? 0 : dtype === "complex64" ? 1 : 64;
}

/** Returns the number of ulp of the larger part of `wanted` between two complex numbers; Infinity if NaN or infinities differ. */
export function complexDistance(got: Complex, wanted: Complex, dtype: DType): number {
  const part = partDType(dtype);
  const size = Math.max(...wanted.map((x) => (Number.isFinite(x) ? Math.abs(x) : 0)));
  const unit = Math.max(part === "float64" ? 2 ** -52 : 2 ** -23) * Math.max(size, part === "float64" ? 2 ** -1022 : 2 ** -126);
  const off = (k: 0 | 1): number => {
    if (Object.is(got[k], wanted[k])) return 0;
    return got[k] - wanted[k] === got[k] - wanted[k] ? Math.abs(got[k] - wanted[k]) / unit : Number.POSITIVE_INFINITY;
  };
  return Math.max(off(0), off(1));
}

const words = new DataView(new ArrayBuffer(8));

/** Returns the rank of a float among all floats of its dtype, so that neighbors differ by one. */
export function ordinal(value: number, dtype: string): bigint {
  if (dtype === "float64") {
    words.setFloat64(0, value);
    const bits = words.getBigInt64(0);
    return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits;
  }
  words.setFloat32(0, value);
  const bits = words.getInt32(0);
  return BigInt(bits < 0 ? -(bits & 0x7fffffff) : bits);
}

/** Returns the number of units in the last place between two values of a float dtype; Infinity if only one of them is NaN. */
export function ulps(a: number, b: number, dtype: string): number {
  if (Object.is(a, b)) return 0;
  if (a !== a || b !== b) return a !== a && b !== b ? 0 : Number.POSITIVE_INFINITY;
  const distance = Number(ordinal(a, dtype) - ordinal(b, dtype));
  const step = dtype === "float16" ? 2 ** 13 : dtype === "bfloat16" ? 2 ** 16 : 1;
  return Math.abs(distance) / step;
}

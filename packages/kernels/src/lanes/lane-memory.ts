/**
 * lane-memory: loads and stores of groups of elements (Eigen's ploadu, pgather, pstoreu, pscatter, ptranspose).
 *
 *     contiguous   whole vectors of adjacent elements          broadcast    one element in all lanes
 *     strided      element by element, one pointer each        transposed   a square block, its rows and columns exchanged
 *
 * In memory float16 and bfloat16 take 16 bits and bool takes a byte, of which any value but 0 is true. In lanes they are float32
 * and masks; narrow dtypes are in narrow-lanes.ts. A group has enough elements to fill at least one vector in every dtype of the kernel.
 */
import type { DType } from "@onebuffer/base";
import {
  bfloat16sToFloats,
  floatsToBfloat16s,
  floatsToHalves,
  halvesToFloats,
  oneWhere,
  packHalves,
  resizeIntegers,
} from "./lane-numbers.ts";
import { kindOf, lanesOf, mapLanes, maskOfWidth, storageBytes, storageKind, uniform, vectorsOf } from "./lanes.ts";
import type { Lanes } from "./lanes.ts";
import { floatsToPatterns, isNarrowFloat, isNarrowInteger, narrowIntegers, narrowPatterns, patternsToFloats } from "./narrow-lanes.ts";
import type { MemoryInstruction, Vector, VectorBuilder } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";

/** The instructions that load and store one element, by its bytes. */
export const elementAccess: Readonly<Record<number, readonly [load: MemoryInstruction, store: MemoryInstruction]>> = {
  1: ["i32.load8_u", "i32.store8"],
  2: ["i32.load16_u", "i32.store16"],
  4: ["i32.load", "i32.store"],
  8: ["i64.load", "i64.store"],
  16: ["v128.load", "v128.store"],
};

/** Converts elements from their form in memory to lanes to compute with. */
function fromStorage(value: Lanes, dtype: DType): Lanes {
  if (dtype === "float16") return halvesToFloats(resizeIntegers(value, "u32x4"));
  if (dtype === "bfloat16") return bfloat16sToFloats(resizeIntegers(value, "u32x4"));
  if (isNarrowFloat(dtype)) return patternsToFloats(resizeIntegers(value, "u32x4"), dtype);
  if (isNarrowInteger(dtype)) return narrowIntegers(resizeIntegers(value, kindOf(dtype)), dtype);
  return dtype === "bool" ? mapLanes(value, (vector) => vector.ne(0)) : value;
}

/** Converts lanes to the elements' form in memory. */
function toStorage(value: Lanes, dtype: DType): Lanes {
  if (dtype === "float16") return packHalves(floatsToHalves(value));
  if (dtype === "bfloat16") return packHalves(floatsToBfloat16s(value));
  if (isNarrowFloat(dtype)) return resizeIntegers(floatsToPatterns(value, dtype), "u8x16");
  if (isNarrowInteger(dtype)) return resizeIntegers(narrowPatterns(value, dtype), "u8x16");
  return dtype === "bool" ? mapLanes(maskOfWidth(value, 1), (mask) => oneWhere(mask, "u8x16")) : value;
}

/** Loads `elements` adjacent elements, which must fill whole vectors; each copy loads the next ones. */
export function loadContiguous(builder: VectorBuilder, dtype: DType, pointer: number, elements: number): Lanes {
  const bytes = elements * storageBytes(dtype);
  const kind = storageKind(dtype);
  return fromStorage(lanesOf(Array.from({ length: bytes / 16 }, (_, i) => builder.load(kind, pointer, 16 * i, bytes))), dtype);
}

/** The real and imaginary parts of complex numbers, as two values. */
export type Parts = readonly [re: Lanes, im: Lanes];

/** Separates pairs in vectors, real and imaginary parts by turns: those of complex64 are four lanes of two pairs, of complex128 one pair. */
function separated(vectors: readonly Vector[]): Parts {
  const lanes = 16 / laneBytes[vectors[0]!.kind];
  const part = (k: number): Lanes => {
    const order = Array.from({ length: lanes }, (_, lane) => 2 * lane + k);
    return lanesOf(
      Array.from({ length: Math.ceil(vectors.length / 2) }, (_, i) => vectors[2 * i]!.lanes(vectors[2 * i + 1] ?? vectors[2 * i]!, order)),
    );
  };
  return [part(0), part(1)];
}

/** Puts the parts of `elements` complex numbers into pairs again. */
function paired(parts: Parts, elements: number): Vector[] {
  const [re, im] = parts.map((part) => spread(part, elements)) as unknown as readonly [readonly Vector[], readonly Vector[]];
  const lanes = 16 / laneBytes[re[0]!.kind];
  const order = (half: number): number[] => Array.from({ length: lanes }, (_, k) => (half * lanes) / 2 + (k >> 1) + (k % 2) * lanes);
  const pairs = re.flatMap((vector, i) => [vector.lanes(im[i]!, order(0)), vector.lanes(im[i]!, order(1))]);
  return pairs.slice(0, Math.max(1, (2 * elements) / lanes));
}

/** Loads `elements` adjacent complex numbers; `dtype` is that of their parts. */
export function loadPairs(builder: VectorBuilder, dtype: DType, pointer: number, elements: number): Parts {
  const bytes = 2 * elements * storageBytes(dtype);
  return separated(Array.from({ length: bytes / 16 }, (_, i) => builder.load(storageKind(dtype), pointer, 16 * i, bytes)));
}

/**
 * Loads complex64 numbers as float64: adjacent ones at one pointer, or one per pointer. The conversion of a pair is one instruction with its
 * load, and takes no shuffle, unlike that of separated parts.
 */
export function loadWidePairs(builder: VectorBuilder, pointers: readonly number[], elements: number): Parts {
  const isScattered = pointers.length > 1;
  const pair = (i: number): Vector => {
    const pointer = pointers[isScattered ? i : 0]!;
    return builder.loadWith("v128.load64_zero", "f32x4", pointer, isScattered ? 0 : 8 * i, isScattered ? 0 : 8 * elements).lowToF64();
  };
  return separated(Array.from({ length: elements }, (_, i) => pair(i)));
}

/** Stores adjacent complex64 numbers, of which the parts are float64 and differ between elements. */
export function storeNarrowPairs(builder: VectorBuilder, [re, im]: Parts, pointer: number): void {
  const count = re.vectors.length;
  const half = (vector: Vector): Vector => builder.instruction("f32x4", "f32x4.demote_f64x2_zero", [vector]);
  re.vectors.forEach((vector, i) => {
    builder.store(half(vector).lanes(half(im.vectors[i]!), [0, 4, 1, 5]), pointer, 16 * i, 16 * count);
  });
}

/** Loads one complex number per pointer. */
export function loadScatteredPairs(builder: VectorBuilder, dtype: DType, pointers: readonly number[]): Parts {
  if (dtype === "float64") return separated(pointers.map((pointer) => builder.load("f64x2", pointer, 0, 0)));
  return separated(loadScattered(builder, "uint64", pointers).vectors.map((vector) => vector.as("f32x4")));
}

/** Loads the parts of one complex number into all lanes. */
export function loadUniformPair(builder: VectorBuilder, dtype: DType, pointer: number): Parts {
  const kind = storageKind(dtype);
  return [uniform(builder.loadSplat(kind, pointer)), uniform(builder.loadSplat(kind, pointer, laneBytes[kind]))];
}

/** Stores `elements` adjacent complex numbers. */
export function storePairs(builder: VectorBuilder, parts: Parts, pointer: number, elements: number): void {
  const vectors = paired(parts, elements);
  vectors.forEach((vector, i) => builder.store(vector, pointer, 16 * i, 16 * vectors.length));
}

/** Stores one complex number per pointer. */
export function storeScatteredPairs(builder: VectorBuilder, parts: Parts, pointers: readonly number[]): void {
  const vectors = paired(parts, pointers.length);
  const isDouble = vectors[0]!.kind === "f64x2";
  pointers.forEach((pointer, i) => {
    if (isDouble) builder.store(vectors[i]!, pointer, 0, 0);
    else builder.storeLane(vectors[i >> 1]!.as("i64x2"), i % 2, pointer, 0, 0);
  });
}

/** Loads one element into all lanes. */
export function loadUniform(builder: VectorBuilder, dtype: DType, pointer: number): Lanes {
  return fromStorage(uniform(builder.loadSplat(storageKind(dtype), pointer)), dtype);
}

/** Loads one element per pointer. */
export function loadScattered(builder: VectorBuilder, dtype: DType, pointers: readonly number[]): Lanes {
  const kind = storageKind(dtype);
  const perVector = 16 / laneBytes[kind];
  const vectors: Vector[] = [];
  for (let first = 0; first < pointers.length; first += perVector) {
    let vector = builder.loadOne(kind, pointers[first]!, 0, 0);
    for (let lane = 1; lane < perVector; lane++) vector = builder.loadLane(vector, lane, pointers[first + lane]!, 0, 0);
    vectors.push(vector);
  }
  return fromStorage(lanesOf(vectors), dtype);
}

/** Loads a square block with as many rows as a vector has elements. Each pointer is that of a column, which begins at `offset`. */
export function loadTransposed(builder: VectorBuilder, dtype: DType, pointers: readonly number[], offset: number = 0): Lanes {
  const kind = storageKind(dtype);
  let vectors = pointers.map((pointer) => builder.load(kind, pointer, offset, 0));
  const edge = 16 / laneBytes[kind];
  const half = edge / 2;
  const low = Array.from({ length: edge }, (_, i) => (i % 2) * edge + (i >> 1));
  const high = low.map((lane) => lane + half);
  // Interleaving the first half of the rows with the second, log2(edge) times, turns rows into columns.
  for (let stage = 1; stage < edge; stage *= 2) {
    const before = vectors;
    vectors = before.map((_, i) => before[i >> 1]!.lanes(before[(i >> 1) + half]!, i % 2 === 0 ? low : high));
  }
  return fromStorage(lanesOf(vectors), dtype);
}

/** Loads a square block, one row per pointer. */
export function loadRows(builder: VectorBuilder, dtype: DType, pointers: readonly number[]): Lanes {
  const kind = storageKind(dtype);
  return fromStorage(lanesOf(pointers.map((pointer) => builder.load(kind, pointer, 0, 0))), dtype);
}

/** Loads a square block in which each row is one element, repeated. */
export function loadRowSplats(builder: VectorBuilder, dtype: DType, pointers: readonly number[]): Lanes {
  const kind = storageKind(dtype);
  return fromStorage(lanesOf(pointers.map((pointer) => builder.loadSplat(kind, pointer))), dtype);
}

/** Returns as many vectors as `elements` elements need, of a value that may be uniform. */
export function spread(value: Lanes, elements: number): readonly Vector[] {
  if (!value.uniform) return value.vectors;
  const vector = value.vectors[0]!;
  return vectorsOf(vector.kind, elements, () => vector);
}

/** Stores `elements` adjacent elements; each copy stores the next ones. */
export function storeContiguous(builder: VectorBuilder, value: Lanes, dtype: DType, pointer: number, elements: number): void {
  const bytes = elements * storageBytes(dtype);
  spread(toStorage(value, dtype), elements).forEach((vector, i) => {
    builder.store(vector, pointer, 16 * i, bytes);
  });
}

/** Stores one element per pointer. */
export function storeScattered(builder: VectorBuilder, value: Lanes, dtype: DType, pointers: readonly number[]): void {
  const vectors = spread(toStorage(value, dtype), pointers.length);
  const perVector = 16 / storageBytes(dtype);
  pointers.forEach((pointer, i) => {
    builder.storeLane(vectors[Math.floor(i / perVector)]!, i % perVector, pointer, 0, 0);
  });
}

/** Stores a square block, one row per pointer. */
export function storeRows(builder: VectorBuilder, value: Lanes, dtype: DType, pointers: readonly number[]): void {
  const edge = 16 / storageBytes(dtype);
  const vectors = spread(toStorage(value, dtype), edge * edge);
  pointers.forEach((pointer, r) => {
    builder.store(vectors[r]!, pointer, 0, 0);
  });
}

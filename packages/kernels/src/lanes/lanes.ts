/**
 * lanes: the values of a kernel as vectors (Eigen's Packet, for any number of elements).
 *
 *     8 elements of u8       one half of a vector     [ 0 1 2 3 4 5 6 7 . . . . . . . . ]
 *     the same as float32    two vectors              [ 0 1 2 3 ] [ 4 5 6 7 ]
 *     the same as float64    four vectors             [ 0 1 ] [ 2 3 ] [ 4 5 ] [ 6 7 ]
 *
 * All values of a kernel's body cover the same elements in order, one *group*. The width of their lanes decides how many vectors that
 * takes. A value that is the same for all elements is one vector, for any size of the group. Booleans are
 * masks: all ones or all zeros, in lanes as wide as those of the operation that made them. They are narrowed or widened where needed.
 *
 *     dtype                 lanes            dtype              lanes
 *     float32               f32x4            int8 … int64       i8x16 i16x8 i32x4 i64x2
 *     float64               f64x2            uint8 … uint64     u8x16 u16x8 u32x4 u64x2
 *     float16, bfloat16     f32x4            bool               a mask
 *     float8_*, float4_*    f32x4            int4 … uint2       i8x16 u8x16
 *
 * A complex value is two values of these dtypes, its parts (complex-parts.ts). For complex64 and complex128 the functions below return what
 * holds for a part.
 */
import { InternalError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { dtypeRows, isSmallDType } from "@onebuffer/base/internal";
import { isComplexDType, narrowDTypes } from "@onebuffer/expression/internal";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { kSignedKinds, laneBytes } from "@onebuffer/wasm/internal";

/** A value for the elements of a group, in order; one vector if `uniform`. */
export interface Lanes {
  readonly vectors: readonly Vector[];
  readonly uniform: boolean;
}

/** The dtypes that kernels compute with. */
export const kernelDTypes: readonly DType[] = [
  ...["float32", "float64", "float16", "bfloat16"],
  ...["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"],
  ...narrowDTypes,
] as DType[];

const kinds: Partial<Record<DType, VectorKind>> = {
  float32: "f32x4",
  float64: "f64x2",
  float16: "f32x4",
  bfloat16: "f32x4",
  complex64: "f32x4",
  complex128: "f64x2",
  int8: "i8x16",
  int16: "i16x8",
  int32: "i32x4",
  int64: "i64x2",
  uint8: "u8x16",
  uint16: "u16x8",
  uint32: "u32x4",
  uint64: "u64x2",
  bool: "i8x16",
  ...Object.fromEntries(
    narrowDTypes.map((dtype) => [
      dtype,
      dtypeRows[dtype].float !== undefined ? "f32x4" : dtypeRows[dtype].class === "smallUint" ? "u8x16" : "i8x16",
    ]),
  ),
};

/** Returns the lanes in which values of a dtype are computed. A bool is a mask of bytes here; operations may make wider masks. */
export function kindOf(dtype: DType): VectorKind {
  const kind = kinds[dtype];
  if (kind === undefined) throw new InternalError(`${dtype} has no lanes`);
  return kind;
}

/** Returns the bytes per lane of a dtype. */
export function laneWidth(dtype: DType): number {
  return laneBytes[kindOf(dtype)];
}

/** Returns the signed integer lanes of a width, in which masks of that width are kept. */
export function maskKindOf(width: number): VectorKind {
  return kSignedKinds[width as 1 | 2 | 4 | 8];
}

/** Returns a value that differs between elements. */
export function lanesOf(vectors: readonly Vector[]): Lanes {
  return { vectors, uniform: false };
}

/** Returns the number of vectors of so many elements. */
export function vectorsFor(kind: VectorKind, elements: number): number {
  return Math.max(1, (elements * laneBytes[kind]) / 16);
}

/** Returns what `make` returns for each vector of so many elements. */
export function vectorsOf<T>(kind: VectorKind, elements: number, make: (i: number) => T): T[] {
  return Array.from({ length: vectorsFor(kind, elements) }, (_, i) => make(i));
}

/** Returns a value that is the same for all elements. */
export function uniform(vector: Vector): Lanes {
  return { vectors: [vector], uniform: true };
}

/** Returns vector `i` of a value. */
export function vectorAt(value: Lanes, i: number): Vector {
  return value.vectors[value.uniform ? 0 : i]!;
}

/** Applies `f` to each vector. */
export function mapLanes(value: Lanes, f: (vector: Vector) => Vector): Lanes {
  return { vectors: value.vectors.map(f), uniform: value.uniform };
}

/** Applies `f` to corresponding vectors of values whose lanes have the same width. */
export function zipLanes(values: readonly Lanes[], f: (...vectors: Vector[]) => Vector): Lanes {
  const count = values.reduce((most, value) => (value.uniform ? most : Math.max(most, value.vectors.length)), 0);
  const at = (i: number): Vector => f(...values.map((value) => vectorAt(value, i)));
  return count === 0 ? uniform(at(0)) : lanesOf(Array.from({ length: count }, (_, i) => at(i)));
}

/** Returns a mask with lanes of another width. */
export function maskOfWidth(mask: Lanes, width: number): Lanes {
  let { vectors } = mask;
  let have: number = laneBytes[vectors[0]!.kind];
  if (mask.uniform) return uniform(vectors[0]!.as(maskKindOf(width)));
  while (have < width) {
    const wider = maskKindOf(have * 2);
    vectors = vectors.flatMap((vector) => {
      const narrow = vector.as(maskKindOf(have));
      return [narrow.extendLow().as(wider), narrow.extendHigh().as(wider)];
    });
    have *= 2;
  }
  while (have > width) {
    const narrower = maskKindOf(have / 2);
    const wide = vectors;
    const pair = (i: number): Vector => {
      const low = wide[i]!;
      const high = wide[i + 1] ?? low;
      if (have === 8) return low.as("i32x4").lanes(high.as("i32x4"), [0, 2, 4, 6]);
      return low.narrow(high, narrower as "i8x16" | "i16x8");
    };
    vectors = Array.from({ length: Math.ceil(wide.length / 2) }, (_, i) => pair(2 * i));
    have /= 2;
  }
  return lanesOf(vectors);
}

/** Returns the lanes in which 16 bytes of memory are loaded, before they are converted to lanes of `kindOf`. */
export function storageKind(dtype: DType): VectorKind {
  if (dtype === "float16" || dtype === "bfloat16") return "u16x8";
  return dtype === "bool" || isSmallDType(dtype) ? "u8x16" : kindOf(dtype);
}

/** Returns the bytes per element in memory. */
export function storageBytes(dtype: DType): number {
  return laneBytes[storageKind(dtype)] * (isComplexDType(dtype) ? 2 : 1);
}

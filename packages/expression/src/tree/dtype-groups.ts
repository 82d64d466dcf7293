/**
 * The groups of dtypes that operations accept (the `T:` lists of TensorFlow's op definitions).
 *
 *     floats        float32 float64 float16 bfloat16
 *     integers      int8 int16 int32 int64 uint8 uint16 uint32 uint64
 *     complexes     complex64 complex128
 *     narrow        float8_* float4_* int4 uint4 int2 uint2: can only be cast and moved
 *     quantized     qint8 .. quint16: can only be moved
 *
 * string, resource and variant are in no group: expressions do not accept them. Views (StridedMap) move them.
 */
import type { DType } from "@onebuffer/base";
import type { DTypesWhere } from "@onebuffer/base/internal";
import { dtypesOfClass } from "@onebuffer/base/internal";

/**
 * The floating-point dtypes that have arithmetic: float32, float64, float16 and bfloat16.
 *
 * @example
 * const dtype: FloatDType = "bfloat16";
 * dtypeSize(dtype); // => 2
 */
export type FloatDType = DTypesWhere<"class", "float">;

/**
 * The integer dtypes that have arithmetic: of 8, 16, 32 and 64 bits, signed and unsigned.
 *
 * @example
 * const dtype: IntegerDType = "uint16";
 * dtypeSize(dtype); // => 2
 */
export type IntegerDType = DTypesWhere<"class", "int" | "uint">;

/**
 * The complex dtypes: complex64 and complex128.
 *
 * @example
 * const dtype: ComplexDType = "complex64";
 * dtypeSize(dtype); // => 8
 */
export type ComplexDType = DTypesWhere<"class", "complex">;

/**
 * Floats and integers: the dtypes with an order.
 *
 * @example
 * const span = <D extends RealDType>(x: ConstTensorMap<D, 1>): Expression<D, 0> => x.max().sub(x.min());
 * item(span(tensorMap("int32", Int32Array.of(3, 9, 5), [3]))); // => 6
 */
export type RealDType = FloatDType | IntegerDType;

/**
 * Every dtype that has arithmetic.
 *
 * @example
 * const doubled = <D extends NumericDType>(x: ConstTensorMap<D, 1>): Expression<D, 1> => x.add(x);
 * evaluate(doubled(tensorMap("int8", Int8Array.of(3, 9), [2]))).toArray(); // => [6, 18]
 */
export type NumericDType = RealDType | ComplexDType;

/**
 * The dtypes whose sums do not wrap around after a few elements: all that have arithmetic but the integers of 8 and 16 bits.
 *
 * @example
 * const total = <D extends SummableDType>(x: ConstTensorMap<D, 1>): Expression<D, 0> => x.sum();
 * item(total(tensorMap("int32", Int32Array.of(3, 9, 5), [3]))); // => 17
 */
export type SummableDType = Exclude<NumericDType, "int8" | "int16" | "uint8" | "uint16">;

/** The members of FloatDType. */
export const floatDTypes: readonly FloatDType[] = dtypesOfClass("float");

/** The members of IntegerDType. */
export const integerDTypes: readonly IntegerDType[] = dtypesOfClass("int", "uint");

/** The members of ComplexDType. */
export const complexDTypes: readonly ComplexDType[] = dtypesOfClass("complex");

/** Storage formats: their elements must be cast before anything is computed, as in TensorFlow. */
export const narrowDTypes: readonly DType[] = dtypesOfClass("smallFloat", "smallInt", "smallUint");

/** Quantized integers: they can only be moved. */
export const quantizedDTypes: readonly DType[] = dtypesOfClass("qint", "quint");

/** The members of RealDType. */
export const realDTypes: readonly DType[] = [...floatDTypes, ...integerDTypes];

/** The members of NumericDType. */
export const numericDTypes: readonly DType[] = [...realDTypes, ...complexDTypes];

/** Every dtype that can be cast from and to. */
export const castDTypes: readonly DType[] = [...numericDTypes, "bool", ...narrowDTypes];

/** Every dtype that can be moved: every dtype stored as bytes. */
export const rawDTypes: readonly DType[] = [...castDTypes, ...quantizedDTypes];

const floats: ReadonlySet<string> = new Set<string>(floatDTypes);
const integers: ReadonlySet<string> = new Set<string>(integerDTypes);
const complexes: ReadonlySet<string> = new Set<string>(complexDTypes);

/** Returns true for floats that have arithmetic. */
export function isFloat(dtype: DType): dtype is FloatDType {
  return floats.has(dtype);
}

/** Returns true for integers that have arithmetic. */
export function isInteger(dtype: DType): dtype is IntegerDType {
  return integers.has(dtype);
}

/** Returns true for dtypes whose elements are [real, imaginary] pairs. */
export function isComplexDType(dtype: DType): dtype is ComplexDType {
  return complexes.has(dtype);
}

/** Returns the dtype of the parts of a complex dtype; other dtypes are returned unchanged. */
export function partDType(dtype: DType): DType {
  return dtype === "complex64" ? "float32" : dtype === "complex128" ? "float64" : dtype;
}

/** Returns true for dtypes whose elements are bigints. */
export function isBig(dtype: DType): dtype is "int64" | "uint64" {
  return dtype === "int64" || dtype === "uint64";
}

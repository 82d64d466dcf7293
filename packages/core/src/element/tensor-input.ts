/**
 * The dtype that Tensor.from and Tensor.wrap give their input, as a TypeScript type. element/nested-array.ts makes the same
 * decision at run time.
 */
import type { DType } from "@onebuffer/base";

/** Typed arrays by the Symbol.toStringTag that distinguishes them. */
interface DTypeByTag {
  Float32Array: "float32";
  Float64Array: "float64";
  Int8Array: "int8";
  Int16Array: "int16";
  Int32Array: "int32";
  Uint8Array: "uint8";
  Uint8ClampedArray: "uint8";
  Uint16Array: "uint16";
  Uint32Array: "uint32";
  BigInt64Array: "int64";
  BigUint64Array: "uint64";
  Float16Array: "float16";
}

/**
 * The dtype of an input without an explicit one: float32 for numbers, int64 for bigints, bool for booleans, string for strings,
 * their own for typed arrays; for nested arrays that of their elements, followed eight levels deep.
 *
 * @example
 * const dtype: DTypeOfInput<bigint[]> = "int64";
 * using tensor: Tensor<DTypeOfInput<bigint[]>> = Tensor.from([1n, 2n]);
 * tensor.dtype === dtype; // => true
 */
export type DTypeOfInput<V, Depth extends readonly unknown[] = []> = [V] extends [never]
  ? "float32"
  : Depth["length"] extends 9
    ? DType
    : V extends number
      ? "float32"
      : V extends bigint
        ? "int64"
        : V extends boolean
          ? "bool"
          : V extends string
            ? "string"
            : V extends { readonly [Symbol.toStringTag]: infer T extends keyof DTypeByTag }
              ? DTypeByTag[T]
              : V extends readonly (infer E)[]
                ? DTypeOfInput<E, [...Depth, unknown]>
                : DType;

/**
 * TTypes: TensorFlow's names for the maps of one element type (tensorflow/core/framework/tensor_types.h).
 *
 * In C++ "aligned" promises a start aligned to 64 bytes and selects another class. Here a typed array can start at any multiple of the
 * element size, so the aligned and the Unaligned names stand for the same interface. Unaligned maps may start at any byte offset; on them
 * only `data` can fail. There is no counterpart of To32Bit: every index is a JavaScript number.
 */
import type { DType } from "@onebuffer/base";
import type { ConstTensorMap, TensorMap } from "./tensor-map.ts";

/**
 * The maps of element type `D`, by TensorFlow's names: C++'s `TTypes<float, 4>::ConstTensor` is
 * `TTypes<"float32", 4>["ConstTensor"]`. `R` (default 1) affects only the four names that contain Tensor.
 *
 * @example
 * const matrix: TTypes<"float32">["Matrix"] = tensorMap("float32", new Float32Array(6), [2, 3]);
 * const readOnly: TTypes<"float32", 2>["ConstTensor"] = matrix.asConst();
 * readOnly.dimensions; // => [2, 3]
 */
export interface TTypes<D extends DType, R extends number = 1> {
  /** Rank 0: one element. */
  readonly Scalar: TensorMap<D, 0>;
  /** Rank 0, read-only. */
  readonly ConstScalar: ConstTensorMap<D, 0>;
  /** All elements in one dimension. */
  readonly Flat: TensorMap<D, 1>;
  /** All elements in one dimension, read-only. */
  readonly ConstFlat: ConstTensorMap<D, 1>;
  /** Rank 1. */
  readonly Vec: TensorMap<D, 1>;
  /** Rank 1, read-only. */
  readonly ConstVec: ConstTensorMap<D, 1>;
  /** Rank 2. */
  readonly Matrix: TensorMap<D, 2>;
  /** Rank 2, read-only. */
  readonly ConstMatrix: ConstTensorMap<D, 2>;
  /** Rank `R`. */
  readonly Tensor: TensorMap<D, R>;
  /** Rank `R`, read-only. */
  readonly ConstTensor: ConstTensorMap<D, R>;
  /** Rank 0 at any byte offset. */
  readonly UnalignedScalar: TensorMap<D, 0>;
  /** Rank 0 at any byte offset, read-only. */
  readonly UnalignedConstScalar: ConstTensorMap<D, 0>;
  /** All elements in one dimension, at any byte offset. */
  readonly UnalignedFlat: TensorMap<D, 1>;
  /** All elements in one dimension, at any byte offset, read-only. */
  readonly UnalignedConstFlat: ConstTensorMap<D, 1>;
  /** Rank 1 at any byte offset. */
  readonly UnalignedVec: TensorMap<D, 1>;
  /** Rank 1 at any byte offset, read-only. */
  readonly UnalignedConstVec: ConstTensorMap<D, 1>;
  /** Rank 2 at any byte offset. */
  readonly UnalignedMatrix: TensorMap<D, 2>;
  /** Rank 2 at any byte offset, read-only. */
  readonly UnalignedConstMatrix: ConstTensorMap<D, 2>;
  /** Rank `R` at any byte offset. */
  readonly UnalignedTensor: TensorMap<D, R>;
  /** Rank `R` at any byte offset, read-only. */
  readonly UnalignedConstTensor: ConstTensorMap<D, R>;
}

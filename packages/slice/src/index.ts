/**
 * @onebuffer/slice: rectangular regions of tensors (tensorflow/core/framework/tensor_slice.h and the slice helpers of
 * tensorflow/core/util). The package knows shapes, not tensors.
 */
export { copyDataFromTensorSliceToTensorSlice } from "./copy-tensor-slice.ts";
export { parseShapeAndSlice } from "./parse-shape-and-slice.ts";
export type { ShapeAndSlice } from "./parse-shape-and-slice.ts";
export { registerTensorSlice } from "./register-tensor-slice.ts";
export { decodeTensorNameSlice, encodeTensorNameSlice } from "./tensor-name-slice.ts";
export type { TensorNameSlice } from "./tensor-name-slice.ts";
export type { TensorSliceExtent, TensorSliceProto } from "./tensor-slice-proto.ts";
export { TensorSliceSet } from "./tensor-slice-set.ts";
export type { SliceInfo } from "./tensor-slice-set.ts";
export { TensorSlice } from "./tensor-slice.ts";

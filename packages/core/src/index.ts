/**
 * @onebuffer/core: Tensor, its buffers and its elements (tensorflow/core/framework/tensor.h), messages of tensors, sharing between
 * threads, and tensors as text.
 */
export { BufferBase } from "./buffer/buffer-base.ts";
export { Buffer } from "./buffer/buffer.ts";
export { ForeignBuffer } from "./buffer/foreign-buffer.ts";
export type { ForeignMemory } from "./buffer/foreign-buffer.ts";
export { HostScalarTensorBuffer } from "./buffer/host-scalar-tensor-buffer.ts";
export type { AllocationOptions, ShapeLike, TensorParts } from "./buffer/shape-and-buffer.ts";
export { SubBuffer } from "./buffer/sub-buffer.ts";
export { TensorBuffer } from "./buffer/tensor-buffer.ts";
export { TypedAllocator } from "./buffer/typed-allocator.ts";
export type { ObjectPointer } from "./buffer/typed-allocator.ts";
export type { TensorLike } from "./element/nested-array.ts";
export { ResourceHandle } from "./element/resource-handle.ts";
export type {
  CountedResource,
  DtypeAndShape,
  DtypeAndShapeProto,
  ResourceHandleFields,
  ResourceHandleProto,
} from "./element/resource-handle.ts";
export type { AsProtoOptions, TensorProto, VariantTensorDataProto } from "./element/tensor-proto.ts";
export { UnknownVariant } from "./element/unknown-variant.ts";
export { getVariantMetadata, setVariantMetadata } from "./element/variant-number.ts";
export type { VariantNumbers } from "./element/variant-number.ts";
export { disposeVariantTensorData, newVariantTensorData, variantTensorDataDebugString } from "./element/variant-tensor-data.ts";
export type { VariantTensor, VariantTensorData } from "./element/variant-tensor-data.ts";
export {
  decodeUnaryVariant,
  encodeVariant,
  hasUnaryVariantDecodeFunction,
  kTensorTypeName,
  registerUnaryVariantDecodeFunction,
  Variant,
} from "./element/variant.ts";
export type { VariantDecodeFunction, VariantValue } from "./element/variant.ts";
export type { FromProtoOptions } from "./proto/proto-reading.ts";
export type { TensorDescription } from "./proto/tensor-description.ts";
export { compressTensorProtoInPlace } from "./tensor/compress-tensor-proto.ts";
export { createTensorProto } from "./tensor/create-tensor-proto.ts";
export { forwardInput, forwardInputOrAllocate } from "./tensor/forward-input.ts";
export type { ForwardOptions } from "./tensor/forward-input.ts";
export { scope } from "./tensor/scope.ts";
export type { Keep } from "./tensor/scope.ts";
export { receiveTensor, revokeHandle, shareTensor } from "./tensor/share-tensor.ts";
export type { ReceiveOptions, TensorHandle } from "./tensor/share-tensor.ts";
export { stackTensors, unstackTensor } from "./tensor/stack-tensors.ts";
export { TensorBase } from "./tensor/tensor-base.ts";
export type { Tolerance } from "./element/tensor-compare.ts";
export type { ArrayElement } from "./tensor/tensor-elements.ts";
export type { DTypeOfInput } from "./element/tensor-input.ts";
export { tensorOf } from "./tensor/tensor-of.ts";
export { TensorReference } from "./tensor/tensor-reference.ts";
export type { BufferHolder } from "./tensor/tensor-reference.ts";
export { concat, deepCopy, makeShape, split } from "./tensor/tensor-util.ts";
export type { TensorRow } from "./tensor/tensor-rows.ts";
export { Tensor } from "./tensor/tensor.ts";
export type { FromOptions, TensorOptions, WrapOptions } from "./buffer/tensor-options.ts";
export { tensorsOf } from "./tensor/tensors-of.ts";
export { warmUp } from "./warm-up.ts";
export type { TensorsOf } from "./tensor/tensors-of.ts";
export { transferTensor } from "./tensor/transfer-tensor.ts";
export type { TensorBytes, TensorTransfer } from "./tensor/transfer-tensor.ts";
export { variantTensorDataFromProto, variantTensorDataToProto } from "./tensor/variant-tensor-data-proto.ts";

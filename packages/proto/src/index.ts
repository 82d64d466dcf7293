/**
 * @onebuffer/proto: codecs between TensorFlow's and XLA's messages and their bytes or JSON (in C++: the code that protoc generates).
 * Loading this package also registers the codecs that packages/core needs for resource and variant tensors.
 */
import "./messages/register-message-bytes.ts";

export type { AllocationDescriptionProto, TensorDescriptionProto } from "./messages/description-codec.ts";
export { allocationDescriptionCodec, tensorDescriptionCodec } from "./messages/description-codec.ts";
export type { CheckpointStateProto } from "./messages/checkpoint-state-codec.ts";
export { checkpointStateCodec } from "./messages/checkpoint-state-codec.ts";
export type {
  BytesListProto,
  ExampleProto,
  FeatureListProto,
  FeatureListsProto,
  FeatureProto,
  FeaturesProto,
  FloatListProto,
  Int64ListProto,
  SequenceExampleProto,
} from "./messages/example-codec.ts";
export { exampleCodec, featureCodec, featuresCodec, sequenceExampleCodec } from "./messages/example-codec.ts";
export type { FromJsonOptions } from "./wire/from-json.ts";
export type { Int64 } from "./wire/int64.ts";
export type { JsonValue } from "./wire/json-value.ts";
export type {
  BinSummaryProto,
  MemAllocatorStatsProto,
  MemChunkProto,
  MemoryDumpProto,
  SnapShotProto,
} from "./messages/memory-dump-codec.ts";
export { memoryDumpCodec } from "./messages/memory-dump-codec.ts";
export type {
  MemoryLogRawAllocation,
  MemoryLogRawDeallocation,
  MemoryLogStep,
  MemoryLogTensorAllocation,
  MemoryLogTensorDeallocation,
  MemoryLogTensorOutput,
} from "./messages/memory-log-codec.ts";
export {
  memoryLogRawAllocationCodec,
  memoryLogRawDeallocationCodec,
  memoryLogStepCodec,
  memoryLogTensorAllocationCodec,
  memoryLogTensorDeallocationCodec,
  memoryLogTensorOutputCodec,
} from "./messages/memory-log-codec.ts";
export type {
  BoolValueProto,
  ObjectReferenceProto,
  RegisteredSaverProto,
  SerializedTensorProto,
  SlotVariableReferenceProto,
  TrackableObjectGraphProto,
  TrackableObjectProto,
} from "./messages/object-graph-codec.ts";
export { trackableObjectGraphCodec } from "./messages/object-graph-codec.ts";
export { fromTextFormat } from "./text/from-text-format.ts";
export { toTextFormat } from "./text/to-text-format.ts";
export type { DecodeOptions, EncodeOptions, MessageCodec } from "./wire/message-codec.ts";
export type { SavedSlice, SavedSliceMeta, SavedTensorSliceMeta, SavedTensorSlices } from "./messages/saved-tensor-slice-codec.ts";
export {
  savedSliceCodec,
  savedSliceMetaCodec,
  savedTensorSliceMetaCodec,
  savedTensorSlicesCodec,
} from "./messages/saved-tensor-slice-codec.ts";
export type { BundleEntryProto, BundleHeaderProto } from "./messages/tensor-bundle-codec.ts";
export { BundleEndianness, bundleEntryProtoCodec, bundleHeaderProtoCodec } from "./messages/tensor-bundle-codec.ts";
export { resourceHandleProtoCodec, tensorProtoCodec, variantTensorDataProtoCodec } from "./messages/tensor-codec.ts";
export { tensorShapeProtoCodec } from "./messages/tensor-shape-codec.ts";
export { tensorSliceProtoCodec } from "./messages/tensor-slice-codec.ts";
export type { ToJsonOptions } from "./wire/to-json.ts";
export type { SerializedDType, VersionDef } from "./messages/types-codec.ts";
export { serializedDTypeCodec, versionDefCodec } from "./messages/types-codec.ts";
export { literalProtoCodec } from "./messages/xla-literal-codec.ts";
export {
  layoutProtoCodec,
  programShapeProtoCodec,
  shapeProtoCodec,
  splitConfigProtoCodec,
  tileProtoCodec,
} from "./messages/xla-shape-codec.ts";

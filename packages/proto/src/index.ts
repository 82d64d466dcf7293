import "./register-message-bytes.ts";

export type { AllocationDescriptionProto, TensorDescriptionProto } from "./description-codec.ts";
export { allocationDescriptionCodec, tensorDescriptionCodec } from "./description-codec.ts";
export type { FromJsonOptions } from "./from-json.ts";
export type { Int64 } from "./int64.ts";
export type { JsonValue } from "./json-value.ts";
export type { BinSummaryProto, MemAllocatorStatsProto, MemChunkProto, MemoryDumpProto, SnapShotProto } from "./memory-dump-codec.ts";
export { memoryDumpCodec } from "./memory-dump-codec.ts";
export type {
  MemoryLogRawAllocation,
  MemoryLogRawDeallocation,
  MemoryLogStep,
  MemoryLogTensorAllocation,
  MemoryLogTensorDeallocation,
  MemoryLogTensorOutput,
} from "./memory-log-codec.ts";
export {
  memoryLogRawAllocationCodec,
  memoryLogRawDeallocationCodec,
  memoryLogStepCodec,
  memoryLogTensorAllocationCodec,
  memoryLogTensorDeallocationCodec,
  memoryLogTensorOutputCodec,
} from "./memory-log-codec.ts";
export type { DecodeOptions, EncodeOptions, MessageCodec } from "./message-codec.ts";
export type { SavedSlice, SavedSliceMeta, SavedTensorSliceMeta, SavedTensorSlices } from "./saved-tensor-slice-codec.ts";
export {
  savedSliceCodec,
  savedSliceMetaCodec,
  savedTensorSliceMetaCodec,
  savedTensorSlicesCodec,
} from "./saved-tensor-slice-codec.ts";
export type { BundleEntryProto, BundleHeaderProto } from "./tensor-bundle-codec.ts";
export { BundleEndianness, bundleEntryProtoCodec, bundleHeaderProtoCodec } from "./tensor-bundle-codec.ts";
export { resourceHandleProtoCodec, tensorProtoCodec, variantTensorDataProtoCodec } from "./tensor-codec.ts";
export { tensorShapeProtoCodec } from "./tensor-shape-codec.ts";
export { tensorSliceProtoCodec } from "./tensor-slice-codec.ts";
export type { ToJsonOptions } from "./to-json.ts";
export type { SerializedDType, VersionDef } from "./types-codec.ts";
export { serializedDTypeCodec, versionDefCodec } from "./types-codec.ts";
export { literalProtoCodec } from "./xla-literal-codec.ts";
export {
  layoutProtoCodec,
  programShapeProtoCodec,
  shapeProtoCodec,
  splitConfigProtoCodec,
  tileProtoCodec,
} from "./xla-shape-codec.ts";

/**
 * The public face of @onebuffer/eigen: typed maps of memory, lazy expressions over them, and the evaluators that compute them (the part
 * of Eigen's unsupported Tensor module that TensorFlow uses).
 */
export { ready } from "./assign/ready.ts";
export { assignTogether } from "./assign-together.ts";
export type { Assigned } from "./assign-together.ts";
export { updateTogether } from "./update-together.ts";
export { DefaultDevice } from "./device/default-device.ts";
export { holdMemory } from "./device/hold-memory.ts";
export type { PoolJobRecord, PoolPartRecord } from "./device/pool-records.ts";
export type { PoolWorker } from "./device/pool-threads.ts";
export { servePoolWorker } from "./device/serve-pool-worker.ts";
export type { TensorDevice } from "./device/tensor-device.ts";
export { ThreadPoolDevice } from "./device/thread-pool-device.ts";
export type { ThreadPoolOptions } from "./device/thread-pool-device.ts";
export type { Device, DeviceAssignment, SyncDevice } from "@onebuffer/expression";
export type { RawPlaces } from "@onebuffer/storage";
export { booleanMask } from "./boolean-mask.ts";
export { evaluate } from "./evaluate.ts";
export { convolve } from "@onebuffer/expression";
export type { ConvolveOptions } from "@onebuffer/expression";
export { extractImagePatches, extractPatches } from "@onebuffer/expression";
export type { PatchOptions } from "@onebuffer/expression";
export { avgPool, maxPool } from "@onebuffer/expression";
export { resize } from "@onebuffer/expression";
export type { ResizeOptions } from "@onebuffer/expression";
export type { WindowOptions, WindowPadding } from "@onebuffer/expression";
export { einsum } from "@onebuffer/expression";
export type { EinsumRank } from "@onebuffer/expression";
export { constant, iota, linspace, oneHot } from "@onebuffer/expression";
export type { OneHotOptions } from "@onebuffer/expression";
export { concatenate, select, stack } from "@onebuffer/expression";
export { takeAlongAxis } from "@onebuffer/expression";
export { meshgrid } from "@onebuffer/expression";
export type { Meshgrid } from "@onebuffer/expression";
export { statelessNormal, statelessUniform } from "@onebuffer/expression";
export type { NormalOptions, RandomIntegerDType, Seed, UniformOptions } from "@onebuffer/expression";
export { bincount, histogram } from "@onebuffer/expression";
export type { Histogram, HistogramOptions } from "@onebuffer/expression";
export { median, nthElements, quantile } from "@onebuffer/expression";
export type { QuantileMethod, QuantileOptions } from "@onebuffer/expression";
export { searchSorted } from "@onebuffer/expression";
export type { SearchSortedOptions } from "@onebuffer/expression";
export {
  unsortedSegmentMax,
  unsortedSegmentMean,
  unsortedSegmentMin,
  unsortedSegmentProd,
  unsortedSegmentSum,
} from "@onebuffer/expression";
export type { AxisSignatures, ElementwiseSignatures } from "@onebuffer/expression";
export type { ComplexDType, FloatDType, IntegerDType, NumericDType, RealDType, SummableDType } from "@onebuffer/expression";
export type {
  Binary,
  CastOrWraps,
  Compare,
  AxisOperations,
  ElementwiseOperations,
  Expression,
  Moments,
  Movements,
  Operations,
  RealPartDType,
  Reduce,
  ReduceSum,
  ReduceToPlace,
  ReduceTwo,
  Scan,
  ScanSum,
  Unary,
  UnaryCount,
  UnaryReal,
  UnaryTest,
} from "@onebuffer/expression";
export type { TTypes } from "@onebuffer/expression";
export type { ExpressionTree, OpAttributes, PhiloxAttributes, ScatterReduction, ScatterSkips } from "@onebuffer/expression";
export { opNames, opTable } from "@onebuffer/expression";
export type { OpClass, OpName, OpSpec, ResultRule } from "@onebuffer/expression";
export { treeOf } from "@onebuffer/expression";
export type {
  Assignments,
  DeviceAssignments,
  Operand,
  OperandLike,
  OperandSource,
  Other,
  SyncDeviceAssignments,
  TensorDeviceOf,
} from "@onebuffer/expression";
export type {
  ContractOptions,
  GeluOptions,
  L2NormalizeOptions,
  LayerNormOptions,
  MatMulOptions,
  PadMode,
  PadOptions,
  PlaceOptions,
  ReduceOptions,
  ScanOptions,
  ScatterOptions,
  SortOptions,
  SumOptions,
  SumScanOptions,
} from "@onebuffer/expression";
export type {
  Axes,
  AxisPairs,
  BroadcastRank,
  ContractRank,
  MatMulRank,
  RankWith,
  RankWithout,
  ReducedRank,
  Scalar,
  ScalarDType,
} from "@onebuffer/expression";
export type { ConstStridedMap, ConstTensorMap, CopySource, StridedMap, TensorMap } from "@onebuffer/expression";
export type { StridedRank } from "@onebuffer/storage";
export type { HigherRank, Indices, LowerRank, NestedArray, SliceRange } from "@onebuffer/storage";
export type { AbortSignalLike, DeviceTransferOptions } from "./backend/transfer-options.ts";
export { item } from "./item.ts";
export { constStridedMap, stridedMap, stridedMapFromLayout } from "./map/strided-map.ts";
export { tensorMap } from "./map/wrap-typed-array.ts";
export type { MemoryOwner } from "@onebuffer/storage";
export type { JsonElements, TensorJson } from "@onebuffer/storage";
export { segmentMax, segmentMean, segmentMin, segmentProd, segmentSum } from "./segments.ts";
export { unique } from "./unique.ts";
export type { Unique } from "./unique.ts";
export { nonzero, where } from "./where.ts";
export type { PrintedArray, PrintOptions } from "@onebuffer/storage";
export { numpyText } from "@onebuffer/storage";

/**
 * The public face of @onebuffer/eigen: typed maps of memory, lazy expressions over them, and the evaluators that compute them (the part
 * of Eigen's unsupported Tensor module that TensorFlow uses).
 */
export { ready } from "./assign/ready.ts";
export { assignTogether } from "./assign-together.ts";
export type { Assigned } from "./assign-together.ts";
export { DefaultDevice } from "./device/default-device.ts";
export { holdMemory } from "./device/hold-memory.ts";
export type { PoolJobRecord, PoolPartRecord } from "./device/pool-records.ts";
export type { PoolWorker } from "./device/pool-threads.ts";
export { servePoolWorker } from "./device/serve-pool-worker.ts";
export type { TensorDevice } from "./device/tensor-device.ts";
export { ThreadPoolDevice } from "./device/thread-pool-device.ts";
export type { ThreadPoolOptions } from "./device/thread-pool-device.ts";
export type { Device, DeviceAssignment, SyncDevice } from "./expression/tree/device.ts";
export type { RawPlaces } from "./geometry/strided-bytes.ts";
export { booleanMask } from "./boolean-mask.ts";
export { evaluate } from "./evaluate.ts";
export { convolve } from "./expression/methods/convolve.ts";
export type { ConvolveOptions } from "./expression/methods/convolve.ts";
export { extractImagePatches, extractPatches } from "./expression/methods/patches.ts";
export type { PatchOptions } from "./expression/methods/patches.ts";
export { avgPool, maxPool } from "./expression/methods/pooling.ts";
export { resize } from "./expression/methods/resize.ts";
export type { ResizeOptions } from "./expression/methods/resize.ts";
export type { WindowOptions, WindowPadding } from "./expression/methods/window-options.ts";
export { einsum } from "./expression/methods/einsum.ts";
export type { EinsumRank } from "./expression/methods/einsum.ts";
export { constant, iota, linspace, oneHot } from "./expression/methods/generators.ts";
export type { OneHotOptions } from "./expression/methods/generators.ts";
export { concatenate, select, stack } from "./expression/methods/joining.ts";
export { meshgrid } from "./expression/methods/meshgrid.ts";
export type { Meshgrid } from "./expression/methods/meshgrid.ts";
export { statelessNormal, statelessUniform } from "./expression/methods/stateless-random.ts";
export type { RandomIntegerDType, Seed } from "./expression/methods/stateless-random.ts";
export { bincount, histogram } from "./expression/statistics/histogram.ts";
export type { Histogram, HistogramOptions } from "./expression/statistics/histogram.ts";
export { median, nthElements, quantile } from "./expression/statistics/quantile.ts";
export type { QuantileMethod, QuantileOptions } from "./expression/statistics/quantile.ts";
export {
  unsortedSegmentMax,
  unsortedSegmentMean,
  unsortedSegmentMin,
  unsortedSegmentProd,
  unsortedSegmentSum,
} from "./expression/statistics/unsorted-segments.ts";
export type { AxisSignatures, ElementwiseSignatures } from "./expression/generated/operation-signatures.ts";
export type { ComplexDType, FloatDType, IntegerDType, NumericDType, RealDType } from "./expression/tree/dtype-groups.ts";
export type {
  Binary,
  Compare,
  AxisOperations,
  ElementwiseOperations,
  Expression,
  Moments,
  Movements,
  Operations,
  RealPartDType,
  Reduce,
  ReduceToPlace,
  ReduceTwo,
  Scan,
  Unary,
  UnaryReal,
  UnaryTest,
} from "./expression/tree/expression.ts";
export type { TTypes } from "./expression/tree/map-aliases.ts";
export type { ExpressionTree, OpAttributes, PhiloxAttributes, ScatterReduction, ScatterSkips } from "./expression/tree/op-attributes.ts";
export { opNames, opTable } from "./expression/tree/op-table.ts";
export type { OpClass, OpName, OpSpec, ResultRule } from "./expression/tree/op-table.ts";
export { treeOf } from "./expression/tree/operand.ts";
export type {
  Assignments,
  DeviceAssignments,
  Operand,
  OperandLike,
  OperandSource,
  Other,
  SyncDeviceAssignments,
  TensorDeviceOf,
} from "./expression/tree/operand.ts";
export type { ContractOptions, MatMulOptions, PadMode, ScanOptions, ScatterOptions } from "./expression/tree/operation-options.ts";
export type {
  Axes,
  AxisPairs,
  BroadcastRank,
  ContractRank,
  RankWith,
  RankWithout,
  Scalar,
  ScalarDType,
} from "./expression/tree/rank-types.ts";
export type { ConstStridedMap, ConstTensorMap, CopySource, StridedMap, TensorMap } from "./expression/tree/tensor-map.ts";
export type { StridedRank } from "./geometry/strided-rank.ts";
export type { HigherRank, Indices, LowerRank, NestedArray, SliceRange } from "./geometry/indices.ts";
export { item } from "./item.ts";
export { constStridedMap, stridedMap, stridedMapFromLayout } from "./map/strided-map.ts";
export { tensorMap } from "./map/wrap-typed-array.ts";
export type { MemoryOwner } from "./memory/memory-owner.ts";
export type { JsonElements, TensorJson } from "./text/tensor-json.ts";
export { segmentMax, segmentMean, segmentMin, segmentProd, segmentSum } from "./segments.ts";
export { unique } from "./unique.ts";
export type { Unique } from "./unique.ts";
export { nonzero, where } from "./where.ts";
export type { PrintedArray, PrintOptions } from "./text/numpy-print.ts";
export { numpyText } from "./text/numpy-print.ts";

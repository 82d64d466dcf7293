/**
 * Expressions: the record of each operation, nodes, their types and sizes, and the methods and functions that make them.
 */
export type { AxisSignatures, ElementwiseSignatures } from "./generated/operation-signatures.ts";
export { convolve } from "./methods/convolve.ts";
export type { ConvolveOptions } from "./methods/convolve.ts";
export { einsum } from "./methods/einsum.ts";
export type { EinsumRank } from "./methods/einsum.ts";
export { constant, iota, linspace, oneHot } from "./methods/generators.ts";
export type { OneHotOptions } from "./methods/generators.ts";
export { concatenate, select, stack } from "./methods/joining.ts";
export { meshgrid } from "./methods/meshgrid.ts";
export type { Meshgrid } from "./methods/meshgrid.ts";
export { extractImagePatches, extractPatches } from "./methods/patches.ts";
export type { PatchOptions } from "./methods/patches.ts";
export { avgPool, maxPool } from "./methods/pooling.ts";
export { resize } from "./methods/resize.ts";
export type { ResizeOptions } from "./methods/resize.ts";
export type { NormalOptions, RandomIntegerDType, Seed, UniformOptions } from "./methods/stateless-random.ts";
export { statelessNormal, statelessUniform } from "./methods/stateless-random.ts";
export { takeAlongAxis } from "./methods/take-along-axis.ts";
export type { WindowOptions, WindowPadding } from "./methods/window-options.ts";
export { bincount, histogram } from "./statistics/histogram.ts";
export type { Histogram, HistogramOptions } from "./statistics/histogram.ts";
export { median, nthElements, quantile } from "./statistics/quantile.ts";
export type { QuantileMethod, QuantileOptions } from "./statistics/quantile.ts";
export { searchSorted } from "./statistics/search-sorted.ts";
export type { SearchSortedOptions } from "./statistics/search-sorted.ts";
export {
  unsortedSegmentMax,
  unsortedSegmentMean,
  unsortedSegmentMin,
  unsortedSegmentProd,
  unsortedSegmentSum,
} from "./statistics/unsorted-segments.ts";
export type { Device, DeviceAssignment, SyncDevice } from "./tree/device.ts";
export type { ComplexDType, FloatDType, IntegerDType, NumericDType, RealDType, SummableDType } from "./tree/dtype-groups.ts";
export type {
  AxisOperations,
  Binary,
  CastOrWraps,
  Compare,
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
} from "./tree/expression.ts";
export type { TTypes } from "./tree/map-aliases.ts";
export type { ExpressionTree, OpAttributes, PhiloxAttributes, ScatterReduction, ScatterSkips } from "./tree/op-attributes.ts";
export type { OpClass, OpName, OpSpec, ResultRule } from "./tree/op-table.ts";
export { opNames, opTable } from "./tree/op-table.ts";
export type {
  Assignments,
  DeviceAssignments,
  Operand,
  OperandLike,
  OperandSource,
  Other,
  SyncDeviceAssignments,
  TensorDeviceOf,
} from "./tree/operand.ts";
export { treeOf } from "./tree/operand.ts";
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
} from "./tree/operation-options.ts";
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
} from "./tree/rank-types.ts";
export type { ConstStridedMap, ConstTensorMap, CopySource, StridedMap, TensorMap } from "./tree/tensor-map.ts";

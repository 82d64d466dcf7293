export { assignByReference, evaluate } from "./evaluate.ts";
export type { ComplexDType, FloatDType, IntegerDType, NumericDType, RealDType } from "./expression/dtype-groups.ts";
export type {
  Assignments,
  Expression,
  MatMulOptions,
  Moments,
  Movements,
  Operand,
  Operations,
  PadMode,
  Reduce,
  ReduceTwo,
  ScanOptions,
  ScatterOptions,
} from "./expression/expression.ts";
export { constant, iota, linspace, oneHot } from "./expression/generators.ts";
export type { OneHotOptions } from "./expression/generators.ts";
export { concatenate, select } from "./expression/joining.ts";
export type { ExpressionTree, OpAttributes, PhiloxAttributes, ScatterReduction } from "./expression/op-attributes.ts";
export type { OpClass, OpName, OpSpec, ResultRule } from "./expression/op-table.ts";
export { opNames, opTable } from "./expression/op-table.ts";
export type { Axes, BroadcastRank, RankWithout, Scalar } from "./expression/rank-types.ts";
export { statelessNormal, statelessUniform } from "./expression/stateless-random.ts";
export type { RandomIntegerDType, Seed } from "./expression/stateless-random.ts";
export type { HigherRank, Indices, LowerRank, NestedArray } from "./indices.ts";
export { kernelCounts, setKernelHooks } from "./kernel/kernel-events.ts";
export type { KernelCounts, KernelHooks } from "./kernel/kernel-events.ts";
export { kernelFallbacks } from "./kernel/kernel-support.ts";
export { setScratchSource } from "./kernel/scratch.ts";
export type { ScratchSource } from "./kernel/scratch.ts";
export { tensorMapKind, tensorMapKindOf } from "./kind-table.ts";
export type { LinearMemoryOptions } from "./linear-memory.ts";
export { LinearMemory, linearMemory } from "./linear-memory.ts";
export type { MemoryOwner } from "./memory-owner.ts";
export { MemoryToken, memoryOwnerOf, UNOWNED, withMemoryOwner } from "./memory-owner.ts";
export { objectLifecycleOf, storeObjects, withObjectLifecycle } from "./object-element.ts";
export type { ObjectLifecycle } from "./object-element.ts";
export { constStridedMap, stridedMap, stridedMapFromLayout } from "./strided-map.ts";
export type { TTypes } from "./t-types.ts";
export type { ConstStridedMap, ConstTensorMap, CopySource, SliceRange, StridedMap, TensorMap } from "./tensor-map.ts";
export type { TensorMapKind } from "./tensor-map-kind.ts";
export { unalignedTensorMap } from "./unaligned-tensor-map.ts";
export { unique } from "./unique.ts";
export type { Unique } from "./unique.ts";
export type { WasmMemory, WasmMemoryConstructor, WasmMemoryDescriptor } from "./web-assembly.ts";
export { tensorMap } from "./wrap-typed-array.ts";

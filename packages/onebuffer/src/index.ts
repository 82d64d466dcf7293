/**
 * The package `onebuffer`: the names that a numeric app needs, chosen one by one. The sub-paths (entries/) have the other public names:
 * `onebuffer/base`, `/shape`, `/allocator`, `/eigen`, `/slice`, `/xla`, `/core`, `/proto`, `/io` have all names of one package each,
 * `/debug` has what shows memory and kernels, `/node` reads files, `/testing` has matchers.
 */

// Gradients. They come first because bundlers keep this order: beside the other modules of expressions they compress better than behind the
// generated maps, which saves a page 0.6 kB.
export { gradients, stopGradient } from "@onebuffer/gradients";

// Tensors.
export { concat, deepCopy, scope, split, stackTensors, Tensor, tensorOf, tensorsOf, unstackTensor } from "@onebuffer/core";
export type {
  AllocationOptions,
  ArrayElement,
  DTypeOfInput,
  ForeignMemory,
  FromOptions,
  Keep,
  ShapeLike,
  TensorLike,
  TensorOptions,
  TensorRow,
  TensorsOf,
  Tolerance,
  WrapOptions,
} from "@onebuffer/core";
export type { NestedArray, PrintOptions, TensorJson } from "@onebuffer/eigen";

// Element types and errors.
export { dtypeSize, isDType, isStatusError, StatusError } from "@onebuffer/base";
export type { Complex, DType, ElementInput, ElementOf, RawDType, StatusCode, TypedArray, TypedArrayOf } from "@onebuffer/base";
export type { ComplexDType, FloatDType, IntegerDType, NumericDType, RealDType } from "@onebuffer/eigen";

// Shapes and regions.
export { PartialTensorShape, TensorShape } from "@onebuffer/shape";
export { TensorSlice } from "@onebuffer/slice";

// Maps, expressions, and the operations that are not methods.
export {
  assignTogether,
  booleanMask,
  concatenate,
  constant,
  evaluate,
  iota,
  item,
  linspace,
  meshgrid,
  nonzero,
  oneHot,
  ready,
  select,
  stack,
  statelessNormal,
  statelessUniform,
  tensorMap,
  unique,
  updateTogether,
  where,
} from "@onebuffer/eigen";
export type {
  Assigned,
  Axes,
  ConstStridedMap,
  ConstTensorMap,
  Expression,
  Indices,
  MatMulOptions,
  Meshgrid,
  OneHotOptions,
  Operand,
  OperandLike,
  Operations,
  PadMode,
  Scalar,
  ScanOptions,
  ScatterOptions,
  Seed,
  SliceRange,
  StridedMap,
  TensorMap,
  Unique,
} from "@onebuffer/eigen";

// Memory.
export { bytesCopied, configureMemory, liveBuffers, reclaim } from "@onebuffer/allocator";
export type { MemoryOptions, ReclaimOptions } from "@onebuffer/allocator";

// Threads.
export { ThreadPoolDevice } from "@onebuffer/eigen";
export type { ThreadPoolOptions } from "@onebuffer/eigen";
export { arenaInvitation, joinArena } from "@onebuffer/allocator";
export type { ArenaInvitation } from "@onebuffer/allocator";
export { receiveTensor, revokeHandle, shareTensor, transferTensor } from "@onebuffer/core";
export type { TensorBytes, TensorHandle, TensorTransfer } from "@onebuffer/core";

// Files and messages. The codecs of messages are in `onebuffer/proto`.
export { NpyArray, readNpy, writeNpy } from "@onebuffer/io";
export type { BytesInput, NpyKeepOptions, NpyReadOptions } from "@onebuffer/io";
export type { AsProtoOptions, FromProtoOptions, TensorProto } from "@onebuffer/core";

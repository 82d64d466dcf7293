export type { Indices, LowerRank, NestedArray } from "./indices.ts";
export { tensorMapKind, tensorMapKindOf } from "./kind-table.ts";
export { MemoryToken, UNOWNED, memoryOwnerOf, withMemoryOwner } from "./memory-owner.ts";
export type { MemoryOwner } from "./memory-owner.ts";
export type { TTypes } from "./t-types.ts";
export type { ConstTensorMap, CopySource, TensorMap } from "./tensor-map.ts";
export type { TensorMapKind } from "./tensor-map-kind.ts";
export { unalignedTensorMap } from "./unaligned-tensor-map.ts";
export { tensorMap } from "./wrap-typed-array.ts";

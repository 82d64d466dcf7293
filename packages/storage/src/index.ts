/**
 * How elements lie in memory: owners, dimensions, strides and bounds of maps, elements as text.
 */
export type { HigherRank, Indices, LowerRank, NestedArray, SliceRange } from "./geometry/indices.ts";
export type { RawPlaces } from "./geometry/strided-bytes.ts";
export type { StridedRank } from "./geometry/strided-rank.ts";
export type { MemoryOwner } from "./memory/memory-owner.ts";
export { numpyText } from "./text/numpy-print.ts";
export type { PrintedArray, PrintOptions } from "./text/numpy-print.ts";
export type { JsonElements, TensorJson } from "./text/tensor-json.ts";

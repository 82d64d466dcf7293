/**
 * IndexUtil: functions on indices and linear indices (xla/index_util.h). `index.ts` exports this module as `IndexUtil`.
 */
export { bumpIndices, compareIndices, indexInBounds } from "./index-order.ts";
export { getDimensionStride, linearIndexToMultidimensionalIndex, multidimensionalIndexToLinearIndex } from "./linear-index.ts";

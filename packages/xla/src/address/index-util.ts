/**
 * IndexUtil: elements by index and by number (xla/index_util.h). The index imports this file as the namespace IndexUtil.
 */
export { bumpIndices, compareIndices, indexInBounds } from "./index-order.ts";
export { getDimensionStride, linearIndexToMultidimensionalIndex, multidimensionalIndexToLinearIndex } from "./linear-index.ts";

/**
 * ShapeUtil: XLA's functions on shapes (xla/shape_util.h), re-exported from the files that define them. `index.ts` exports
 * this module as `ShapeUtil`; no other file of the package imports it.
 */
export { alignLayouts } from "./align-layouts.ts";
export {
  appendMajorDimension,
  appendMinorDimension,
  insertDimensionAtIndex,
  insertDimensionsAtIndex,
  prependMajorDimension,
} from "./append-dimension.ts";
export {
  deduceTransposeDimensionsForBitcast,
  isReshapeOrTransposeBitcast,
  reshapeIsBitcast,
  transposeIsBitcast,
  transposeSharesBuffer,
} from "./bitcast.ts";
export { decomposeBitcast, isDecomposableBitcast } from "./decompose-bitcast.ts";
export { deleteDimension, deleteDimensions, dropDegenerateDimensions, filterDimensions } from "./delete-dimensions.ts";
export {
  dimensionLetters,
  getDimension,
  getDimensionNumber,
  trueNumDimensions,
  trueNumDimensions as trueRank,
} from "./dimension-number.ts";
export { changeElementType, deviceShapeIsHostShape, deviceShapeToHostShape, updateElementSizeInBits } from "./element-size.ts";
export { forEachIndex } from "./for-each-index.ts";
export {
  makeBufferShape,
  makeMaybeTupleShape,
  makeNil,
  makeOpaqueShape,
  makeScalarShape,
  makeShape,
  makeShape as makeValidatedShape,
  makeShapeWithDenseLayout,
  makeShapeWithDescendingLayout,
  makeShapeWithDescendingLayoutAndSamePhysicalLayout,
  makeStaticShape,
  makeTokenShape,
  makeTupleShape,
} from "../model/make-shape.ts";
export { getNormalizedLogicalTransposeShape } from "./normalized-transpose.ts";
export { moveDimToMajor, permuteDimensions, permuteDimensionsIgnoringLayout, reorderLogicalDimensions } from "./permute-dimensions.ts";
export { dimensionsUnmodifiedByReshape, insertedOrDeleted1SizedDimensions, reshapeLeavesDimensionsUnmodified } from "./reshape-factors.ts";
export {
  compatible,
  compatibleIgnoringElementType,
  compatibleIgnoringFpPrecision,
  compatibleKind,
  dynamicShapeIsCompatible,
  equal,
  equalIgnoringElementType,
  equalIgnoringFpPrecision,
  equalStructure,
  sameDimensions,
} from "./shape-equal.ts";
export {
  hasDegenerateDimensions,
  hasPrimitiveType,
  isEffectivelyMostMajorDimension,
  isEffectiveScalar,
  isEmptyTuple,
  isNestedTuple,
  isNil,
  isScalar,
  isZeroElementArray,
  lastDimIsMinorMost,
} from "./shape-predicates.ts";
export {
  arrayDataSize,
  arraySize,
  byteSizeOf,
  byteSizeOfElements,
  byteSizeOfTupleIndexTable,
  byteStrides,
  elementsIn,
  elementsInRecursive,
  unpackedByteStrides,
} from "./shape-size.ts";
export {
  flattenTupleShape,
  forEachSubshape,
  forEachSubshapePostOrder,
  getLeafCount,
  getLeafShapes,
  getSubshape,
  indexIsValid,
  isLeafIndex,
  shapeIndexToString,
} from "./tuple-tree.ts";
export { validateShape, validateShapeWithOptionalLayout } from "../model/validate-shape.ts";

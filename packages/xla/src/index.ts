import * as IndexUtil from "./index-util.ts";
import * as LayoutUtil from "./layout-util.ts";
import * as ShapeUtil from "./shape-util.ts";

export type { FactorBoundary } from "./common-factors.ts";
export { commonFactors } from "./common-factors.ts";
export type {
  BitcastDecomposition,
  BitcastDecompositionReshape,
  BitcastDecompositionTranspose,
  BitcastDecompositionTrt,
} from "./decompose-bitcast.ts";
export type { DefaultLayoutMode } from "./default-layout.ts";
export { DimLevelType } from "./dim-level-type.ts";
export { kUnboundedSize } from "./dimension-size.ts";
export type { Era, EraOptions } from "./era.ts";
export type { IndexVisitor } from "./for-each-index.ts";
export type { LayoutChanges, LayoutEqualOptions, LayoutOptions, PhysicalShape } from "./layout.ts";
export { Layout } from "./layout.ts";
export type { LayoutProto, SplitConfigProto, TileProto } from "./layout-proto.ts";
export { layoutFromProto, layoutToProto } from "./layout-proto.ts";
export type { LayoutElement, LayoutView } from "./layout-view.ts";
export { elementStrides } from "./linear-index.ts";
export type { Literal } from "./literal.ts";
export { literalFromProto, literalToProto } from "./literal.ts";
export type { LiteralProto } from "./literal-proto.ts";
export { layoutView } from "./make-layout-view.ts";
export type { Int64Field } from "./message-field.ts";
export type { NormalizedTranspose } from "./normalized-transpose.ts";
export type { PaddingValueName } from "./padding-value.ts";
export { PaddingValue, paddingValueName } from "./padding-value.ts";
export {
  composePermutations,
  inversePermutation,
  isIdentityPermutation,
  isPermutation,
  permute,
  permuteInverse,
} from "./permutation-util.ts";
export type { PrimitiveTypeKey, PrimitiveTypeLike, PrimitiveTypeName } from "./primitive-type.ts";
export { PrimitiveType, primitiveTypeFromName, primitiveTypeName, primitiveTypeNumberIsValid } from "./primitive-type.ts";
export { dataTypeToPrimitiveType, primitiveTypeToDataType, primitiveTypeToDType } from "./primitive-type-data-type.ts";
export {
  bitWidth,
  byteWidth,
  isArrayType,
  isComplexType,
  isFloatingPointType,
  isIntegralType,
  isSignedIntegralType,
  isSubByteNonPredType,
  isUnsignedIntegralType,
} from "./primitive-type-traits.ts";
export { ProgramShape } from "./program-shape.ts";
export type { LaidOutArray } from "./relayout.ts";
export { relayout } from "./relayout.ts";
export type { DimensionPair, OneSizedDimensions } from "./reshape-factors.ts";
export type { ArrayShapeOptions, ShapeChanges } from "./shape.ts";
export { kMaxShapeDepth, kMaxSubshapes, Shape } from "./shape.ts";
export type { ShapeEqualOptions } from "./shape-equal.ts";
export type { ProgramShapeProto, ShapeProto } from "./shape-proto.ts";
export { programShapeFromProto, programShapeToProto, shapeFromProto, shapeToProto } from "./shape-proto.ts";
export { parseLayout, parseShape } from "./shape-text.ts";
export { SplitConfig } from "./split-config.ts";
export { layoutFromStrides, stridesFromLayout } from "./strides.ts";
export { kCombineDimension, Tile } from "./tile.ts";
export { tiledElementCount, tiledLinearIndex, tiledLinearToIndex } from "./tiled-index.ts";
export type { IndexedShape, ShapeIndex, SubshapeVisitor } from "./tuple-tree.ts";
export type { ValidateLayoutOptions } from "./validate-layout.ts";
export { IndexUtil, LayoutUtil, ShapeUtil };

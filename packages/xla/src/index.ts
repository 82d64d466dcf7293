/**
 * @onebuffer/xla: XLA's shapes, layouts and literals (xla/shape.h, xla/layout.h, xla/literal.h), views of laid-out arrays,
 * and the functions of shape_util.h, layout_util.h and index_util.h as ShapeUtil, LayoutUtil and IndexUtil.
 */
import * as IndexUtil from "./address/index-util.ts";
import * as LayoutUtil from "./surgery/layout-util.ts";
import * as ShapeUtil from "./surgery/shape-util.ts";

export type { FactorBoundary } from "./surgery/common-factors.ts";
export { commonFactors } from "./surgery/common-factors.ts";
export type {
  BitcastDecomposition,
  BitcastDecompositionReshape,
  BitcastDecompositionTranspose,
  BitcastDecompositionTrt,
} from "./surgery/decompose-bitcast.ts";
export type { DefaultLayoutMode } from "./model/default-layout.ts";
export { DimLevelType } from "./model/dim-level-type.ts";
export { kUnboundedSize } from "./model/dimension-size.ts";
export type { Era, EraOptions } from "./model/era.ts";
export type { IndexVisitor } from "./surgery/for-each-index.ts";
export type { LayoutChanges, LayoutEqualOptions, LayoutOptions, PhysicalShape } from "./model/layout.ts";
export { Layout } from "./model/layout.ts";
export type { LayoutProto, SplitConfigProto, TileProto } from "./proto/layout-proto.ts";
export { layoutFromProto, layoutToProto } from "./proto/layout-proto.ts";
export type { LayoutElement, LayoutView } from "./view/layout-view.ts";
export { elementStrides } from "./address/linear-index.ts";
export type { Literal } from "./view/literal.ts";
export { literalFromProto, literalToProto } from "./view/literal.ts";
export type { LiteralProto } from "./proto/literal-proto.ts";
export { layoutView } from "./view/make-layout-view.ts";
export type { NormalizedTranspose } from "./surgery/normalized-transpose.ts";
export type { PaddingValueName } from "./model/padding-value.ts";
export { PaddingValue, paddingValueName } from "./model/padding-value.ts";
export {
  composePermutations,
  inversePermutation,
  isIdentityPermutation,
  isPermutation,
  permute,
  permuteInverse,
} from "./type/permutation-util.ts";
export type { PrimitiveTypeKey, PrimitiveTypeLike, PrimitiveTypeName } from "./type/primitive-type.ts";
export { PrimitiveType, primitiveTypeFromName, primitiveTypeName, primitiveTypeNumberIsValid } from "./type/primitive-type.ts";
export { dataTypeToPrimitiveType, primitiveTypeToDataType, primitiveTypeToDType } from "./type/primitive-type-data-type.ts";
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
} from "./type/primitive-type-traits.ts";
export { ProgramShape } from "./model/program-shape.ts";
export type { LaidOutArray } from "./view/relayout.ts";
export { relayout } from "./view/relayout.ts";
export type { DimensionPair, OneSizedDimensions } from "./surgery/reshape-factors.ts";
export type { ArrayShapeOptions, ShapeChanges } from "./model/shape.ts";
export { kMaxShapeDepth, kMaxSubshapes, Shape } from "./model/shape.ts";
export type { ShapeEqualOptions } from "./surgery/shape-equal.ts";
export type { ProgramShapeProto, ShapeProto } from "./proto/shape-proto.ts";
export { programShapeFromProto, programShapeToProto, shapeFromProto, shapeToProto } from "./proto/shape-proto.ts";
export { parseLayout, parseShape } from "./text/shape-text.ts";
export { SplitConfig } from "./model/split-config.ts";
export { layoutFromStrides, stridesFromLayout } from "./address/strides.ts";
export { kCombineDimension, Tile } from "./model/tile.ts";
export { tiledElementCount, tiledLinearIndex, tiledLinearToIndex } from "./address/tiled-index.ts";
export type { IndexedShape, ShapeIndex, SubshapeVisitor } from "./surgery/tuple-tree.ts";
export type { ValidateLayoutOptions } from "./model/validate-layout.ts";
export { IndexUtil, LayoutUtil, ShapeUtil };

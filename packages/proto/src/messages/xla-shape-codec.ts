/**
 * Codecs of XLA's shapes and layouts (xla_data.proto). They read the messages of 2017 and of today: no field number has changed its
 * meaning.
 *
 *     10 0b | 1a 02 02 03 | 2a 04 0a 02 01 00        f32[2,3]{1,0}
 *     F32   | dimensions  | layout: minor_to_major
 *
 * A shape contains a layout, and a layout can contain a shape (in `physicalShape`), so their codecs are in one file.
 */
import type { LayoutProto, ProgramShapeProto, ShapeProto, SplitConfigProto, TileProto } from "@onebuffer/xla";
import { DimLevelType, PaddingValue, PrimitiveType } from "@onebuffer/xla";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one } from "../wire/message-type.ts";

/** The names of element types as of 2017 and today: number 14 was OPAQUE in 2017. */
const ElementType = { ...PrimitiveType, OPAQUE: PrimitiveType.OPAQUE_TYPE } as const;

/** The names of LayoutProto.format, a field that was added in 2018. */
const Format = { INVALID_FORMAT: 0, DENSE: 1, SPARSE: 2 } as const;

/**
 * xla.TileProto.
 *
 * @example
 * tileProtoCodec.encode({ dimensions: [8, 128] }); // => Uint8Array.of(10, 3, 8, 128, 1)
 */
export const tileProtoCodec: MessageCodec<TileProto> = new MessageCodec("xla.TileProto", { dimensions: list(1, "int64") });

/**
 * xla.SplitConfigProto.
 *
 * @example
 * splitConfigProtoCodec.encode({ dimension: 1, splitIndices: [4] }); // => Uint8Array.of(8, 1, 18, 1, 4)
 */
export const splitConfigProtoCodec: MessageCodec<SplitConfigProto> = new MessageCodec("xla.SplitConfigProto", {
  dimension: one(1, "int64"),
  splitIndices: list(2, "int64"),
});

/**
 * xla.LayoutProto (xla.Layout in 2017).
 *
 * @example
 * layoutProtoCodec.encode(layoutToProto(new Layout([1, 0]), "2017")); // => Uint8Array.of(10, 2, 1, 0)
 * layoutProtoCodec.encode(layoutToProto(new Layout([1, 0]))); // => Uint8Array.of(10, 2, 1, 0, 128, 1, 1)
 */
export const layoutProtoCodec: MessageCodec<LayoutProto> = new MessageCodec("xla.LayoutProto", {
  minorToMajor: list(1, "int64"),
  paddedDimensions: list(2, "int64"),
  paddingValue: one(3, PaddingValue),
  format: one(4, Format),
  maxSparseElements: one(5, "int64"),
  tiles: list(6, () => tileProtoCodec),
  elementSizeInBits: one(7, "int64"),
  memorySpace: one(8, "int64"),
  dimLevelTypes: list(9, DimLevelType),
  physicalShape: one(10, () => shapeProtoCodec),
  indexPrimitiveType: one(11, ElementType),
  pointerPrimitiveType: one(12, ElementType),
  dimUnique: list(13, "bool"),
  dimOrdered: list(14, "bool"),
  dynamicShapeMetadataPrefixBytes: one(15, "int64"),
  tailPaddingAlignmentInElements: one(16, "int64"),
  splitConfigs: list(17, () => splitConfigProtoCodec),
});

/**
 * xla.ShapeProto (xla.Shape in 2017).
 *
 * @example
 * shapeProtoCodec.encode({ elementType: PrimitiveType.F32, dimensions: [2, 3] }); // => Uint8Array.of(16, 11, 26, 2, 2, 3)
 * shapeFromProto(shapeProtoCodec.decode(Uint8Array.of(16, 11, 26, 2, 2, 3))).toString(); // => "f32[2,3]"
 */
export const shapeProtoCodec: MessageCodec<ShapeProto> = new MessageCodec("xla.ShapeProto", {
  elementType: one(2, ElementType),
  dimensions: list(3, "int64"),
  tupleShapes: list(4, () => shapeProtoCodec),
  layout: one(5, () => layoutProtoCodec),
  isDynamicDimension: list(6, "bool"),
});

/**
 * xla.ProgramShapeProto (xla.ProgramShape in 2017).
 *
 * @example
 * programShapeProtoCodec.encode({ result: { elementType: 11 }, parameterNames: ["x"] }); // => Uint8Array.of(18, 2, 16, 11, 26, 1, 120)
 */
export const programShapeProtoCodec: MessageCodec<ProgramShapeProto> = new MessageCodec("xla.ProgramShapeProto", {
  parameters: list(1, () => shapeProtoCodec),
  result: one(2, () => shapeProtoCodec),
  parameterNames: list(3, "string"),
});

/**
 * Conversion between Layout and LayoutProto, the message as a plain object, in both eras (the Layout messages of r1.3 and
 * of today's xla_data.proto).
 *
 *     field   r1.3                          today
 *     1       minor_to_major                minor_to_major
 *     2, 3    padded_dimensions, _value     (reserved)
 *     4, 5    (2018: format, max_sparse_elements)
 *     6 … 17  -                             tiles, element_size_in_bits, memory_space, …, split_configs
 *
 * packages/proto encodes these objects as bytes and needs the field numbers. The tail padding alignment is always written
 * today. Some sparse fields can be read: index and pointer types, level types and flags go into the Layout, where the
 * validators refuse them. A physical shape, the 2018 format SPARSE and its element count are refused here.
 */
import type { Int64Field, UnknownField } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { checkLayout } from "../type/argument-check.ts";
import type { DimLevelType } from "../model/dim-level-type.ts";
import { isDimLevelType } from "../model/dim-level-type.ts";
import type { Era } from "../model/era.ts";
import { hasPadding } from "../model/era.ts";
import { Layout } from "../model/layout.ts";
import { enumOf, kInt64Min, int64Of, int64sOf, message, repeated } from "../type/message-field.ts";
import { isPaddingValue, PaddingValue } from "../model/padding-value.ts";
import { PrimitiveType, primitiveTypeNumberIsValid } from "../type/primitive-type.ts";
import { shownText } from "../type/shown-list.ts";
import { SplitConfig } from "../model/split-config.ts";
import { kCombineDimension, Tile } from "../model/tile.ts";

/** A TileProto message. */
export interface TileProto {
  /** Entries from major to minor; INT64_MIN is the combined dimension, `*`. */
  readonly dimensions?: readonly Int64Field[] | null | undefined;
  /** Fields of the encoded message that the reader did not know. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** A SplitConfigProto message. */
export interface SplitConfigProto {
  /** The physical dimension, 0 = most major. */
  readonly dimension?: Int64Field | null | undefined;
  /** The indices at which a new piece begins. */
  readonly splitIndices?: readonly Int64Field[] | null | undefined;
  /** Fields of the encoded message that the reader did not know. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** A Layout message of any era. */
export interface LayoutProto {
  readonly minorToMajor?: readonly Int64Field[] | null | undefined;
  /** 2017 only. */
  readonly paddedDimensions?: readonly Int64Field[] | null | undefined;
  /** 2017 only: a PaddingValue number. */
  readonly paddingValue?: number | null | undefined;
  /** 2018 only: INVALID_FORMAT 0, DENSE 1, SPARSE 2. */
  readonly format?: number | null | undefined;
  /** 2018 only, sparse. */
  readonly maxSparseElements?: Int64Field | null | undefined;
  readonly tiles?: readonly TileProto[] | null | undefined;
  readonly elementSizeInBits?: Int64Field | null | undefined;
  readonly memorySpace?: Int64Field | null | undefined;
  /** Sparse: DimLevelType numbers. */
  readonly dimLevelTypes?: readonly number[] | null | undefined;
  /** Sparse. */
  readonly physicalShape?: object | null | undefined;
  /** Sparse: a PrimitiveType number. */
  readonly indexPrimitiveType?: number | null | undefined;
  /** Sparse: a PrimitiveType number. */
  readonly pointerPrimitiveType?: number | null | undefined;
  readonly dimUnique?: readonly boolean[] | null | undefined;
  readonly dimOrdered?: readonly boolean[] | null | undefined;
  readonly dynamicShapeMetadataPrefixBytes?: Int64Field | null | undefined;
  /** 0 and a missing value mean 1. */
  readonly tailPaddingAlignmentInElements?: Int64Field | null | undefined;
  readonly splitConfigs?: readonly SplitConfigProto[] | null | undefined;
  /** Fields of the encoded message that the reader did not know. */
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * Returns the layout of a message of either era (Layout::FromProto). It is not checked against a shape.
 *
 * Throws INVALID_ARGUMENT for values of the wrong type or beyond 2^53 - 1, for negative tile entries other than INT64_MIN,
 * for unknown padding values and level types, and for a physical shape, the format SPARSE and max_sparse_elements.
 * Copies: everything.
 *
 * @example
 * layoutFromProto({ minorToMajor: [1, 0], tiles: [{ dimensions: [8n, "128"] }] }).toString(); // => "{1,0:T(8,128)}"
 * layoutFromProto({ minorToMajor: [0, 1], paddedDimensions: [3, 5], paddingValue: 1 }).paddedDimensions; // => [3, 5]
 * layoutFromProto({ minorToMajor: [0], format: 2 }); // throws INVALID_ARGUMENT
 */
export function layoutFromProto(proto: LayoutProto): Layout {
  const from = message(proto, "LayoutProto");
  refuseSparse(from);
  return new Layout(int64sOf(from.minorToMajor, "minor_to_major"), {
    tiles: repeated(from.tiles, "tiles").map((tile, i) => tileFromProto(tile, `tiles[${i}]`)),
    elementSizeInBits: int64Of(from.elementSizeInBits, "element_size_in_bits"),
    memorySpace: int64Of(from.memorySpace, "memory_space"),
    tailPaddingAlignmentInElements: int64Of(from.tailPaddingAlignmentInElements, "tail_padding_alignment_in_elements") || 1,
    splitConfigs: repeated(from.splitConfigs, "split_configs").map((split, i) => splitFromProto(split, `split_configs[${i}]`)),
    dynamicShapeMetadataPrefixBytes: int64Of(from.dynamicShapeMetadataPrefixBytes, "dynamic_shape_metadata_prefix_bytes"),
    paddedDimensions: int64sOf(from.paddedDimensions, "padded_dimensions"),
    paddingValue: paddingValueOf(from.paddingValue),
    dimLevelTypes: repeated(from.dimLevelTypes, "dim_level_types").map(levelTypeOf),
    dimUnique: repeated(from.dimUnique, "dim_unique"),
    dimOrdered: repeated(from.dimOrdered, "dim_ordered"),
    indexPrimitiveType: enumOf<PrimitiveType>(from.indexPrimitiveType, primitiveTypeNumberIsValid, PrimitiveType.PRIMITIVE_TYPE_INVALID),
    pointerPrimitiveType: enumOf<PrimitiveType>(
      from.pointerPrimitiveType,
      primitiveTypeNumberIsValid,
      PrimitiveType.PRIMITIVE_TYPE_INVALID,
    ),
  });
}

function refuseSparse(proto: LayoutProto): void {
  const format = proto.format ?? 0;
  if (format !== 0 && format !== 1)
    throw new InvalidArgumentError(`layout has format ${shownValue(format)}, but only DENSE (1) is supported`);
  if (int64Of(proto.maxSparseElements, "max_sparse_elements") !== 0)
    throw new InvalidArgumentError("layout has max_sparse_elements, but only dense layouts are supported");
  if (proto.physicalShape !== undefined && proto.physicalShape !== null) {
    throw new InvalidArgumentError("layout has a physical_shape, but only dense layouts are supported");
  }
}

function tileFromProto(proto: TileProto, what: string): Tile {
  const dimensions = repeated(message(proto, "TileProto").dimensions, `${what}.dimensions`);
  return new Tile(
    dimensions.map((field, i) => {
      const entry = int64Of(field, `${what}.dimensions[${i}]`, kCombineDimension);
      // -1 is kCombineDimension in memory only; in a message it is an invalid size.
      if (entry === kCombineDimension && int64Of(field, what, 0) !== 0)
        throw new InvalidArgumentError(`Invalid dimension size -1 in ${what}; INT64_MIN is the combine mark`);
      return entry;
    }),
  );
}

function splitFromProto(proto: SplitConfigProto, what: string): SplitConfig {
  const from = message(proto, "SplitConfigProto");
  return new SplitConfig(int64Of(from.dimension, `${what}.dimension`), int64sOf(from.splitIndices, `${what}.split_indices`));
}

function paddingValueOf(value: number | null | undefined): PaddingValue {
  const number = value ?? PaddingValue.INVALID_PAD;
  if (!isPaddingValue(number)) throw new InvalidArgumentError(`Invalid padding_value: ${shownValue(number)}`);
  return number;
}

function levelTypeOf(value: number): DimLevelType {
  if (!isDimLevelType(value)) throw new InvalidArgumentError(`Invalid dim_level_types entry: ${shownValue(value)}`);
  return value;
}

/**
 * Returns the message of a layout (Layout::ToProto). Fields at their default are left out, except today's tail padding
 * alignment. The default of `era` is 2017 for a layout with padding, else today.
 *
 * Throws INVALID_ARGUMENT if the era's message cannot hold a field: padding today, any newer field in 2017, and a physical
 * shape in both. Copies: everything.
 *
 * @example
 * layoutToProto(new Layout([1, 0])); // => { minorToMajor: [1, 0], tailPaddingAlignmentInElements: 1 }
 * layoutToProto(new Layout([1, 0]), "2017"); // => { minorToMajor: [1, 0] }
 * layoutToProto(new Layout([0], { memorySpace: 5 }), "2017"); // throws INVALID_ARGUMENT
 */
export function layoutToProto(layout: Layout, era?: Era): LayoutProto {
  checkLayout(layout);
  return (era ?? (hasPadding(layout) ? "2017" : "today")) === "2017" ? toProtoOf2017(layout) : toProtoOfToday(layout);
}

function toProtoOf2017(layout: Layout): LayoutProto {
  const { minorToMajor, paddedDimensions, paddingValue } = layout;
  if (!layout.equals(new Layout(minorToMajor, { paddedDimensions, paddingValue })) || layout.dynamicShapeMetadataPrefixBytes !== 0) {
    throw new InvalidArgumentError(
      `The Layout message of 2017 has minor_to_major and padding only and cannot hold ${shownText(layout.toString())}`,
    );
  }
  return {
    minorToMajor: [...minorToMajor],
    ...(paddedDimensions.length === 0 ? {} : { paddedDimensions: [...paddedDimensions] }),
    ...(paddingValue === PaddingValue.INVALID_PAD ? {} : { paddingValue }),
  };
}

function toProtoOfToday(layout: Layout): LayoutProto {
  if (hasPadding(layout))
    throw new InvalidArgumentError(
      `Today's LayoutProto has no padded_dimensions and no padding_value and cannot hold those of ${shownText(layout.toString())}`,
    );
  if (layout.physicalShape !== null) throw new InvalidArgumentError("layout has a physical_shape, but only dense layouts are supported");
  const optional: { -readonly [K in keyof LayoutProto]: LayoutProto[K] } = {};
  if (layout.tiles.length > 0)
    optional.tiles = layout.tiles.map((tile) => ({
      dimensions: tile.dimensions.map((entry) => (entry === kCombineDimension ? kInt64Min : entry)),
    }));
  if (layout.elementSizeInBits !== 0) optional.elementSizeInBits = layout.elementSizeInBits;
  if (layout.memorySpace !== 0) optional.memorySpace = layout.memorySpace;
  if (layout.dimLevelTypes.length > 0) optional.dimLevelTypes = [...layout.dimLevelTypes];
  if (layout.indexPrimitiveType !== 0) optional.indexPrimitiveType = layout.indexPrimitiveType;
  if (layout.pointerPrimitiveType !== 0) optional.pointerPrimitiveType = layout.pointerPrimitiveType;
  if (layout.dimUnique.length > 0) optional.dimUnique = [...layout.dimUnique];
  if (layout.dimOrdered.length > 0) optional.dimOrdered = [...layout.dimOrdered];
  if (layout.dynamicShapeMetadataPrefixBytes !== 0) optional.dynamicShapeMetadataPrefixBytes = layout.dynamicShapeMetadataPrefixBytes;
  const splitConfigs = layout.splitConfigs.map((split) => ({ dimension: split.dimension, splitIndices: [...split.splitIndices] }));
  return {
    minorToMajor: [...layout.minorToMajor],
    ...optional,
    tailPaddingAlignmentInElements: layout.tailPaddingAlignmentInElements,
    ...(splitConfigs.length === 0 ? {} : { splitConfigs }),
  };
}

/**
 * Layout: the order of an array's elements in memory (xla/layout.h, and the Layout message of TensorFlow r1.3).
 *
 *     f32[2,3]  a b c      {1,0} row-major     a b c d e f       dimension 1 varies fastest
 *               d e f      {0,1} column-major  a d b e c f       dimension 0 varies fastest
 * (Letters and drawing: the XLA documentation, "Shapes and Layout", TensorFlow and OpenXLA authors, CC BY 3.0.)
 *
 * One class serves both eras: it has today's fields (tiles, element size, memory space, …) and the padded dimensions of
 * 2017. Only minorToMajor is required. Like XLA's message, a Layout may hold values that fit no shape;
 * ShapeUtil.validateShape checks them. The sparse fields of 2022 to 2025 are kept so that they can be printed; the
 * validators refuse them.
 */
import { sameSizes } from "@onebuffer/storage/internal";
import { checkNumber, checkObject, shownValue, defineInspection } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkLayout } from "../type/argument-check.ts";
import type { DimLevelType } from "./dim-level-type.ts";
import { dimLevelTypeLetter, isDimLevelType } from "./dim-level-type.ts";
import { checkedInteger, checkedIntegers, checkedList } from "../type/integers.ts";
import { isPaddingValue, PaddingValue } from "./padding-value.ts";
import { PrimitiveType, primitiveTypeName, primitiveTypeNumberIsValid } from "../type/primitive-type.ts";
import type { SplitConfig } from "./split-config.ts";
import { Tile } from "./tile.ts";

/** The part of a physical shape that a layout uses: its text. Every Shape satisfies this interface. */
export interface PhysicalShape {
  /** Returns the shape's text; with its layout if `withLayout` is true. */
  toString(withLayout?: boolean): string;
}

/** The fields of a layout other than its order. A field left out has the default value of the message. */
export interface LayoutOptions {
  /** Tiles, applied one after the other. A list of numbers is converted to a Tile. Default: no tiles. */
  readonly tiles?: readonly (Tile | readonly number[])[];
  /** Bits of one stored element, 0 = the type's natural size. */
  readonly elementSizeInBits?: number;
  /** Where the array is stored: 0 is the default memory, 1 generic fast memory, 5 the host; other values depend on the device. */
  readonly memorySpace?: number;
  /** The element count of a tiled buffer is rounded up to a multiple of this. Default 1. */
  readonly tailPaddingAlignmentInElements?: number;
  /** The splits of physical dimensions into pieces. Default: no splits. */
  readonly splitConfigs?: readonly SplitConfig[];
  /** Bytes before the array that hold its dynamic sizes. Default 0. */
  readonly dynamicShapeMetadataPrefixBytes?: number;
  /** 2017: the width that each dimension is padded to. Empty means no padding. */
  readonly paddedDimensions?: readonly number[];
  /** 2017: the value that fills the padding. Default INVALID_PAD. */
  readonly paddingValue?: PaddingValue;
  /** Sparse, 2022 to 2025: how each dimension is stored. Empty means dense. */
  readonly dimLevelTypes?: readonly DimLevelType[];
  /** Sparse: true for each dimension whose coordinates are unique. Default: all true. */
  readonly dimUnique?: readonly boolean[];
  /** Sparse: true for each dimension whose coordinates are ordered. Default: all true. */
  readonly dimOrdered?: readonly boolean[];
  /** Sparse: the type of the stored indices. Default PRIMITIVE_TYPE_INVALID. */
  readonly indexPrimitiveType?: PrimitiveType;
  /** Sparse: the type of the stored positions. Default PRIMITIVE_TYPE_INVALID. */
  readonly pointerPrimitiveType?: PrimitiveType;
  /** Sparse: the shape of the arrays that hold the data. Default null. */
  readonly physicalShape?: PhysicalShape | null;
}

/** The fields that Layout.with can replace. */
export interface LayoutChanges extends LayoutOptions {
  readonly minorToMajor?: readonly number[];
}

/** Fields that a comparison of two layouts ignores (the options of XLA's Layout::Equal). Default: no field is ignored. */
export interface LayoutEqualOptions {
  readonly ignoreTiles?: boolean;
  readonly ignoreTailPaddingAlignmentInElements?: boolean;
  readonly ignoreElementSize?: boolean;
  readonly ignoreMemorySpace?: boolean;
  readonly ignoreSplitConfigs?: boolean;
  readonly ignoreIndexPrimitiveType?: boolean;
  readonly ignorePointerPrimitiveType?: boolean;
  readonly ignorePhysicalShape?: boolean;
  /** Ignores all of the above and the 2017 padding. */
  readonly minorToMajorOnly?: boolean;
}

const kEmpty: readonly never[] = Object.freeze([]);

/**
 * The order of an array's elements in memory. Immutable.
 *
 * The constructor throws INVALID_ARGUMENT if a field has the wrong type or holds an invalid number; the message names the
 * field. Copies: the lists.
 *
 * @example
 * new Layout([1, 0]).toString(); // => "{1,0}"
 * new Layout([1, 0], { tiles: [[8, 128]], memorySpace: 5 }).toString(); // => "{1,0:T(8,128)S(5)}"
 * new Layout([0, 1], { paddedDimensions: [3, 5], paddingValue: PaddingValue.ZERO_PAD }).paddedDimensions; // => [3, 5]
 * new Layout([0.5]); // throws INVALID_ARGUMENT
 */
export class Layout {
  /** The dimensions from the fastest varying to the slowest. */
  readonly minorToMajor: readonly number[];
  /** The tiles, in the order in which they apply. */
  readonly tiles: readonly Tile[];
  /** Bits of one stored element, 0 = the type's natural size. */
  readonly elementSizeInBits: number;
  /** The memory in which the array is stored, 0 = default. */
  readonly memorySpace: number;
  /** The element count of a tiled buffer is rounded up to a multiple of this; 1 = no rounding. */
  readonly tailPaddingAlignmentInElements: number;
  /** The splits of physical dimensions into pieces. */
  readonly splitConfigs: readonly SplitConfig[];
  /** Bytes before the array that hold its dynamic sizes. */
  readonly dynamicShapeMetadataPrefixBytes: number;
  /** 2017: the width that each dimension is padded to; empty = no padding. */
  readonly paddedDimensions: readonly number[];
  /** 2017: the value that fills the padding. */
  readonly paddingValue: PaddingValue;
  /** Sparse. The validators refuse any level other than dense. */
  readonly dimLevelTypes: readonly DimLevelType[];
  /** Sparse: true for each dimension whose coordinates are unique; empty = all true. */
  readonly dimUnique: readonly boolean[];
  /** Sparse: true for each dimension whose coordinates are ordered; empty = all true. */
  readonly dimOrdered: readonly boolean[];
  /** Sparse. The validators refuse any value other than PRIMITIVE_TYPE_INVALID. */
  readonly indexPrimitiveType: PrimitiveType;
  /** Sparse. The validators refuse any value other than PRIMITIVE_TYPE_INVALID. */
  readonly pointerPrimitiveType: PrimitiveType;
  /** Sparse. The validators refuse any value other than null. */
  readonly physicalShape: PhysicalShape | null;

  constructor(minorToMajor: readonly number[], options: LayoutOptions = {}) {
    checkObject(options, "options");
    this.minorToMajor = checkedIntegers(minorToMajor, "minor_to_major");
    this.tiles = options.tiles === undefined ? kEmpty : Object.freeze(checkedList(options.tiles, "tiles").map(toTile));
    this.elementSizeInBits = checkedInteger(options.elementSizeInBits ?? 0, "element_size_in_bits");
    this.memorySpace = checkedInteger(options.memorySpace ?? 0, "memory_space");
    this.tailPaddingAlignmentInElements = checkedInteger(options.tailPaddingAlignmentInElements ?? 1, "tail_padding_alignment_in_elements");
    this.splitConfigs =
      options.splitConfigs === undefined ? kEmpty : Object.freeze(checkedList(options.splitConfigs, "split_configs").map(toSplitConfig));
    this.dynamicShapeMetadataPrefixBytes = checkedInteger(
      options.dynamicShapeMetadataPrefixBytes ?? 0,
      "dynamic_shape_metadata_prefix_bytes",
    );
    this.paddedDimensions =
      options.paddedDimensions === undefined ? kEmpty : checkedIntegers(options.paddedDimensions, "padded_dimensions");
    this.paddingValue = options.paddingValue ?? PaddingValue.INVALID_PAD;
    this.dimLevelTypes =
      options.dimLevelTypes === undefined ? kEmpty : Object.freeze(checkedList(options.dimLevelTypes, "dim_level_types"));
    this.dimUnique = options.dimUnique === undefined ? kEmpty : checkedFlags(options.dimUnique, "dim_unique");
    this.dimOrdered = options.dimOrdered === undefined ? kEmpty : checkedFlags(options.dimOrdered, "dim_ordered");
    this.indexPrimitiveType = checkedType(options.indexPrimitiveType, "index_primitive_type");
    this.pointerPrimitiveType = checkedType(options.pointerPrimitiveType, "pointer_primitive_type");
    this.physicalShape = options.physicalShape ?? null;
    if (!isPaddingValue(this.paddingValue)) throw new InvalidArgumentError(`Invalid padding_value: ${shownValue(this.paddingValue)}`);
    const level = (this.dimLevelTypes as readonly unknown[]).find((type) => !isDimLevelType(type));
    if (level !== undefined) throw new InvalidArgumentError(`Invalid dim_level_types entry: ${shownValue(level)}`);
  }

  /**
   * Returns a copy of the layout with some fields replaced. Throws INVALID_ARGUMENT as the constructor does.
   *
   * @example
   * new Layout([1, 0], { memorySpace: 5 }).with({ minorToMajor: [0, 1] }).toString(); // => "{0,1:S(5)}"
   */
  with(changes: LayoutChanges): Layout {
    checkObject(changes, "changes");
    return new Layout(changes.minorToMajor ?? this.minorToMajor, { ...this, ...changes });
  }

  /**
   * Returns the layout without dimension `dim`: `dim` is removed from minorToMajor, larger entries are decremented, and
   * its padded dimension is removed. Throws INVALID_ARGUMENT if the layout does not have dimension `dim`.
   *
   * @example
   * new Layout([2, 0, 1]).deleteDimension(0).toString(); // => "{1,0}"
   */
  deleteDimension(dim: number): Layout {
    checkNumber(dim, "a dimension");
    if (!this.minorToMajor.includes(dim))
      throw new InvalidArgumentError(`layout ${this.toString()} has no dimension ${shownValue(dim)} to delete`);
    return this.with({
      minorToMajor: this.minorToMajor.filter((d) => d !== dim).map((d) => (d > dim ? d - 1 : d)),
      paddedDimensions: this.paddedDimensions.filter((_, d) => d !== dim),
    });
  }

  /** Returns true if every level type is dense. An empty list of level types counts as dense; the other sparse fields are not read. */
  isDense(): boolean {
    return this.dimLevelTypes.every((type) => type === 0);
  }

  /**
   * Returns true if two layouts are equal (Layout::Equal). Quirk: dynamicShapeMetadataPrefixBytes is never compared. The
   * 2017 padding is compared as stored: an empty list differs from one that repeats the sizes.
   *
   * @example
   * const tiled = new Layout([1, 0], { tiles: [[2, 2]] });
   * tiled.equals(new Layout([1, 0])); // => false
   * tiled.equals(new Layout([1, 0]), { ignoreTiles: true }); // => true
   */
  equals(other: Layout, options: LayoutEqualOptions = {}): boolean {
    checkLayout(other);
    checkObject(options, "options");
    if (!sameSizes(this.minorToMajor, other.minorToMajor)) return false;
    if (options.minorToMajorOnly === true) return true;
    if (!sameSizes(this.paddedDimensions, other.paddedDimensions) || this.paddingValue !== other.paddingValue) return false;
    return this.#sameStorage(other, options) && this.#sameSparsity(other, options);
  }

  /** Compares today's fields that describe how the elements are stored. */
  #sameStorage(other: Layout, options: LayoutEqualOptions): boolean {
    return (
      (options.ignoreTiles === true || sameItems(this.tiles, other.tiles)) &&
      (options.ignoreElementSize === true || this.elementSizeInBits === other.elementSizeInBits) &&
      (options.ignoreMemorySpace === true || this.memorySpace === other.memorySpace) &&
      (options.ignoreSplitConfigs === true || sameItems(this.splitConfigs, other.splitConfigs)) &&
      (options.ignoreTailPaddingAlignmentInElements === true ||
        this.tailPaddingAlignmentInElements === other.tailPaddingAlignmentInElements)
    );
  }

  /** Compares the sparse fields. A missing flag counts as true, and a missing level as dense. */
  #sameSparsity(other: Layout, options: LayoutEqualOptions): boolean {
    return (
      levelsText(this) === levelsText(other) &&
      (options.ignoreIndexPrimitiveType === true || this.indexPrimitiveType === other.indexPrimitiveType) &&
      (options.ignorePointerPrimitiveType === true || this.pointerPrimitiveType === other.pointerPrimitiveType) &&
      (options.ignorePhysicalShape === true || this.physicalShape?.toString(true) === other.physicalShape?.toString(true))
    );
  }

  static {
    defineInspection(this.prototype, (layout) => `Layout ${layout.toString()}`);
  }

  /**
   * Returns the layout's text: minorToMajor, then a colon and the properties that differ from their defaults, in XLA's
   * fixed order D T L # * E S SC P M. The 2017 padding has no textual form.
   *
   * @example
   * new Layout([0, 1], { elementSizeInBits: 4, splitConfigs: [new SplitConfig(0, [3])] }).toString(); // => "{0,1:E(4)SC(0:3)}"
   */
  toString(): string {
    const props = [
      levelsText(this),
      this.tiles.length === 0 ? "" : `T${this.tiles.join("")}`,
      this.tailPaddingAlignmentInElements === 1 ? "" : `L(${this.tailPaddingAlignmentInElements})`,
      this.indexPrimitiveType === PrimitiveType.PRIMITIVE_TYPE_INVALID ? "" : `#(${primitiveTypeName(this.indexPrimitiveType)})`,
      this.pointerPrimitiveType === PrimitiveType.PRIMITIVE_TYPE_INVALID ? "" : `*(${primitiveTypeName(this.pointerPrimitiveType)})`,
      this.elementSizeInBits === 0 ? "" : `E(${this.elementSizeInBits})`,
      this.memorySpace === 0 ? "" : `S(${this.memorySpace})`,
      this.splitConfigs.length === 0 ? "" : `SC${this.splitConfigs.join("")}`,
      this.physicalShape === null ? "" : `P(${this.physicalShape.toString(true)})`,
      this.dynamicShapeMetadataPrefixBytes === 0 ? "" : `M(${this.dynamicShapeMetadataPrefixBytes})`,
    ].join("");
    return props === "" ? `{${this.minorToMajor.join(",")}}` : `{${this.minorToMajor.join(",")}:${props}}`;
  }
}

function toTile(tile: Tile | readonly number[]): Tile {
  if (Array.isArray(tile)) return new Tile(tile);
  const dimensions = (tile as Tile | null | undefined)?.dimensions;
  if (dimensions === undefined) throw new InvalidArgumentError(`Expected a Tile in tiles, got ${shownValue(tile)}`);
  return tile as Tile;
}

function toSplitConfig(split: SplitConfig): SplitConfig {
  const given = split as SplitConfig | null | undefined;
  if (given?.splitIndices === undefined)
    throw new InvalidArgumentError(`Expected a SplitConfig in split_configs, got ${shownValue(split)}`);
  return given;
}

function checkedFlags(list: readonly boolean[], what: string): readonly boolean[] {
  return Object.freeze(checkedList(list, what).map(Boolean));
}

function checkedType(type: PrimitiveType | undefined, what: string): PrimitiveType {
  if (type === undefined || type === PrimitiveType.PRIMITIVE_TYPE_INVALID || primitiveTypeNumberIsValid(type)) return type ?? 0;
  throw new InvalidArgumentError(`Invalid ${what}: ${shownValue(type)}`);
}

/** Returns the sparse levels as text, `D(C~,D)`, or "" if every level is dense, unique and ordered, which is the default. */
function levelsText(layout: Layout): string {
  const count = Math.max(layout.dimLevelTypes.length, layout.dimUnique.length, layout.dimOrdered.length);
  let plain = true;
  const levels: string[] = [];
  for (let i = 0; i < count; i++) {
    const level =
      dimLevelTypeLetter(layout.dimLevelTypes[i] ?? 0) +
      (layout.dimUnique[i] === false ? "+" : "") +
      (layout.dimOrdered[i] === false ? "~" : "");
    plain &&= level === "D";
    levels.push(level);
  }
  return plain ? "" : `D(${levels.join(",")})`;
}

function sameItems<T extends { equals(other: T): boolean }>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, i) => item.equals(b[i]!));
}

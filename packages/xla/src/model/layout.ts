/**
 * Layout: in which order an array's elements lie in memory (xla/layout.h, and the r1.3 Layout message).
 *
 *     f32[2,3]  a b c      {1,0} row-major     a b c d e f       dimension 1 varies fastest
 *               d e f      {0,1} column-major  a d b e c f       dimension 0 varies fastest
 * (Letters and drawing: the XLA documentation, "Shapes and Layout", TensorFlow and OpenXLA authors, CC BY 3.0.)
 *
 * One model for both eras: today's fields (tiles, element size, memory space, …) and the padded dimensions of 2017.
 * Only minorToMajor is required. A Layout holds whatever it is given, as XLA's message does; whether it fits a shape is
 * asked by validateShape. The sparse fields of 2022 to 2025 are held for text and refused by the validators.
 */
import { sameSizes } from "@onebuffer/eigen/internal";
import { checkNumber, checkObject, InvalidArgumentError, shownValue } from "@onebuffer/base";
import { checkLayout } from "../type/argument-check.ts";
import type { DimLevelType } from "./dim-level-type.ts";
import { dimLevelTypeLetter, isDimLevelType } from "./dim-level-type.ts";
import { checkedInteger, checkedIntegers, checkedList } from "../type/integers.ts";
import { isPaddingValue, PaddingValue } from "./padding-value.ts";
import { PrimitiveType, primitiveTypeName, primitiveTypeNumberIsValid } from "../type/primitive-type.ts";
import type { SplitConfig } from "./split-config.ts";
import { Tile } from "./tile.ts";

/** What a layout needs to know of a physical shape: its text. Every Shape is one. */
export interface PhysicalShape {
  /** The shape's text, with its layout if asked. */
  toString(withLayout?: boolean): string;
}

/** Everything a layout may carry besides its order; what is left out takes the default of the message. */
export interface LayoutOptions {
  /** Tiles, applied one after the other; a list of entries stands for a Tile. Default none. */
  readonly tiles?: readonly (Tile | readonly number[])[];
  /** Bits of one stored element, 0 = the type's natural size. */
  readonly elementSizeInBits?: number;
  /** Where the array lives: 0 default, 1 generic fast, 5 host, others as the device says. */
  readonly memorySpace?: number;
  /** The element count of a tiled buffer is rounded up to a multiple of this. Default 1. */
  readonly tailPaddingAlignmentInElements?: number;
  /** Physical dimensions cut into pieces. Default none. */
  readonly splitConfigs?: readonly SplitConfig[];
  /** Bytes before the array that hold its dynamic sizes. Default 0. */
  readonly dynamicShapeMetadataPrefixBytes?: number;
  /** 2017: the width each dimension is padded to, empty = no padding. */
  readonly paddedDimensions?: readonly number[];
  /** 2017: what stands in the padding. Default INVALID_PAD. */
  readonly paddingValue?: PaddingValue;
  /** Sparse, 2022 to 2025: how each dimension is stored. */
  readonly dimLevelTypes?: readonly DimLevelType[];
  /** Sparse: whether the coordinates of each dimension are unique. Default all. */
  readonly dimUnique?: readonly boolean[];
  /** Sparse: whether the coordinates of each dimension are ordered. Default all. */
  readonly dimOrdered?: readonly boolean[];
  /** Sparse: type of stored indices. Default PRIMITIVE_TYPE_INVALID. */
  readonly indexPrimitiveType?: PrimitiveType;
  /** Sparse: type of stored positions. Default PRIMITIVE_TYPE_INVALID. */
  readonly pointerPrimitiveType?: PrimitiveType;
  /** Sparse: the arrays that hold the data. Default null. */
  readonly physicalShape?: PhysicalShape | null;
}

/** A layout's fields, to be given again with changes. */
export interface LayoutChanges extends LayoutOptions {
  readonly minorToMajor?: readonly number[];
}

/** Which fields two layouts may differ in and still be equal (the knobs of Layout::Equal). */
export interface LayoutEqualOptions {
  readonly ignoreTiles?: boolean;
  readonly ignoreTailPaddingAlignmentInElements?: boolean;
  readonly ignoreElementSize?: boolean;
  readonly ignoreMemorySpace?: boolean;
  readonly ignoreSplitConfigs?: boolean;
  readonly ignoreIndexPrimitiveType?: boolean;
  readonly ignorePointerPrimitiveType?: boolean;
  readonly ignorePhysicalShape?: boolean;
  /** All of the above, and the 2017 padding. */
  readonly minorToMajorOnly?: boolean;
}

const kNothing: readonly never[] = Object.freeze([]);

/**
 * The order of an array's elements in memory. Immutable.
 *
 * Throws INVALID_ARGUMENT for lists and numbers that are none, naming the field. Copies: the lists.
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
  /** Where the array lives, 0 = default. */
  readonly memorySpace: number;
  /** What the element count of a tiled buffer is rounded up to, 1 = not at all. */
  readonly tailPaddingAlignmentInElements: number;
  /** Physical dimensions cut into pieces. */
  readonly splitConfigs: readonly SplitConfig[];
  /** Bytes before the array that hold its dynamic sizes. */
  readonly dynamicShapeMetadataPrefixBytes: number;
  /** 2017: the width each dimension is padded to, empty = no padding. */
  readonly paddedDimensions: readonly number[];
  /** 2017: what stands in the padding. */
  readonly paddingValue: PaddingValue;
  /** Sparse, refused by the validators unless all are dense. */
  readonly dimLevelTypes: readonly DimLevelType[];
  /** Sparse: empty = all unique. */
  readonly dimUnique: readonly boolean[];
  /** Sparse: empty = all ordered. */
  readonly dimOrdered: readonly boolean[];
  /** Sparse, refused by the validators unless PRIMITIVE_TYPE_INVALID. */
  readonly indexPrimitiveType: PrimitiveType;
  /** Sparse, refused by the validators unless PRIMITIVE_TYPE_INVALID. */
  readonly pointerPrimitiveType: PrimitiveType;
  /** Sparse, refused by the validators unless null. */
  readonly physicalShape: PhysicalShape | null;

  constructor(minorToMajor: readonly number[], options: LayoutOptions = {}) {
    checkObject(options, "options");
    this.minorToMajor = checkedIntegers(minorToMajor, "minor_to_major");
    this.tiles = options.tiles === undefined ? kNothing : Object.freeze(checkedList(options.tiles, "tiles").map(toTile));
    this.elementSizeInBits = checkedInteger(options.elementSizeInBits ?? 0, "element_size_in_bits");
    this.memorySpace = checkedInteger(options.memorySpace ?? 0, "memory_space");
    this.tailPaddingAlignmentInElements = checkedInteger(options.tailPaddingAlignmentInElements ?? 1, "tail_padding_alignment_in_elements");
    this.splitConfigs =
      options.splitConfigs === undefined ? kNothing : Object.freeze(checkedList(options.splitConfigs, "split_configs").map(toSplitConfig));
    this.dynamicShapeMetadataPrefixBytes = checkedInteger(
      options.dynamicShapeMetadataPrefixBytes ?? 0,
      "dynamic_shape_metadata_prefix_bytes",
    );
    this.paddedDimensions =
      options.paddedDimensions === undefined ? kNothing : checkedIntegers(options.paddedDimensions, "padded_dimensions");
    this.paddingValue = options.paddingValue ?? PaddingValue.INVALID_PAD;
    this.dimLevelTypes =
      options.dimLevelTypes === undefined ? kNothing : Object.freeze(checkedList(options.dimLevelTypes, "dim_level_types"));
    this.dimUnique = options.dimUnique === undefined ? kNothing : checkedFlags(options.dimUnique, "dim_unique");
    this.dimOrdered = options.dimOrdered === undefined ? kNothing : checkedFlags(options.dimOrdered, "dim_ordered");
    this.indexPrimitiveType = checkedType(options.indexPrimitiveType, "index_primitive_type");
    this.pointerPrimitiveType = checkedType(options.pointerPrimitiveType, "pointer_primitive_type");
    this.physicalShape = options.physicalShape ?? null;
    if (!isPaddingValue(this.paddingValue)) throw new InvalidArgumentError(`Invalid padding_value: ${shownValue(this.paddingValue)}`);
    const level = (this.dimLevelTypes as readonly unknown[]).find((type) => !isDimLevelType(type));
    if (level !== undefined) throw new InvalidArgumentError(`Invalid dim_level_types entry: ${shownValue(level)}`);
  }

  /**
   * A layout with some fields replaced. Throws INVALID_ARGUMENT as the constructor does.
   *
   * @example
   * new Layout([1, 0], { memorySpace: 5 }).with({ minorToMajor: [0, 1] }).toString(); // => "{0,1:S(5)}"
   */
  with(changes: LayoutChanges): Layout {
    checkObject(changes, "changes");
    return new Layout(changes.minorToMajor ?? this.minorToMajor, { ...this, ...changes });
  }

  /**
   * The layout without dimension `dim`: dropped from minorToMajor, larger entries decremented; padded dimensions lose
   * the entry too. Throws INVALID_ARGUMENT if `dim` is no dimension.
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

  /** Whether no sparse field says otherwise: every level is dense (an empty list counts). */
  isDense(): boolean {
    return this.dimLevelTypes.every((type) => type === 0);
  }

  /**
   * Whether two layouts are the same (Layout::Equal). Quirk: dynamicShapeMetadataPrefixBytes is never compared. The
   * 2017 padding is compared as stored, whatever its length.
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

  /** Today's fields of the stored form. */
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

  /** The sparse fields; flags left out count as true, and so do levels left out count as dense. */
  #sameSparsity(other: Layout, options: LayoutEqualOptions): boolean {
    return (
      levelsText(this) === levelsText(other) &&
      (options.ignoreIndexPrimitiveType === true || this.indexPrimitiveType === other.indexPrimitiveType) &&
      (options.ignorePointerPrimitiveType === true || this.pointerPrimitiveType === other.pointerPrimitiveType) &&
      (options.ignorePhysicalShape === true || this.physicalShape?.toString(true) === other.physicalShape?.toString(true))
    );
  }

  /**
   * The layout's text: minorToMajor, and after a colon what is not the default, in XLA's fixed order
   * D T L # * E S SC P M. The 2017 padding has no text.
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

/** `D(C~,D)`, or nothing when every level is dense, unique and ordered: then the layout says no more without it. */
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

/**
 * Shapes, layouts and buffers as xla.json writes them, to and from the package's values.
 *
 * A shape is `{type, dims[, m2m][, tiles][, esb][, mem][, tail][, prefix][, split][, dyn][, padded][, padding_value]}`,
 * `{type: token | opaque}`, `{tuple: [...]}` or `{buffer: shape}`. What is written is exactly what differs from the
 * defaults, so two shapes are the same if and only if their literals are.
 */
import { type TypedArray, typedArrayConstructor, type RawDType } from "@onebuffer/base";
import { kCombineDimension, kUnboundedSize, Layout, PaddingValue, paddingValueName, primitiveTypeName, primitiveTypeToDType, Shape, SplitConfig, tiledElementCount, type LayoutOptions, type PrimitiveTypeLike } from "@onebuffer/xla";
import { checkKeys, isJsonObject, toList, toSize, toSizes, toText, type Json, type JsonObject } from "./vector-args.ts";

const LAYOUT_KEYS = ["m2m", "tiles", "esb", "mem", "tail", "prefix", "split", "padded", "padding_value", "physical"];

/** A size, `"?"` for an unbounded one. */
export function toDimension(json: Json): number {
  return json === "?" ? kUnboundedSize : toSize(json, "dims");
}

/** A tile's entries, `"*"` for a combined dimension. */
export function toTile(json: Json): number[] {
  return toList(json, "tile").map((entry) => (entry === "*" ? kCombineDimension : toSize(entry, "tile")));
}

function toSplit(json: Json): SplitConfig {
  if (!isJsonObject(json)) throw new Error("a split is an object");
  checkKeys(json, ["dim", "idx"], "split");
  return new SplitConfig(toSize(json["dim"], "split.dim"), toSizes(json["idx"], "split.idx"));
}

/** The fields of a layout that a literal states. */
function toLayoutOptions(json: JsonObject): LayoutOptions {
  const options: { -readonly [K in keyof LayoutOptions]: LayoutOptions[K] } = {};
  if (json["tiles"] !== undefined) options.tiles = toList(json["tiles"], "tiles").map(toTile);
  if (json["esb"] !== undefined) options.elementSizeInBits = toSize(json["esb"], "esb");
  if (json["mem"] !== undefined) options.memorySpace = toSize(json["mem"], "mem");
  if (json["tail"] !== undefined) options.tailPaddingAlignmentInElements = toSize(json["tail"], "tail");
  if (json["prefix"] !== undefined) options.dynamicShapeMetadataPrefixBytes = toSize(json["prefix"], "prefix");
  if (json["split"] !== undefined) options.splitConfigs = toList(json["split"], "split").map(toSplit);
  if (json["padded"] !== undefined) options.paddedDimensions = toSizes(json["padded"], "padded");
  if (json["padding_value"] !== undefined) options.paddingValue = PaddingValue[toText(json["padding_value"], "padding_value") as keyof typeof PaddingValue];
  if (json["physical"] !== undefined) options.physicalShape = toShape(json["physical"]);
  return options;
}

/** A layout literal `{m2m, …}`. */
export function toLayout(json: Json | undefined): Layout {
  if (!isJsonObject(json)) throw new Error("a layout is an object");
  checkKeys(json, LAYOUT_KEYS, "layout");
  return new Layout(toSizes(json["m2m"], "m2m"), toLayoutOptions(json));
}

/** A shape literal; `type` stands in where the literal names none. */
export function toShape(json: Json | undefined, type?: string): Shape {
  if (!isJsonObject(json)) throw new Error(`a shape is an object: ${JSON.stringify(json)}`);
  if (json["tuple"] !== undefined) return Shape.tuple(toList(json["tuple"], "tuple").map((child) => toShape(child)));
  if (json["buffer"] !== undefined) return Shape.buffer(toShape(json["buffer"]));
  const name = toText(json["type"] ?? type, "type");
  if (name === "token") return Shape.token();
  if (name === "opaque") return Shape.opaque();
  checkKeys(json, ["type", "dims", "dyn", ...LAYOUT_KEYS], "shape");
  const dimensions = toList(json["dims"], "dims").map(toDimension);
  const layout = json["m2m"] === undefined ? null : new Layout(toSizes(json["m2m"], "m2m"), toLayoutOptions(json));
  if (json["dyn"] === undefined) return Shape.array(name as PrimitiveTypeLike, dimensions, { layout });
  return Shape.array(name as PrimitiveTypeLike, dimensions, { layout, dynamicDimensions: toList(json["dyn"], "dyn").map(Boolean) });
}

function layoutLiteral(layout: Layout): Record<string, Json> {
  return {
    m2m: layout.minorToMajor,
    ...(layout.tiles.length > 0 ? { tiles: layout.tiles.map((tile) => tile.dimensions.map((entry) => (entry === kCombineDimension ? "*" : entry))) } : {}),
    ...(layout.elementSizeInBits !== 0 ? { esb: layout.elementSizeInBits } : {}),
    ...(layout.memorySpace !== 0 ? { mem: layout.memorySpace } : {}),
    ...(layout.tailPaddingAlignmentInElements !== 1 ? { tail: layout.tailPaddingAlignmentInElements } : {}),
    ...(layout.dynamicShapeMetadataPrefixBytes !== 0 ? { prefix: layout.dynamicShapeMetadataPrefixBytes } : {}),
    ...(layout.splitConfigs.length > 0 ? { split: layout.splitConfigs.map(({ dimension, splitIndices }) => ({ dim: dimension, idx: splitIndices })) } : {}),
    ...(layout.paddedDimensions.length > 0 ? { padded: layout.paddedDimensions } : {}),
    ...(layout.paddingValue !== PaddingValue.INVALID_PAD ? { padding_value: paddingValueName(layout.paddingValue) } : {}),
  };
}

/** A shape as a literal, defaults left out. */
export function shapeLiteral(shape: Shape): JsonObject {
  if (shape.isTuple()) return { tuple: shape.tupleShapes.map(shapeLiteral) };
  if (shape.bufferShape !== null) return { buffer: shapeLiteral(shape.bufferShape) };
  const type = primitiveTypeName(shape.elementType);
  if (!shape.isArray()) return { type };
  const isPlain = shape.dynamicDimensions.every((flag, d) => flag === (shape.dimensions[d] === kUnboundedSize));
  return {
    type,
    dims: shape.dimensions.map((size) => (size === kUnboundedSize ? "?" : size)),
    ...(isPlain ? {} : { dyn: shape.dynamicDimensions }),
    ...(shape.layout === null ? {} : layoutLiteral(shape.layout)),
  };
}

/** A shape that a case expects: read and written again, so that defaults it spells out are left out. */
export function expectedShape(json: Json, type?: string): JsonObject {
  return shapeLiteral(toShape(json, type));
}

/** Values of a buffer; a letter stands for its character code. */
export function toValues(json: readonly Json[]): number[] {
  return json.map((value) => (typeof value === "string" ? value.charCodeAt(0) : toSize(value, "values")));
}

/** A buffer for a shape, zeros or the given values. */
export function toBuffer(shape: Shape, values?: readonly number[]): TypedArray {
  const make = typedArrayConstructor(primitiveTypeToDType(shape.elementType) as RawDType);
  const buffer = new make(values?.length ?? tiledElementCount(shape));
  values?.forEach((value, i) => ((buffer as Float64Array)[i] = value));
  return buffer;
}

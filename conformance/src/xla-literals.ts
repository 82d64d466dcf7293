/**
 * Converts shapes and layouts between the literals of xla.json and the objects of @onebuffer/xla.
 *
 *     {type, dims[, m2m][, tiles][, esb][, mem][, tail][, prefix][, split][, dyn][, padded][, padding_value]}
 *     {type: token | opaque}    {tuple: [shape, …]}    {buffer: shape}
 *
 * `shapeLiteral` writes only the fields that differ from their defaults, so two shapes are equal if and only if their literals are.
 */
import {
  kCombineDimension,
  kUnboundedSize,
  Layout,
  PaddingValue,
  paddingValueName,
  primitiveTypeFromName,
  primitiveTypeName,
  Shape,
  SplitConfig,
} from "@onebuffer/xla";
import type { LayoutOptions } from "@onebuffer/xla";
import { checkKeys, toFlag, toList, toSize, toSizes, toText } from "./args.ts";
import type { Matcher } from "./compare.ts";
import { isJsonObject, RunnerError } from "./vector.ts";
import type { Json, JsonObject } from "./vector.ts";

const kLayoutKeys: readonly string[] = ["m2m", "tiles", "esb", "mem", "tail", "prefix", "split", "padded", "padding_value", "physical"];

/** Reads a dimension size; `"?"` is an unbounded one. */
export function toDimension(json: Json): number {
  return json === "?" ? kUnboundedSize : toSize(json, "dims");
}

/** Reads the entries of a tile; `"*"` is a combined dimension. */
export function toTile(json: Json): number[] {
  return toList(json, "tile").map((entry) => (entry === "*" ? kCombineDimension : toSize(entry, "tile")));
}

/** Reads dynamic flags, one per dimension. */
export function toDynamicFlags(json: Json | undefined): boolean[] {
  return toList(json, "dyn").map((flag) => toFlag(flag, "dyn"));
}

function toSplit(json: Json): SplitConfig {
  if (!isJsonObject(json)) throw new RunnerError(`not a split: ${JSON.stringify(json)}`);
  checkKeys(json, ["dim", "idx"], "split");
  return new SplitConfig(toSize(json["dim"], "split.dim"), toSizes(json["idx"], "split.idx"));
}

function toPaddingValue(json: Json): PaddingValue {
  const name = toText(json, "padding_value");
  if (!Object.hasOwn(PaddingValue, name)) throw new RunnerError(`not a padding value: ${name}`);
  return PaddingValue[name as keyof typeof PaddingValue];
}

/** Reads the fields of a layout that a literal lists. */
function toLayoutOptions(json: JsonObject): LayoutOptions {
  const options: { -readonly [K in keyof LayoutOptions]: LayoutOptions[K] } = {};
  if (json["tiles"] !== undefined) options.tiles = toList(json["tiles"], "tiles").map(toTile);
  if (json["esb"] !== undefined) options.elementSizeInBits = toSize(json["esb"], "esb");
  if (json["mem"] !== undefined) options.memorySpace = toSize(json["mem"], "mem");
  if (json["tail"] !== undefined) options.tailPaddingAlignmentInElements = toSize(json["tail"], "tail");
  if (json["prefix"] !== undefined) options.dynamicShapeMetadataPrefixBytes = toSize(json["prefix"], "prefix");
  if (json["split"] !== undefined) options.splitConfigs = toList(json["split"], "split").map(toSplit);
  if (json["padded"] !== undefined) options.paddedDimensions = toSizes(json["padded"], "padded");
  if (json["padding_value"] !== undefined) options.paddingValue = toPaddingValue(json["padding_value"]);
  if (json["physical"] !== undefined) options.physicalShape = toXlaShape(json["physical"]);
  return options;
}

/** Reads a layout literal `{m2m, …}`. */
export function toLayout(json: Json | undefined): Layout {
  if (!isJsonObject(json)) throw new RunnerError(`not a layout: ${JSON.stringify(json)}`);
  checkKeys(json, kLayoutKeys, "layout");
  return new Layout(toSizes(json["m2m"], "m2m"), toLayoutOptions(json));
}

function toArrayShape(json: JsonObject, name: string): Shape {
  checkKeys(json, ["type", "dims", "dyn", ...kLayoutKeys], "shape");
  const stray = kLayoutKeys.find((key) => json["m2m"] === undefined && json[key] !== undefined);
  if (stray !== undefined) throw new RunnerError(`"${stray}" without "m2m"`);
  const dimensions = toList(json["dims"], "dims").map(toDimension);
  const layout = json["m2m"] === undefined ? null : new Layout(toSizes(json["m2m"], "m2m"), toLayoutOptions(json));
  const options = json["dyn"] === undefined ? { layout } : { layout, dynamicDimensions: toDynamicFlags(json["dyn"]) };
  return Shape.array(primitiveTypeFromName(name), dimensions, options);
}

/** Reads a shape literal. `type` is the element type if the literal has none. */
export function toXlaShape(json: Json | undefined, type?: string): Shape {
  if (!isJsonObject(json)) throw new RunnerError(`not a shape: ${JSON.stringify(json)}`);
  if (json["tuple"] !== undefined) {
    checkKeys(json, ["tuple"], "tuple");
    return Shape.tuple(toList(json["tuple"], "tuple").map((child) => toXlaShape(child)));
  }
  if (json["buffer"] !== undefined) {
    checkKeys(json, ["buffer"], "buffer");
    return Shape.buffer(toXlaShape(json["buffer"]));
  }
  const name = toText(json["type"] ?? type, "type");
  if (name !== "token" && name !== "opaque") return toArrayShape(json, name);
  checkKeys(json, ["type"], name);
  return name === "token" ? Shape.token() : Shape.opaque();
}

function layoutLiteral(layout: Layout): JsonObject {
  return {
    m2m: layout.minorToMajor,
    ...(layout.tiles.length > 0
      ? { tiles: layout.tiles.map((tile) => tile.dimensions.map((entry) => (entry === kCombineDimension ? "*" : entry))) }
      : {}),
    ...(layout.elementSizeInBits !== 0 ? { esb: layout.elementSizeInBits } : {}),
    ...(layout.memorySpace !== 0 ? { mem: layout.memorySpace } : {}),
    ...(layout.tailPaddingAlignmentInElements !== 1 ? { tail: layout.tailPaddingAlignmentInElements } : {}),
    ...(layout.dynamicShapeMetadataPrefixBytes !== 0 ? { prefix: layout.dynamicShapeMetadataPrefixBytes } : {}),
    ...(layout.splitConfigs.length > 0
      ? { split: layout.splitConfigs.map(({ dimension, splitIndices }) => ({ dim: dimension, idx: splitIndices })) }
      : {}),
    ...(layout.paddedDimensions.length > 0 ? { padded: layout.paddedDimensions } : {}),
    ...(layout.paddingValue !== PaddingValue.INVALID_PAD ? { padding_value: paddingValueName(layout.paddingValue) } : {}),
  };
}

/** Returns the literal of a shape, without the fields that have their default. */
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

/**
 * A shape, to compare with a shape literal as a whole, not only by the keys that the literal lists. The literal is converted to a shape
 * and back first, which removes the defaults that it lists.
 */
export class SameShape implements Matcher {
  readonly #shape: Shape;

  constructor(shape: Shape) {
    this.#shape = shape;
  }

  mismatch(expected: Json): string | null {
    const got = JSON.stringify(shapeLiteral(this.#shape));
    const isShape = isJsonObject(expected) && ["type", "dims", "tuple", "buffer"].some((key) => expected[key] !== undefined);
    const want = isShape
      ? JSON.stringify(shapeLiteral(toXlaShape(expected, primitiveTypeName(this.#shape.elementType))))
      : JSON.stringify(expected);
    return got === want ? null : `got ${got} want ${want}`;
  }
}

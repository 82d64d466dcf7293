/**
 * Reads the literals that several families of operations share: shapes, slices, their messages, dtypes.
 *
 *     shape            [2,3], or {"dim":[2,3]}; "default" is the constructor without arguments
 *     partial shape    the same with -1 for an unknown size and null for unknown rank
 *     slice            "-:1,3", or [[0,-1],[1,3]], or 2 for two full dimensions
 *     dtype            "DT_FLOAT"
 */
import { DataType, dtypeOf } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { PartialTensorShape, TensorShape } from "@onebuffer/shape";
import type { TensorShapeProto } from "@onebuffer/shape";
import { TensorSlice } from "@onebuffer/slice";
import type { TensorSliceProto } from "@onebuffer/slice";
import { checkKeys, toExactInteger, toFlag, toList, toSize, toSizes, toText } from "./args.ts";
import { isJsonArray, isJsonObject, RunnerError } from "./vector.ts";
import type { Json } from "./vector.ts";

/** Reads an int64 field of a message: a bigint if it is written as text, as a decoder of wire bytes may return it. */
function toInt64Field(json: Json, where: string): number | bigint {
  return typeof json === "string" ? toExactInteger(json, where) : toSize(json, where);
}

/** Reads a `{"dim":[…],"unknown_rank"?}` literal into a message object. */
export function toShapeProto(json: Json | undefined): TensorShapeProto {
  if (!isJsonObject(json)) throw new RunnerError(`not a shape proto: ${JSON.stringify(json)}`);
  checkKeys(json, ["dim", "unknown_rank"], "shape proto");
  const dim = toList(json["dim"] ?? [], "dim").map((size) => ({ size: toInt64Field(size, "dim") }));
  return json["unknown_rank"] === undefined ? { dim } : { dim, unknownRank: toFlag(json["unknown_rank"], "unknown_rank") };
}

/** Reads a fully defined shape. */
export function toShape(json: Json | undefined): TensorShape {
  if (json === "default") return new TensorShape();
  if (isJsonObject(json)) return TensorShape.fromProto(toShapeProto(json));
  return new TensorShape(toSizes(json, "shape"));
}

/** Reads a partial shape. */
export function toPartialShape(json: Json | undefined): PartialTensorShape {
  if (json === "default" || json === null) return new PartialTensorShape();
  if (isJsonObject(json)) return PartialTensorShape.fromProto(toShapeProto(json));
  return new PartialTensorShape(toSizes(json, "partial shape"));
}

/** The name of a shape class in the vectors. */
export type ShapeClassName = "TensorShape" | "PartialTensorShape";

/** Reads the name of a shape class. */
export function toShapeClass(json: Json | undefined): ShapeClassName {
  if (json === "TensorShape" || json === "PartialTensorShape") return json;
  throw new RunnerError(`not a shape class: ${JSON.stringify(json)}`);
}

/** Reads a shape of the named class. */
export function toShapeOf(name: ShapeClassName, json: Json | undefined): TensorShape | PartialTensorShape {
  return name === "TensorShape" ? toShape(json) : toPartialShape(json);
}

/** Reads a list of `{"start"?,"length"?}` into a message object. */
export function toSliceProto(json: Json | undefined): TensorSliceProto {
  const extent = toList(json, "slice proto").map((item) => {
    if (!isJsonObject(item)) throw new RunnerError(`not an extent: ${JSON.stringify(item)}`);
    checkKeys(item, ["start", "length"], "extent");
    return {
      ...(item["start"] === undefined ? {} : { start: toInt64Field(item["start"], "start") }),
      ...(item["length"] === undefined ? {} : { length: toInt64Field(item["length"], "length") }),
    };
  });
  return { extent };
}

/** Reads a list of `[start, length]` pairs. */
export function toExtents(json: Json | undefined): [start: number, length: number][] {
  return toList(json, "extents").map((pair) => {
    const [start, length, ...more] = toSizes(pair, "extent");
    if (start === undefined || length === undefined || more.length > 0) throw new RunnerError(`not a pair: ${JSON.stringify(pair)}`);
    return [start, length];
  });
}

/** Reads a slice: a text, a list of extents, or the number of full dimensions. */
export function toSlice(json: Json | undefined): TensorSlice {
  if (typeof json === "string") return TensorSlice.parse(json);
  if (typeof json === "number") return TensorSlice.full(json);
  if (isJsonArray(json)) return TensorSlice.fromExtents(toExtents(json));
  throw new RunnerError(`not a slice: ${JSON.stringify(json)}`);
}

/** Returns the number of a `DT_…` name. */
export function toDataType(json: Json | undefined): DataType {
  const name = toText(json, "dtype");
  if (!Object.hasOwn(DataType, name)) throw new RunnerError(`not a dtype: ${name}`);
  return DataType[name as keyof typeof DataType];
}

/** Returns the dtype of a `DT_…` name. `dtypeOf` throws for those that no tensor can have (DT_INVALID, DT_x_REF). */
export function toDType(json: Json | undefined): DType {
  return dtypeOf(toDataType(json));
}

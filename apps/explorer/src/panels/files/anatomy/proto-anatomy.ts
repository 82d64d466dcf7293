/** The fields of a protobuf message as regions: tag, wire type and value of each, without knowing the message. */
import type { Region } from "../messages.ts";
import { region, textOf, uint32, varint } from "./region.ts";

/** Names of the fields of a message by their numbers, and the names inside fields that are messages. */
export interface FieldNames {
  readonly [number: number]: string | readonly [name: string, fields: FieldNames];
}

const kShapeFields: FieldNames = { 2: ["dim", { 1: "size", 2: "name" }], 3: "unknown_rank" };
const kVersions: FieldNames = { 1: "producer", 2: "min_consumer" };
/** BundleEntryProto of TensorFlow's checkpoints. */
export const kBundleEntry: FieldNames = {
  1: "dtype",
  2: ["shape", kShapeFields],
  3: "shard_id",
  4: "offset",
  5: "size",
  6: "crc32c",
  7: ["slices", { 1: ["extent", { 1: "start", 2: "length" }] }],
};
/** BundleHeaderProto, the value of the empty key. */
export const kBundleHeader: FieldNames = { 1: "num_shards", 2: "endianness", 3: ["version", kVersions] };
/** TensorProto. */
export const kTensorProto: FieldNames = {
  1: "dtype",
  2: ["tensor_shape", kShapeFields],
  3: "version_number",
  4: "tensor_content",
  5: "float_val",
  6: "double_val",
  7: "int_val",
  8: "string_val",
  10: "int64_val",
  11: "bool_val",
  13: "half_val",
  16: "uint32_val",
  17: "uint64_val",
};

const kMostFields = 400;
const kWireTypes: Readonly<Record<number, string>> = { 0: "varint", 1: "64 bits", 2: "length and bytes", 5: "32 bits" };

/** Returns the fields of the message in `bytes`, which begin at `base` in the file. The last region is wrong if the bytes are malformed. */
export function protoRegions(bytes: Uint8Array, base: number, names: FieldNames = {}): Region[] {
  const regions: Region[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (regions.length === kMostFields) {
      regions.push(region("more fields", base + at, bytes.length - at));
      break;
    }
    const field = protoField(bytes, at, base, names);
    if (field === null) {
      regions.push(region("not a field", base + at, bytes.length - at, "", [], true));
      break;
    }
    regions.push(field);
    at += field.length;
  }
  return regions;
}

function protoField(bytes: Uint8Array, at: number, base: number, names: FieldNames): Region | null {
  const tag = varint(bytes, at);
  if (tag === null || tag.value < 8) return null;
  const number = Math.floor(tag.value / 8);
  const wireType = tag.value % 8;
  const known = names[number];
  const name = typeof known === "string" ? known : (known?.[0] ?? `field ${number}`);
  const title = `${name}, ${kWireTypes[wireType] ?? `wire type ${wireType}`}`;
  if (wireType === 0) {
    const value = varint(bytes, tag.next);
    return value === null ? null : region(title, base + at, value.next - at, String(value.value));
  }
  if (wireType === 1 || wireType === 5) {
    const end = tag.next + (wireType === 1 ? 8 : 4);
    if (end > bytes.length) return null;
    return region(title, base + at, end - at, wireType === 5 ? String(uint32(bytes, tag.next)) : "");
  }
  if (wireType !== 2) return null;
  const length = varint(bytes, tag.next);
  if (length === null || length.next + length.value > bytes.length) return null;
  const content = bytes.subarray(length.next, length.next + length.value);
  const children = Array.isArray(known) ? protoRegions(content, base + length.next, known[1] as FieldNames) : [];
  return region(title, base + at, length.next + length.value - at, children.length > 0 ? "" : textOf(content, 24), children);
}

/**
 * Reads the messages of tf-proto.json. Their fields have the names of TensorFlow's .proto files.
 *
 *     dtype "DT_FLOAT" or a number    tensor_shape {"dim":[2,3]}    tensor_content hex    float_val [1.5, "NaN"]
 *     string_val ["a", {"hex"}]       variant_val [{type_name, metadata hex, tensors}]    float_val_repeat [value, count]
 */
import type { ResourceHandleProto, TensorProto, VariantTensorDataProto } from "@onebuffer/core";
import { tensorProtoCodec } from "@onebuffer/proto";
import { checkKeys, toExactInteger, toFlag, toList, toSize, toText } from "./args.ts";
import { fromHex, gotWant, toHex } from "./compare.ts";
import type { Matcher } from "./compare.ts";
import { toNumber, toResourceHandle, toStringElement } from "./elements.ts";
import { toDataType, toShapeProto } from "./literals.ts";
import { isJsonObject, RunnerError } from "./vector.ts";
import type { Json, JsonObject } from "./vector.ts";

/** The repeated fields of numbers, with the function that reads a value. `_repeat` may follow their names. */
const kNumbers: Readonly<Record<string, { readonly name: keyof TensorProto; readonly read: (json: Json) => unknown }>> = {
  float_val: { name: "floatVal", read: toNumber },
  double_val: { name: "doubleVal", read: toNumber },
  int_val: { name: "intVal", read: (json) => toSize(json, "int_val") },
  scomplex_val: { name: "scomplexVal", read: toNumber },
  int64_val: { name: "int64Val", read: (json) => toExactInteger(json, "int64_val") },
  bool_val: { name: "boolVal", read: (json) => toFlag(json, "bool_val") },
  dcomplex_val: { name: "dcomplexVal", read: toNumber },
  half_val: { name: "halfVal", read: (json) => toSize(json, "half_val") },
  uint32_val: { name: "uint32Val", read: (json) => toSize(json, "uint32_val") },
  uint64_val: { name: "uint64Val", read: (json) => toExactInteger(json, "uint64_val") },
};

/** The other fields. */
const kOthers: Readonly<Record<string, (proto: TensorProto, json: Json) => void>> = {
  dtype: (proto, json) => (proto.dtype = typeof json === "number" ? json : toDataType(json)),
  tensor_shape: (proto, json) => (proto.tensorShape = toShapeProto(json)),
  version_number: (proto, json) => (proto.versionNumber = toSize(json, "version_number")),
  tensor_content: (proto, json) => (proto.tensorContent = fromHex(toText(json, "tensor_content"))),
  float8_val: (proto, json) => (proto.float8Val = fromHex(toText(json, "float8_val"))),
  string_val: (proto, json) => (proto.stringVal = toList(json, "string_val").map(toBytes)),
  resource_handle_val: (proto, json) => (proto.resourceHandleVal = toList(json, "resource_handle_val").map(toHandleProto)),
  variant_val: (proto, json) => (proto.variantVal = toList(json, "variant_val").map(toVariantProto)),
};

function toBytes(json: Json): Uint8Array {
  const element = toStringElement(json);
  return typeof element === "string" ? new TextEncoder().encode(element) : element;
}

function toHandleProto(json: Json): ResourceHandleProto {
  return toResourceHandle(json).asProto();
}

function toVariantProto(json: Json): VariantTensorDataProto {
  if (!isJsonObject(json)) throw new RunnerError(`not a variant's message: ${JSON.stringify(json)}`);
  checkKeys(json, ["type_name", "metadata", "tensors"], "variant_val");
  return {
    typeName: toText(json["type_name"] ?? "", "type_name"),
    metadata: fromHex(toText(json["metadata"] ?? "", "metadata")),
    tensors: toList(json["tensors"] ?? [], "tensors").map(toTensorProto),
  };
}

/** Reads `[value, count]` as a list of `count` equal values. */
function repeated(json: Json, read: (json: Json) => unknown): unknown[] {
  const [value, count, ...more] = toList(json, "repeat");
  if (value === undefined || more.length > 0) throw new RunnerError(`not a value and a count: ${JSON.stringify(json)}`);
  return new Array<unknown>(toSize(count, "count")).fill(read(value));
}

/** Reads a TensorProto literal into a message object. */
export function toTensorProto(json: Json | undefined): TensorProto {
  if (!isJsonObject(json)) throw new RunnerError(`not a tensor proto: ${JSON.stringify(json)}`);
  const proto: TensorProto = {};
  for (const [key, value] of Object.entries(json as JsonObject)) {
    const other = Object.hasOwn(kOthers, key) ? kOthers[key] : undefined;
    const base = key.endsWith("_repeat") ? key.slice(0, -"_repeat".length) : key;
    const numbers = Object.hasOwn(kNumbers, base) ? kNumbers[base] : undefined;
    if (other !== undefined) other(proto, value);
    else if (numbers === undefined) throw new RunnerError(`tensor proto: unknown field "${key}"`);
    else {
      const values = base === key ? toList(value, key).map(numbers.read) : repeated(value, numbers.read);
      (proto as Record<string, unknown>)[numbers.name] = values;
    }
  }
  return proto;
}

/** A message, to compare with a literal: they match if they encode to the same bytes. */
export class SameTensorProto implements Matcher {
  readonly #proto: TensorProto;

  constructor(proto: TensorProto) {
    this.#proto = proto;
  }

  mismatch(expected: Json): string | null {
    const got = toHex(tensorProtoCodec.encode(this.#proto));
    const want = toHex(tensorProtoCodec.encode(toTensorProto(expected)));
    return got === want ? null : `${gotWant(got, expected)} (as bytes ${want})`;
  }
}

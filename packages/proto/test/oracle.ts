// Pairs each codec with the schema that protoc-gen-es generated from the .proto files, and makes random messages for both.
import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { create, ScalarType } from "@bufbuild/protobuf";
import * as proto from "@onebuffer/proto";
import type { MessageCodec } from "@onebuffer/proto";
import fc from "fast-check";
import * as example from "./generated/tensorflow/core/example/example_pb.ts";
import * as feature from "./generated/tensorflow/core/example/feature_pb.ts";
import * as xla2017 from "./generated/tensorflow/compiler/xla/xla_data_pb.ts";
import * as allocation from "./generated/tensorflow/core/framework/allocation_description_pb.ts";
import * as log from "./generated/tensorflow/core/framework/log_memory_pb.ts";
import * as resource from "./generated/tensorflow/core/framework/resource_handle_pb.ts";
import * as description from "./generated/tensorflow/core/framework/tensor_description_pb.ts";
import * as tensor from "./generated/tensorflow/core/framework/tensor_pb.ts";
import * as shape from "./generated/tensorflow/core/framework/tensor_shape_pb.ts";
import * as slice from "./generated/tensorflow/core/framework/tensor_slice_pb.ts";
import * as types from "./generated/tensorflow/core/framework/types_pb.ts";
import * as versions from "./generated/tensorflow/core/framework/versions_pb.ts";
import * as bundle from "./generated/tensorflow/core/protobuf/tensor_bundle_pb.ts";
import * as objects from "./generated/tensorflow/core/protobuf/trackable_object_graph_pb.ts";
import * as saved from "./generated/tensorflow/core/util/saved_tensor_slice_pb.ts";
import * as state from "./generated/tensorflow/python/training/checkpoint_state_pb.ts";
import * as dump from "./generated/tsl/protobuf/bfc_memory_map_pb.ts";
import * as xla from "./generated/xla/xla_data_pb.ts";

/** A codec of any message type. */
export type AnyCodec = MessageCodec<object>;
/** A message of the generated code, as a record of its fields. */
export type OracleMessage = Message & Record<string, unknown>;

const pair = (codec: unknown, schema: DescMessage): [string, AnyCodec, DescMessage] => [
  `${schema.typeName}${schema.file.name.startsWith("tensorflow/compiler") ? " of 2017" : ""}`,
  codec as AnyCodec,
  schema,
];

/** All codecs with the schemas they are compared with. The XLA codecs occur twice: with the schemas of today and of 2017. */
export const pairs: [name: string, codec: AnyCodec, schema: DescMessage][] = [
  pair(proto.tensorShapeProtoCodec, shape.TensorShapeProtoSchema),
  pair(proto.tensorSliceProtoCodec, slice.TensorSliceProtoSchema),
  pair(proto.tensorProtoCodec, tensor.TensorProtoSchema),
  pair(proto.variantTensorDataProtoCodec, tensor.VariantTensorDataProtoSchema),
  pair(proto.resourceHandleProtoCodec, resource.ResourceHandleProtoSchema),
  pair(proto.allocationDescriptionCodec, allocation.AllocationDescriptionSchema),
  pair(proto.tensorDescriptionCodec, description.TensorDescriptionSchema),
  pair(proto.versionDefCodec, versions.VersionDefSchema),
  pair(proto.serializedDTypeCodec, types.SerializedDTypeSchema),
  pair(proto.memoryLogStepCodec, log.MemoryLogStepSchema),
  pair(proto.memoryLogTensorAllocationCodec, log.MemoryLogTensorAllocationSchema),
  pair(proto.memoryLogTensorDeallocationCodec, log.MemoryLogTensorDeallocationSchema),
  pair(proto.memoryLogTensorOutputCodec, log.MemoryLogTensorOutputSchema),
  pair(proto.memoryLogRawAllocationCodec, log.MemoryLogRawAllocationSchema),
  pair(proto.memoryLogRawDeallocationCodec, log.MemoryLogRawDeallocationSchema),
  pair(proto.savedSliceMetaCodec, saved.SavedSliceMetaSchema),
  pair(proto.savedTensorSliceMetaCodec, saved.SavedTensorSliceMetaSchema),
  pair(proto.savedSliceCodec, saved.SavedSliceSchema),
  pair(proto.savedTensorSlicesCodec, saved.SavedTensorSlicesSchema),
  pair(proto.bundleHeaderProtoCodec, bundle.BundleHeaderProtoSchema),
  pair(proto.bundleEntryProtoCodec, bundle.BundleEntryProtoSchema),
  pair(proto.exampleCodec, example.ExampleSchema),
  pair(proto.sequenceExampleCodec, example.SequenceExampleSchema),
  pair(proto.featuresCodec, feature.FeaturesSchema),
  pair(proto.featureCodec, feature.FeatureSchema),
  pair(proto.trackableObjectGraphCodec, objects.TrackableObjectGraphSchema),
  pair(proto.checkpointStateCodec, state.CheckpointStateSchema),
  pair(proto.memoryDumpCodec, dump.MemoryDumpSchema),
  pair(proto.tileProtoCodec, xla.TileProtoSchema),
  pair(proto.splitConfigProtoCodec, xla.SplitConfigProtoSchema),
  pair(proto.layoutProtoCodec, xla.LayoutProtoSchema),
  pair(proto.shapeProtoCodec, xla.ShapeProtoSchema),
  pair(proto.programShapeProtoCodec, xla.ProgramShapeProtoSchema),
  pair(proto.literalProtoCodec, xla.LiteralProtoSchema),
  pair(proto.layoutProtoCodec, xla2017.LayoutSchema),
  pair(proto.shapeProtoCodec, xla2017.ShapeSchema),
  pair(proto.programShapeProtoCodec, xla2017.ProgramShapeSchema),
  pair(proto.literalProtoCodec, xla2017.LiteralProtoSchema),
];

const kInt32s = fc.oneof(fc.constantFrom(0, 1, -1, 127, 128, 16383, 16384, -(2 ** 31), 2 ** 31 - 1), fc.integer());
const kInt64s = fc.oneof(
  fc.constantFrom(
    0n,
    1n,
    -1n,
    2n ** 28n,
    2n ** 31n,
    2n ** 32n,
    2n ** 35n,
    2n ** 53n - 1n,
    2n ** 53n,
    -(2n ** 53n),
    -(2n ** 63n),
    2n ** 63n - 1n,
  ),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);
/** Any code point except surrogates. fast-check's unit "binary" is the same, but takes a second to set up its shrinking. */
const kCharacter = fc.integer({ min: 0, max: 0x10ffff - 0x800 }).map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800));
const kTexts = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: kCharacter, maxLength: 30 }), fc.constant("\ufeffmark"));

function scalarArbitrary(scalar: ScalarType): fc.Arbitrary<unknown> {
  switch (scalar) {
    case ScalarType.DOUBLE:
      return fc.double();
    case ScalarType.FLOAT:
      return fc.float();
    case ScalarType.INT32:
      return kInt32s;
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
      return kInt32s.map((value) => value >>> 0);
    case ScalarType.INT64:
      return kInt64s;
    case ScalarType.UINT64:
      return kInt64s.map((value) => BigInt.asUintN(64, value));
    case ScalarType.BOOL:
      return fc.boolean();
    case ScalarType.STRING:
      return kTexts;
    case ScalarType.BYTES:
      return fc.uint8Array({ maxLength: 20 }).map((bytes) => Uint8Array.from(bytes));
    default:
      throw new Error(`no message has scalar ${scalar}`);
  }
}

/** The name of the wrapper that the generated code shows as a boolean. */
const kBoolValue = "google.protobuf.BoolValue";
/** Keys of maps. The generated code holds maps in objects, which refuse "__proto__" and sort keys of digits. */
const kKeys = fc.oneof(fc.constantFrom("", "a", "constructor"), kTexts).filter((key) => key !== "__proto__" && !/^\d+$/.test(key));

function valueArbitrary(field: DescField, depth: number): fc.Arbitrary<unknown> {
  if (field.message?.typeName === kBoolValue) return fc.boolean();
  if (field.message !== undefined) return messageArbitrary(field.message, depth - 1);
  if (field.enum !== undefined) return fc.oneof(fc.constantFrom(...field.enum.values.map((value) => value.number)), kInt32s);
  return scalarArbitrary(field.scalar as ScalarType);
}

/** Returns an arbitrary of random messages with at most `depth` levels of sub-messages. */
export function messageArbitrary(schema: DescMessage, depth: number): fc.Arbitrary<OracleMessage> {
  const fields: Record<string, fc.Arbitrary<unknown>> = {};
  for (const field of schema.fields) {
    if (field.message !== undefined && depth === 0) continue;
    const value = valueArbitrary(field, depth);
    const values =
      field.fieldKind === "map"
        ? fc.array(fc.tuple(kKeys, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))
        : field.fieldKind === "list"
          ? fc.array(value, { maxLength: field.message !== undefined ? 2 : 6 })
          : value;
    fields[field.name] = field.oneof === undefined ? values : values.map((each) => ({ case: field.localName, value: each }));
  }
  return fc.record(fields, { requiredKeys: [] }).map((given) => {
    const init: Record<string, unknown> = {};
    for (const field of schema.fields) {
      // Of a oneof the last given field counts.
      if (given[field.name] !== undefined) init[field.oneof?.localName ?? field.localName] = given[field.name];
    }
    return create(schema, init) as OracleMessage;
  });
}

/** Converts a message of the generated code to a message object of our codecs, field by field, without encoding it. */
export function asOurs(schema: DescMessage, message: OracleMessage): Record<string, unknown> {
  const ours: Record<string, unknown> = {};
  for (const field of schema.fields) {
    const one = (value: unknown): unknown => {
      if (field.message?.typeName === kBoolValue) return { value };
      return field.message === undefined ? value : asOurs(field.message, value as OracleMessage);
    };
    const holder = field.oneof === undefined ? null : (message[field.oneof.localName] as { case?: string; value?: unknown });
    const value = holder === null ? message[field.localName] : holder.case === field.localName ? holder.value : undefined;
    if (value === undefined) continue;
    if (field.fieldKind === "map") ours[field.localName] = new Map(Object.entries(value as object).map(([key, each]) => [key, one(each)]));
    else ours[field.localName] = field.fieldKind === "list" ? (value as unknown[]).map(one) : one(value);
  }
  return ours;
}

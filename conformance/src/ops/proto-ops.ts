/**
 * The operations on TensorProto and its parts (tf-proto.json), except compression: encoding and decoding, descriptions, variant data.
 */
import { dataTypeName, isStatusError } from "@onebuffer/base";
import {
  createTensorProto,
  disposeVariantTensorData,
  getVariantMetadata,
  newVariantTensorData,
  Tensor,
  variantTensorDataToProto,
} from "@onebuffer/core";
import type { AllocationDescription } from "@onebuffer/allocator";
import type { FromProtoOptions, TensorProto, Variant, VariantNumbers } from "@onebuffer/core";
import { allocationDescriptionCodec, tensorDescriptionCodec, tensorProtoCodec, variantTensorDataProtoCodec } from "@onebuffer/proto";
import type { JsonValue } from "@onebuffer/proto";
import { createHash } from "node:crypto";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import { fromHex, toHex } from "../compare.ts";
import type { State } from "../compare.ts";
import { toElement } from "../elements.ts";
import { toDataType, toDType, toShape } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { SameTensorProto, toTensorProto } from "../proto-literals.ts";
import { anyMap, filledTensor, newTensor, tensorOf } from "../tensor-literals.ts";
import { toAllocator } from "../test-allocators.ts";
import { isJsonObject, RunnerError } from "../vector.ts";
import { tensorState } from "./tensor-ops.ts";

/** Returns the SHA-256 digest of bytes in hex. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** The keys that a case may expect of an encoded message. */
function messageState(proto: TensorProto): State {
  const bytes = tensorProtoCodec.encode(proto);
  return {
    proto: () => new SameTensorProto(proto),
    wire: () => toHex(bytes),
    wire_len: () => bytes.byteLength,
    wire_sha256: () => sha256(bytes),
    tensor_content: () => toHex(proto.tensorContent ?? new Uint8Array(0)),
  };
}

/** Makes a message from a tensor. Throws RunnerError if the message does not decode to the same tensor, bit for bit. */
function asProto(args: Args, scope: CaseScope, write: (tensor: Tensor) => TensorProto): State {
  const tensor = filledTensor(scope, toDType(args.json("dtype")), args.json("shape"), args.json("values"));
  const proto = write(tensor);
  const bytes = tensorProtoCodec.encode(proto);
  const again = scope.keep(Tensor.fromProto(tensorProtoCodec.decode(bytes)));
  if (toHex(tensorProtoCodec.encode(again.asProtoField())) !== toHex(tensorProtoCodec.encode(tensor.asProtoField())))
    throw new RunnerError(`the message decodes to ${again.debugString()}, not to ${tensor.debugString()}`);
  return messageState(proto);
}

/** Makes a tensor from a message (FromProto). Returns null for a StatusError, where TensorFlow returns false. */
export function readProto(scope: CaseScope, read: () => TensorProto, options?: FromProtoOptions): Tensor | null {
  try {
    return scope.keep(Tensor.fromProto(read(), options));
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return null;
  }
}

/** The keys that a case may expect of FromProto. */
function readState(tensor: Tensor | null): State {
  if (tensor === null) return { ok: () => false };
  return {
    ...tensorState(tensor),
    ok: () => true,
    variant_bool: () => (anyMap(tensor.flat()).at(0) as Variant).get("bool"),
  };
}

function fromProto(args: Args, scope: CaseScope): State {
  const bytes = fromHex(args.text("wire"));
  const tensor = readProto(scope, () => tensorProtoCodec.decode(bytes));
  const copied = readProto(scope, () => tensorProtoCodec.decode(bytes), { copy: true });
  const literal = args.has("proto") ? readProto(scope, () => toTensorProto(args.json("proto"))) : tensor;
  for (const other of [copied, literal])
    if (fieldHex(other) !== fieldHex(tensor)) throw new RunnerError(`the bytes, a copy and the literal give different tensors`);
  return readState(tensor);
}

/** Returns the elements of a tensor, encoded as a message, for comparison. */
function fieldHex(tensor: Tensor | null): string | null {
  return tensor === null ? null : toHex(tensorProtoCodec.encode(tensor.asProtoField()));
}

/** Calls createTensorProto with literals. */
function create(args: Args): State {
  const dtype = toDType(args.json("dtype"));
  const noTensor = (): never => {
    throw new RunnerError("createTensorProto has no variants");
  };
  const values = args.list("values").map((literal) => toElement(dtype, literal, noTensor));
  return messageState(createTensorProto(dtype, values as never, toShape(args.json("shape"))));
}

/** The keys of an AllocationDescription, with the names of the .proto file. */
function allocationState(description: AllocationDescription): State {
  return {
    requested_bytes: () => description.requestedBytes,
    allocated_bytes: () => description.allocatedBytes,
    allocator_name: () => description.allocatorName,
    allocation_id: () => description.allocationId,
    has_single_reference: () => description.hasSingleReference,
    ptr: () => description.ptr,
  };
}

function describeTensor(args: Args, scope: CaseScope): State {
  const allocator = args.has("allocator") ? toAllocator(args.json("allocator")) : undefined;
  const tensor = newTensor(scope, toDType(args.json("dtype")), args.json("shape"), allocator);
  const description = tensor.fillDescription();
  const { allocationDescription } = description;
  return {
    dtype: () => dataTypeName(description.dtype as never),
    shape: () => (description.shape.dim ?? []).map(({ size }) => size),
    allocation_description: () => (allocationDescription === undefined ? null : allocationState(allocationDescription)),
  };
}

const kAllocationKeys = ["requested_bytes", "allocated_bytes", "allocator_name", "allocation_id", "has_single_reference", "ptr"] as const;

/** Reads an AllocationDescription: its fields are proto JSON. */
function allocationOf(args: Args): ReturnType<typeof allocationDescriptionCodec.fromJson> {
  const json = Object.fromEntries(kAllocationKeys.filter((key) => args.has(key)).map((key) => [key, args.json(key)]));
  return allocationDescriptionCodec.fromJson(json as JsonValue);
}

function tensorDescriptionWire(args: Args): string {
  const allocation = args.json("allocation_description");
  return toHex(
    tensorDescriptionCodec.encode({
      dtype: toDataType(args.json("dtype")),
      shape: toShape(args.json("shape")).asProto(),
      ...(isJsonObject(allocation) ? { allocationDescription: allocationOf(args.args("allocation_description", kAllocationKeys)) } : {}),
    }),
  );
}

function variantDataWire(args: Args, scope: CaseScope): string {
  const data = newVariantTensorData();
  scope.atEnd(() => disposeVariantTensorData(data));
  data.typeName = args.has("type_name") ? args.text("type_name") : "";
  data.metadata = fromHex(args.has("metadata_hex") ? args.text("metadata_hex") : "");
  for (const tensor of args.has("tensors") ? args.list("tensors") : []) data.tensors.push(tensorOf(tensor, scope).share());
  return toHex(variantTensorDataProtoCodec.encode(variantTensorDataToProto(data)));
}

/** The kinds of plain numbers, by their C++ and dtype names. */
const kNumberKind: Readonly<Record<string, keyof VariantNumbers>> = {
  int: "int",
  int32: "int",
  float: "float",
  double: "double",
  bool: "bool",
};

function metadataNumber(args: Args): State {
  const kind = kNumberKind[args.text("as")];
  if (kind === undefined) throw new RunnerError(`unknown kind ${args.text("as")}`);
  const value = getVariantMetadata({ ...newVariantTensorData(), metadata: fromHex(args.text("metadata_hex")) }, kind);
  return { ok: () => value !== null, value: () => value };
}

const kValues = ["dtype", "shape", "values"];

/** The operations by name. */
export const protoOps: Operations = {
  "proto.as_proto_field": operation(kValues, (args, scope) => asProto(args, scope, (tensor) => tensor.asProtoField())),
  "proto.as_tensor_content": operation(kValues, (args, scope) => asProto(args, scope, (tensor) => tensor.asProtoTensorContent())),
  "proto.from_proto": operation(["wire", "proto"], fromProto, "ok"),
  "proto.create_tensor_proto": operation(kValues, create),
  "proto.tensor_description": operation(["dtype", "shape", "allocator"], describeTensor),
  "proto.tensor_description_wire": operation(["dtype", "shape", "allocation_description"], tensorDescriptionWire),
  "proto.allocation_description_wire": operation(kAllocationKeys, (args) => toHex(allocationDescriptionCodec.encode(allocationOf(args)))),
  "tensor.from_proto_null_allocator": operation(
    kValues,
    (args, scope) => {
      const tensor = filledTensor(scope, toDType(args.json("dtype")), args.json("shape"), args.json("values"));
      return readState(readProto(scope, () => tensor.asProtoField(), { allocator: toAllocator("null") }));
    },
    "ok",
  ),
  "variant_data.to_wire": operation(["type_name", "metadata_hex", "tensors"], variantDataWire),
  "variant_data.get_metadata_pod": operation(["metadata_hex", "as"], metadataNumber, "ok"),
};

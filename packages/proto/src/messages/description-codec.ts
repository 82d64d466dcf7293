/**
 * Codecs of TensorDescription and AllocationDescription (tensor_description.proto and allocation_description.proto in
 * tensorflow/core/framework), which describe a tensor in memory logs.
 *
 * The interfaces are like core's, but every field is optional and 64-bit integers may be bigints, because encoded messages can contain
 * such values. Core's objects conform to these interfaces.
 */
import type { UnknownField } from "@onebuffer/base";
import { DataType } from "@onebuffer/base";
import type { TensorShapeProto } from "@onebuffer/shape";
import type { Int64 } from "../wire/int64.ts";
import { MessageCodec } from "../wire/message-codec.ts";
import { one } from "../wire/message-type.ts";
import { tensorShapeProtoCodec } from "./tensor-shape-codec.ts";

/** tensorflow.AllocationDescription as a plain object. Sizes are in bytes. */
export interface AllocationDescriptionProto {
  readonly requestedBytes?: Int64 | undefined;
  readonly allocatedBytes?: Int64 | undefined;
  readonly allocatorName?: string | undefined;
  readonly allocationId?: Int64 | undefined;
  readonly hasSingleReference?: boolean | undefined;
  /** The address, a uint64. */
  readonly ptr?: Int64 | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.TensorDescription as a plain object. */
export interface TensorDescriptionProto {
  /** A DataType number. */
  readonly dtype?: number | undefined;
  readonly shape?: TensorShapeProto | undefined;
  readonly allocationDescription?: AllocationDescriptionProto | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * tensorflow.AllocationDescription. Also accepts core's AllocationDescription.
 *
 * @example
 * allocationDescriptionCodec.encode({ requestedBytes: 4, allocatorName: "" }); // => Uint8Array.of(8, 4)
 * allocationDescriptionCodec.decode(Uint8Array.of(26, 3, 98, 102, 99)); // => { allocatorName: "bfc" }
 */
export const allocationDescriptionCodec: MessageCodec<AllocationDescriptionProto> = new MessageCodec("tensorflow.AllocationDescription", {
  requestedBytes: one(1, "int64"),
  allocatedBytes: one(2, "int64"),
  allocatorName: one(3, "string"),
  allocationId: one(4, "int64"),
  hasSingleReference: one(5, "bool"),
  ptr: one(6, "uint64"),
});

/**
 * tensorflow.TensorDescription. Also accepts core's TensorDescription. Field 3 is not used.
 *
 * @example
 * tensorDescriptionCodec.encode({ dtype: DataType.DT_FLOAT, shape: {} }); // => Uint8Array.of(8, 1, 18, 0)
 */
export const tensorDescriptionCodec: MessageCodec<TensorDescriptionProto> = new MessageCodec("tensorflow.TensorDescription", {
  dtype: one(1, DataType),
  shape: one(2, () => tensorShapeProtoCodec),
  allocationDescription: one(4, () => allocationDescriptionCodec),
});

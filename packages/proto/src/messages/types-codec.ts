/**
 * Codecs of SerializedDType (tensorflow/core/framework/types.proto) and VersionDef (tensorflow/core/framework/versions.proto).
 */
import type { UnknownField } from "@onebuffer/base";
import { DataType } from "@onebuffer/base";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one } from "../wire/message-type.ts";

/** tensorflow.SerializedDType as a plain object: a message that contains only a dtype. */
export interface SerializedDType {
  /** A DataType number. */
  readonly datatype?: number | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.VersionDef as a plain object: the version of the code that wrote a file, and the versions that may read it. */
export interface VersionDef {
  /** The version of the code that wrote the file. */
  readonly producer?: number | undefined;
  /** The oldest version that may read the file. */
  readonly minConsumer?: number | undefined;
  /** The versions that must not read the file. */
  readonly badConsumers?: readonly number[] | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * tensorflow.SerializedDType.
 *
 * @example
 * serializedDTypeCodec.encode({ datatype: DataType.DT_STRING }); // => Uint8Array.of(8, 7)
 * serializedDTypeCodec.toJson({ datatype: 7 }); // => { datatype: "DT_STRING" }
 */
export const serializedDTypeCodec: MessageCodec<SerializedDType> = new MessageCodec("tensorflow.SerializedDType", {
  datatype: one(1, DataType),
});

/**
 * tensorflow.VersionDef.
 *
 * @example
 * versionDefCodec.encode({ producer: 1, badConsumers: [2, 3] }); // => Uint8Array.of(8, 1, 26, 2, 2, 3)
 */
export const versionDefCodec: MessageCodec<VersionDef> = new MessageCodec("tensorflow.VersionDef", {
  producer: one(1, "int32"),
  minConsumer: one(2, "int32"),
  badConsumers: list(3, "int32"),
});

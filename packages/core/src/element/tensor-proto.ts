/**
 * TensorProto and VariantTensorDataProto: the messages of a tensor and of a variant's value
 * (tensorflow/core/framework/tensor.proto).
 *
 *     dtype 1  tensor_shape 2  version_number 3  tensor_content 4     and one typed field per kind of element:
 *     float_val 5  double_val 6  int_val 7  string_val 8  scomplex_val 9  int64_val 10  bool_val 11  dcomplex_val 12
 *     half_val 13  resource_handle_val 14  variant_val 15  uint32_val 16  uint64_val 17  float8_val 18
 *
 * Each message can contain the other, so both are in one file. They are plain structural objects: decoded by packages/proto,
 * parsed from JSON or written by hand. An absent field has proto3's default value. Their contents are never trusted.
 */
import type { UnknownField } from "@onebuffer/base";
import type { TensorShapeProto } from "@onebuffer/shape";
import type { ResourceHandleProto } from "./resource-handle.ts";

/**
 * A tensor as a message. Its elements are in `tensorContent` or in the typed field of its dtype.
 *
 * @example
 * const proto: TensorProto = { dtype: DataType.DT_FLOAT, tensorShape: { dim: [{ size: 2 }] }, floatVal: [7] };
 * using tensor = Tensor.fromProto(proto);
 * tensor.toArray(); // => [7, 7]
 */
export interface TensorProto {
  /** A DataType number; 0 means "not set". */
  dtype?: number | undefined;
  /** The sizes; a scalar when absent. */
  tensorShape?: TensorShapeProto | undefined;
  /** A version number; TensorFlow always writes 0 and never reads it. */
  versionNumber?: number | undefined;
  /** The bytes of the elements, little-endian. Unless empty, it takes precedence over the typed fields. */
  tensorContent?: Uint8Array | undefined;
  /** float32. */
  floatVal?: ArrayLike<number> | undefined;
  /** float64. */
  doubleVal?: ArrayLike<number> | undefined;
  /** int32, qint32 and all narrower integer dtypes. */
  intVal?: ArrayLike<number> | undefined;
  /** string: bytes, not necessarily UTF-8. */
  stringVal?: readonly Uint8Array[] | undefined;
  /** complex64: re, im, re, im, … */
  scomplexVal?: ArrayLike<number> | undefined;
  /** int64; values of type number must be integers up to 2^53 - 1. */
  int64Val?: ArrayLike<bigint | number> | undefined;
  /** bool: booleans, or 0 and 1. */
  boolVal?: ArrayLike<boolean | number> | undefined;
  /** complex128: re, im, re, im, … */
  dcomplexVal?: ArrayLike<number> | undefined;
  /** float16 and bfloat16: the 16 bits of each. */
  halfVal?: ArrayLike<number> | undefined;
  /** resource. */
  resourceHandleVal?: readonly ResourceHandleProto[] | undefined;
  /** variant. */
  variantVal?: readonly VariantTensorDataProto[] | undefined;
  /** uint32. */
  uint32Val?: ArrayLike<number> | undefined;
  /** uint64; values of type number must be integers up to 2^53 - 1. */
  uint64Val?: ArrayLike<bigint | number> | undefined;
  /** The five float8 kinds and float4: one byte per element. */
  float8Val?: Uint8Array | undefined;
  /** Fields that were on the wire but are not known to the decoder. */
  unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * A variant's value as a message: a VariantTensorData whose tensors are messages.
 *
 * @example
 * const proto: VariantTensorDataProto = { typeName: "int", metadata: Uint8Array.of(42, 0, 0, 0) };
 * using tensor = Tensor.fromProto({ dtype: DataType.DT_VARIANT, variantVal: [proto] });
 * (tensor.scalar().at() as Variant).get("int"); // => 42
 */
export interface VariantTensorDataProto {
  /** The name of the value's type, under which its decode function is registered; empty for an empty Variant. */
  typeName?: string | undefined;
  /** The bytes that the value's encode wrote. */
  metadata?: Uint8Array | undefined;
  tensors?: readonly TensorProto[] | undefined;
  /** Fields that were on the wire but are not known to the decoder. */
  unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * Options for converting a tensor to a message.
 *
 * @example
 * const options: AsProtoOptions = { copy: true };
 * using tensor = Tensor.from([1, 2]);
 * const { floatVal } = tensor.asProtoField(options);
 * tensor.vec().set(0, 7);
 * floatVal; // => Float32Array.of(1, 2)
 */
export interface AsProtoOptions {
  /**
   * True to copy the elements into the message. By default, numbers that have the same form in the tensor and in the message are
   * views of the tensor's bytes: encode the message before the tensor changes or is disposed.
   */
  readonly copy?: boolean;
}

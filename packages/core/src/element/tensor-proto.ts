/**
 * TensorProto and VariantTensorDataProto: a tensor and a variant's value as messages
 * (tensorflow/core/framework/tensor.proto).
 *
 *     dtype 1  tensor_shape 2  version_number 3  tensor_content 4     and one typed field per kind of element:
 *     float_val 5  double_val 6  int_val 7  string_val 8  scomplex_val 9  int64_val 10  bool_val 11  dcomplex_val 12
 *     half_val 13  resource_handle_val 14  variant_val 15  uint32_val 16  uint64_val 17  float8_val 18
 *
 * The two contain each other, so they stand in one file. They are plain structural objects: decoded by
 * packages/proto, parsed from JSON or written by hand; what is absent has proto3's default. Nothing in them is trusted.
 */
import type { UnknownField } from "@onebuffer/base";
import type { TensorShapeProto } from "@onebuffer/shape";
import type { ResourceHandleProto } from "./resource-handle.ts";

/**
 * A tensor as a message. Its elements stand in `tensorContent`, or in the typed field of its dtype.
 *
 * @example
 * const proto: TensorProto = { dtype: DataType.DT_FLOAT, tensorShape: { dim: [{ size: 2 }] }, floatVal: [7] };
 * using tensor = Tensor.fromProto(proto);
 * tensor.toArray(); // => [7, 7]
 */
export interface TensorProto {
  /** A DataType number; 0 is "not set". */
  dtype?: number | undefined;
  /** The sizes; a scalar when absent. */
  tensorShape?: TensorShapeProto | undefined;
  /** For version checks; TensorFlow always writes 0 and never reads it. */
  versionNumber?: number | undefined;
  /** The elements' bytes, little-endian; wins over the typed fields unless empty. */
  tensorContent?: Uint8Array | undefined;
  /** float32. */
  floatVal?: ArrayLike<number> | undefined;
  /** float64. */
  doubleVal?: ArrayLike<number> | undefined;
  /** int32 and everything narrower, qint32 and narrower. */
  intVal?: ArrayLike<number> | undefined;
  /** string: bytes, not necessarily UTF-8. */
  stringVal?: readonly Uint8Array[] | undefined;
  /** complex64: re, im, re, im, … */
  scomplexVal?: ArrayLike<number> | undefined;
  /** int64; numbers must be whole and at most 2^53 - 1. */
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
  /** uint64; numbers must be whole and at most 2^53 - 1. */
  uint64Val?: ArrayLike<bigint | number> | undefined;
  /** The five float8 kinds and float4: one byte per element. */
  float8Val?: Uint8Array | undefined;
  /** Fields of the wire that the reader did not know. */
  unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * A variant's value as a message: VariantTensorData with tensors as messages.
 *
 * @example
 * const proto: VariantTensorDataProto = { typeName: "int", metadata: Uint8Array.of(42, 0, 0, 0) };
 * using tensor = Tensor.fromProto({ dtype: DataType.DT_VARIANT, variantVal: [proto] });
 * (tensor.scalar().at() as Variant).get("int"); // => 42
 */
export interface VariantTensorDataProto {
  /** The name a decode function is registered under; empty for an empty Variant. */
  typeName?: string | undefined;
  /** Whatever the value wrote. */
  metadata?: Uint8Array | undefined;
  tensors?: readonly TensorProto[] | undefined;
  /** Fields of the wire that the reader did not know. */
  unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * How a tensor becomes a message.
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
   * Whether the message gets bytes of its own. Without it, numbers that stand in the tensor as they do in the message are
   * views of the tensor's bytes: write the message out before the tensor changes or is let go.
   */
  readonly copy?: boolean;
}

/**
 * createTensorProto: a TensorProto of plain values (CreateTensorProto in tensorflow/core/framework/tensor_util.h).
 *
 * Always in the typed field, never as tensor_content: TensorFlow's way of writing constants by hand.
 */
import type { DType, ElementInput } from "@onebuffer/base";
import { checkObject, InvalidArgumentError } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import type { TensorLike } from "../element/nested-array.ts";
import { Tensor } from "./tensor.ts";
import type { ShapeLike } from "../buffer/shape-and-buffer.ts";
import type { TensorProto } from "../element/tensor-proto.ts";

/** The dtypes CreateTensorProto has no template for. */
const kWithout: ReadonlySet<DType> = new Set<DType>([
  "resource",
  "variant",
  "float8_e5m2",
  "float8_e4m3fn",
  "float8_e4m3fnuz",
  "float8_e4m3b11fnuz",
  "float8_e5m2fnuz",
  "int4",
  "uint4",
  "int2",
  "uint2",
  "float4_e2m1fn",
]);

/**
 * The message of a tensor with these elements, in row-major order. A typed array of the kind that stores the dtype is
 * taken as raw elements.
 *
 * Quirk: when there are not exactly as many values as the shape has elements the message is empty, which no reader
 * takes for a tensor. Throws INVALID_ARGUMENT for resource, variant, float8, 2- and 4-bit dtypes, as TensorFlow has no
 * such function for them, and for values that are no elements of the dtype. Copies: the values.
 *
 * @example
 * createTensorProto("int32", [123, 456], [1, 2]); // => { dtype: 3, tensorShape: { dim: [{ size: 1 }, { size: 2 }] }, intVal: Int32Array.of(123, 456) }
 * createTensorProto("int32", [1, 2], [3]); // => {}
 * createTensorProto("int32", [1.5], [1]); // throws INVALID_ARGUMENT
 */
export function createTensorProto<D extends DType>(dtype: D, values: ArrayLike<ElementInput<D>>, shape: ShapeLike): TensorProto {
  if (kWithout.has(dtype)) throw new InvalidArgumentError(`createTensorProto has no form for ${dtype}; asProtoField of a tensor has`);
  checkObject(shape, "a shape or an array of sizes");
  const sizes = "numElements" in shape ? shape : new TensorShape(shape);
  const row = Tensor.from(values as unknown as TensorLike, { dtype });
  try {
    if (row.numElements !== sizes.numElements) return {};
    return { ...row.asProtoField({ copy: true }), tensorShape: sizes.asProto() };
  } finally {
    row.dispose();
  }
}

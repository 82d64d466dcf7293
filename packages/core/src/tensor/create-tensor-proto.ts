/**
 * createTensorProto: a TensorProto from plain values (CreateTensorProto in tensorflow/core/framework/tensor_util.h).
 *
 * The values are in the typed field of the dtype, never in tensor_content: the form in which TensorFlow code writes constants.
 */
import type { DType, ElementInput } from "@onebuffer/base";
import { checkObject, isSmallDType } from "@onebuffer/base/internal";
import { dataTypeOf, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";
import type { TensorLike } from "../element/nested-array.ts";
import { Tensor } from "./tensor.ts";
import type { ShapeLike } from "../buffer/shape-and-buffer.ts";
import type { TensorProto } from "../element/tensor-proto.ts";

/** Returns true if CreateTensorProto has a template for a dtype. */
function isSupported(dtype: DType): boolean {
  return dtype === "string" || !(isObjectDType(dtype) || isSmallDType(dtype));
}

/**
 * Returns the message of a tensor with these elements, in row-major order. A typed array of the kind that stores the dtype is taken
 * as raw elements.
 *
 * Quirk: if the number of values differs from the shape's element count, the message is empty, which every reader refuses. Throws
 * INVALID_ARGUMENT for resource, variant, float8, float4, 2- and 4-bit dtypes, for which TensorFlow has no such function, and for
 * values that the dtype cannot hold. Copies: the values.
 *
 * @example
 * createTensorProto("int32", [123, 456], [1, 2]); // => { dtype: 3, tensorShape: { dim: [{ size: 1 }, { size: 2 }] }, intVal: Int32Array.of(123, 456) }
 * createTensorProto("int32", [1, 2], [3]); // => {}
 * createTensorProto("int32", [1.5], [1]); // throws INVALID_ARGUMENT
 */
export function createTensorProto<D extends DType>(dtype: D, values: ArrayLike<ElementInput<D>>, shape: ShapeLike): TensorProto {
  if (!isSupported(dtype)) throw new InvalidArgumentError(`createTensorProto does not support ${dtype}; asProtoField of a tensor does`);
  checkObject(shape, "a shape or an array of sizes");
  const sizes = TensorShape.sealed(shape, dataTypeOf(dtype));
  const row = Tensor.from(values as unknown as TensorLike, { dtype });
  try {
    if (row.numElements !== sizes.numElements) return {};
    return { ...row.asProtoField({ copy: true }), tensorShape: sizes.asProto() };
  } finally {
    row.dispose();
  }
}

/** bitcastShape: the shape of a tensor that becomes the bytes of another one (Tensor::BitcastFrom). */
import type { DType } from "@onebuffer/base";
import { dataTypeOf, dtypeSize, InvalidArgumentError } from "@onebuffer/base";
import { TensorShape } from "@onebuffer/shape";

/** What `bitcastShape` reads of a tensor. */
interface Shaped {
  readonly dtype: DType;
  readonly numElements: number;
  readonly shape: TensorShape;
}

/**
 * Returns the shape with which a tensor of shape `held` becomes the bytes of `other` as another dtype. Throws INVALID_ARGUMENT if a dtype
 * has no size or the byte counts differ.
 */
export function bitcastShape(held: TensorShape | null, other: Shaped, dtype: DType, shape: TensorShape | readonly number[]): TensorShape {
  const from = dtypeSize(other.dtype);
  const to = dtypeSize(dtype);
  if (from === 0) throw new InvalidArgumentError(`other tensor has zero-sized data type (${other.dtype})`);
  if (to === 0) throw new InvalidArgumentError(`specified output type is zero-sized (${dtype})`);
  const sealed = TensorShape.sealed(shape, dataTypeOf(dtype));
  if (held === null || from * other.numElements !== to * sealed.numElements)
    throw new InvalidArgumentError(
      `input and output shapes/data type sizes are not compatible: ${other.dtype} of ${other.shape.debugString()} and ${dtype} of ${sealed.debugString()}`,
    );
  return sealed;
}

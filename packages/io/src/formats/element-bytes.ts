/** The stored form of the elements of a tensor. */
import type { Tensor } from "@onebuffer/core";

/**
 * Returns the elements' bytes in new memory; of strings as TensorFlow's `tensor_content` has them: the lengths of all elements as varints,
 * and then their bytes.
 */
export function elementBytes(tensor: Tensor): Uint8Array<ArrayBufferLike> {
  if (tensor.dtype !== "string") return tensor.tensorData.slice();
  return tensor.asProtoTensorContent().tensorContent ?? new Uint8Array(0);
}

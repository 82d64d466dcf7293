/** The stored form of a tensor of strings. */
import type { Tensor } from "@onebuffer/core";

/**
 * Returns the strings of a tensor as TensorFlow's `tensor_content` has them: the lengths of all elements as varints, and then their bytes.
 */
export function storedStrings(tensor: Tensor): Uint8Array<ArrayBufferLike> {
  const { tensorContent } = tensor.asProtoTensorContent();
  return tensorContent ?? new Uint8Array(0);
}

/** Tells tensors from other values. */
import { isTensor as isTensorOfAnyCopy } from "./element/tensor-check.ts";
import type { Tensor } from "./tensor/tensor.ts";

/** Returns true for a tensor, also a disposed one, of any copy of the library. */
export function isTensor(value: unknown): value is Tensor {
  return isTensorOfAnyCopy(value);
}

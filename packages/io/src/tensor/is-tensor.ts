/** Tells tensors from other values. */
import { isTensor as isTensorOfAnyCopy } from "@onebuffer/core/internal";
import type { Tensor } from "@onebuffer/core";

/** Returns true for a tensor, also a disposed one, of any copy of the library. */
export function isTensor(value: unknown): value is Tensor {
  return isTensorOfAnyCopy(value);
}

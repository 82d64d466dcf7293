// Maps of tensors that our workloads compute with, and their release.
import { Tensor } from "onebuffer";

/** Maps each map to its tensor. */
const tensors = new Map();

/** Returns a map of a tensor's rank, for `dispose`. */
export function mapOf(tensor) {
  const { dims } = tensor;
  const map = dims === 1 ? tensor.vec() : dims === 2 ? tensor.matrix() : tensor.tensor(dims);
  tensors.set(map, tensor);
  return map;
}

/** Releases a tensor, or the tensor of a map. Maps that `mapOf` has not made stay. */
export function dispose(mapOrTensor) {
  if (mapOrTensor instanceof Tensor) return mapOrTensor.dispose();
  tensors.get(mapOrTensor)?.dispose();
  tensors.delete(mapOrTensor);
}

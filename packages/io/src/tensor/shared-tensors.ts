/** Handles of a writer's own: a file has the bytes of its tensors also if the caller disposes them while it is written. */
import type { Tensor } from "@onebuffer/core";
import { NamedTensors } from "./named-tensors.ts";

/** Returns a handle more of each tensor; dispose them when the file is written. Throws FAILED_PRECONDITION if a tensor is disposed. */
export function sharedTensors(tensors: Iterable<{ readonly name: string; readonly tensor: Tensor }>): NamedTensors {
  const shared = new NamedTensors();
  try {
    for (const { name, tensor } of tensors) shared.set(name, tensor.share());
    return shared;
  } catch (error) {
    shared.dispose();
    throw error;
  }
}

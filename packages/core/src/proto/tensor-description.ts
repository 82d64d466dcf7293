/**
 * TensorDescription: the description of a tensor in memory logs (tensorflow/core/framework/tensor_description.proto).
 *
 * A plain structural message; the proto package encodes it.
 */
import type { TensorShapeProto } from "@onebuffer/shape";
import type { AllocationDescription } from "@onebuffer/allocator";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";

/** The dtype, the shape and, if there is a buffer with data, where its bytes came from. */
export interface TensorDescription {
  /** A DataType number. */
  dtype: number;
  shape: TensorShapeProto;
  allocationDescription?: AllocationDescription;
}

/** Returns a fresh description of a tensor's parts. */
export function describeTensor({ shape, buffer }: TensorParts): TensorDescription {
  const description: TensorDescription = { dtype: shape.dataType, shape: shape.asProto() };
  if (buffer?.hasData === true) description.allocationDescription = buffer.fillAllocationDescription();
  return description;
}

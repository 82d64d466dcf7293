/**
 * TensorDescription: what a tensor tells about itself to memory logs
 * (tensorflow/core/framework/tensor_description.proto).
 *
 * A plain structural message; its wire bytes live in a package above.
 */
import type { TensorShapeProto } from "@onebuffer/shape";
import type { AllocationDescription } from "@onebuffer/allocator";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";

/** Dtype, shape and, if there is a buffer with data, where its bytes came from. */
export interface TensorDescription {
  /** A DataType number. */
  dtype: number;
  shape: TensorShapeProto;
  allocationDescription?: AllocationDescription;
}

/** The description of a tensor's parts, a fresh message. */
export function describeTensor({ shape, buffer }: TensorParts): TensorDescription {
  const description: TensorDescription = { dtype: shape.dataType, shape: shape.asProto() };
  if (buffer?.hasData === true) description.allocationDescription = buffer.fillAllocationDescription();
  return description;
}

/**
 * noForm: the error of an operation that WebGpuDevice has no shader for. It names the operation and the dtype as users know them.
 */
import type { DType } from "@onebuffer/base";
import { UnimplementedError } from "@onebuffer/base";

/** Returns UNIMPLEMENTED, such as "no form for floorDiv of int64", by the dtype of the operands. */
export function noForm(operation: string, dtype: DType): UnimplementedError {
  return new UnimplementedError(`no form for ${operation} of ${dtype}`);
}

/**
 * kernel-parameters: writes the constants of a program into the argument block, 8 bytes for each (a C++ kernel gets
 * them in registers).
 *
 * Kernels compute float16, bfloat16 and narrow floats as float32. Their constants are written as float32, and were rounded to their
 * dtype when the expression was built.
 */
import type { DType } from "@onebuffer/base";
import { dtypeRows } from "@onebuffer/base/internal";
import type { Parameter } from "../plan/program.ts";

/** Writes constants one after the other, from byte `offset` on. */
export function writeParameters(bytes: DataView, offset: number, parameters: readonly Parameter[]): void {
  for (let p = 0; p < parameters.length; p++) writeParameter(bytes, offset + 8 * p, parameters[p]!.dtype, parameters[p]!.value);
}

/** Writes one constant of a dtype of kernels at byte `at`. */
export function writeParameter(bytes: DataView, at: number, dtype: DType, value: unknown): void {
  switch (dtype) {
    case "float64":
      bytes.setFloat64(at, value as number, true);
      break;
    case "int64":
    case "uint64":
      bytes.setBigInt64(at, BigInt.asIntN(64, value as bigint), true);
      break;
    case "bool":
      bytes.setUint8(at, value === true ? 1 : 0);
      break;
    default:
      if (dtypeRows[dtype].float !== undefined) bytes.setFloat32(at, value as number, true);
      else bytes.setInt32(at, value as number, true);
  }
}

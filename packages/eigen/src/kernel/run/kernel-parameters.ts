/**
 * kernel-parameters: constants of a program as bytes in the argument block, 8 for each (what a C++ kernel gets in
 * registers).
 *
 * float16 and bfloat16 are float32 here: a constant has been rounded to its dtype when the expression was written.
 */
import { InternalError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import type { Parameter } from "../plan/program.ts";

/** Writes constants, from `offset` on. */
export function writeParameters(bytes: DataView, offset: number, parameters: readonly Parameter[]): void {
  for (let p = 0; p < parameters.length; p++) writeParameter(bytes, offset + 8 * p, parameters[p]!.dtype, parameters[p]!.value);
}

/** Writes one constant at `at`. */
export function writeParameter(bytes: DataView, at: number, dtype: DType, value: unknown): void {
  switch (dtype) {
    case "float32":
    case "float16":
    case "bfloat16":
      bytes.setFloat32(at, value as number, true);
      break;
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
    case "int8":
    case "int16":
    case "int32":
    case "uint8":
    case "uint16":
    case "uint32":
      bytes.setInt32(at, value as number, true);
      break;
    default:
      throw new InternalError(`a constant of ${dtype} in a kernel`);
  }
}

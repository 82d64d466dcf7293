/** The dtypes that the panel "One operation, many kernels" asks about. */
import type { RawDType } from "onebuffer";

export const kAskedDTypes = [
  "float32",
  "float64",
  "float16",
  "bfloat16",
  "complex64",
  "int32",
  "int64",
  "int16",
  "int8",
  "uint32",
  "uint8",
  "bool",
] as const satisfies readonly RawDType[];

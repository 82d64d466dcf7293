/**
 * Looks up a float8 decoding table by dtype, for code that reads many elements of a dtype known only at run time.
 */

import type { Float8DType } from "../types/dtype.ts";
import { float8E4m3b11fnuzTable } from "./float8-e4m3b11fnuz.ts";
import { float8E4m3fnTable } from "./float8-e4m3fn.ts";
import { float8E4m3fnuzTable } from "./float8-e4m3fnuz.ts";
import { float8E5m2Table } from "./float8-e5m2.ts";
import { float8E5m2fnuzTable } from "./float8-e5m2fnuz.ts";
import { shownValue } from "../status/shown-value.ts";
import { InvalidArgumentError } from "../status/status-error.ts";

/**
 * Returns the values of all 256 bit patterns of a float8 dtype, at the pattern's index. Always returns the same array,
 * which the caller must not write to.
 *
 * Throws INVALID_ARGUMENT for another dtype.
 *
 * @example
 * float8Table("float8_e4m3fn")[0x7e]; // => 448
 * float8Table("float16" as Float8DType); // throws INVALID_ARGUMENT
 */
export function float8Table(dtype: Float8DType): Float32Array<ArrayBuffer> {
  switch (dtype) {
    case "float8_e5m2":
      return float8E5m2Table();
    case "float8_e4m3fn":
      return float8E4m3fnTable();
    case "float8_e4m3fnuz":
      return float8E4m3fnuzTable();
    case "float8_e4m3b11fnuz":
      return float8E4m3b11fnuzTable();
    case "float8_e5m2fnuz":
      return float8E5m2fnuzTable();
    default:
      throw new InvalidArgumentError(`Not a float8 dtype: ${shownValue(dtype)}`);
  }
}

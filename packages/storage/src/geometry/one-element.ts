/** The check of `item`: exactly one element. */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { product } from "./map-geometry.ts";

/** Throws INVALID_ARGUMENT unless a map, an expression or a tensor has exactly one element. */
export function checkOneElement({ dtype, dimensions }: { readonly dtype: DType; readonly dimensions: readonly number[] }): void {
  const count = product(dimensions);
  if (count === 1) return;
  throw new InvalidArgumentError(`item(${dtype} [${dimensions.join(", ")}]): needs exactly one element, there are ${count}`);
}

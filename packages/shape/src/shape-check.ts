/** The test of an argument that should be a shape: by what it stores, not by its class, of which a program may hold two copies. */
import { argumentError } from "@onebuffer/base";

/** Throws INVALID_ARGUMENT for a list, a number, null and whatever else is no shape. */
export function checkShape(value: unknown): void {
  if (typeof (value as { readonly w3?: unknown } | null | undefined)?.w3 !== "number") throw argumentError("a shape", value);
}

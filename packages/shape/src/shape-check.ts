/** Checks that an argument is a shape. It tests a field and not the class, because a program may have two copies of the class. */
import { argumentError } from "@onebuffer/base/internal";

/** Throws INVALID_ARGUMENT unless the value is a shape. */
export function checkShape(value: unknown, what: string = "a shape"): void {
  if (typeof (value as { readonly w3?: unknown } | null | undefined)?.w3 !== "number") throw argumentError(what, value);
}

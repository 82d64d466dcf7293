// The option with which sums and products of 8 and 16-bit integers wrap around, for tests over all operations.

/** Returns `{ wraps: true }` for sums and products, and no option for other operations. */
export function wrapping(op: string): { readonly wraps?: true } {
  return ["sum", "prod", "cumsum", "cumprod"].includes(op) ? { wraps: true } : {};
}

// The accuracy of XLA's functions on processors, as `npm run interop -- --xla` allows and docs/xla.md lists it.
import { records, whole } from "./operation-records.mjs";

/** The units of XLA's functions of floats: float32, float64. Half of a unit is the rounding of the result that they are compared with. */
export const kUnits = Object.fromEntries(
  Object.entries({ ...records, ...whole }).flatMap(([op, { xla = null }]) => (xla === null ? [] : [[op, xla.slice(0, 2)]])),
);

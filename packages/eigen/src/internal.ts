/**
 * What other packages of onebuffer need of this one and users do not. No name here is promised to anybody outside of the house.
 */
export type { BitSlots, CopyAxis } from "./geometry/strided-copy.ts";
export { bitSlots, copyStrided, forEachRun, joinAxes, kLongRun, slotBytesFor } from "./geometry/strided-copy.ts";
export { sameSizes } from "./geometry/same-sizes.ts";

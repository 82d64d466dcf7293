/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export type { BitSlots, CopyAxis } from "./geometry/strided-copy.ts";
export { bitSlots, copyStrided, forEachRun, joinAxes, kLongRun, slotBytesFor } from "./geometry/strided-copy.ts";
export { checkTree, treeOf } from "./expression/inference/elementwise-inference.ts";
export { sliceHint } from "./geometry/slice-hint.ts";
export { sameSizes } from "./geometry/same-sizes.ts";

/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export type { BitSlots, CopyAxis } from "./geometry/strided-copy.ts";
export { bitSlots, copyStrided, forEachRun, joinAxes, kLongRun, slotBytesFor } from "./geometry/strided-copy.ts";
export { checkTree, operandTree } from "./expression/inference/elementwise-inference.ts";
export { sliceHint } from "./geometry/slice-hint.ts";
export { sameSizes } from "./geometry/same-sizes.ts";
export type { Decimal, FloatFormat } from "./text/decimal-digits.ts";
export { exactDigits, kFloat32, kFloat64, readsBackAs } from "./text/decimal-digits.ts";
export type { PrintedArray, PrintOptions } from "./text/numpy-print.ts";
export { numpyText } from "./text/numpy-print.ts";
export { decodeUtf8, encodeUtf8 } from "./text/utf8.ts";
export { inspectedElements } from "./text/inspected-elements.ts";
export { tensorJson } from "./text/tensor-json.ts";

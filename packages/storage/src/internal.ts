/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export { resolveAxes, resolveAxis } from "./geometry/axis.ts";
export {
  accessError,
  checkAlive,
  checkStore,
  dimensionError,
  elementError,
  freedError,
  goneError,
  isIndex,
  storeError,
} from "./geometry/map-errors.ts";
export { interleaved } from "./geometry/interleaved.ts";
export type { ByteAccess } from "./geometry/interleaved.ts";
export { checkGeometry, flatIndex, isSmall, product } from "./geometry/map-geometry.ts";
export type { MapStorage } from "./geometry/map-storage.ts";
export { checkOneElement } from "./geometry/one-element.ts";
export { sameSizes } from "./geometry/same-sizes.ts";
export { sliceHint } from "./geometry/slice-hint.ts";
export { geometryOfText } from "./geometry/slice-text.ts";
export { checkStrides, stridedIndex } from "./geometry/strided-bounds.ts";
export { byteRange, copyPlaces, densePlaces, mayOverlap } from "./geometry/strided-bytes.ts";
export { bitSlots, copyStrided, forEachRun, joinAxes, kLongRun, slotBytesFor } from "./geometry/strided-copy.ts";
export type { BitSlots, CopyAxis } from "./geometry/strided-copy.ts";
export {
  broadcastGeometry,
  broadcastSizes,
  checkRange,
  checkRangeCount,
  checkSizes,
  chippedGeometry,
  expandedGeometry,
  isRowMajor,
  isSmallStrided,
  patchesOf,
  permutedGeometry,
  placeRange,
  rangeCount,
  rangeStart,
  rangeStride,
  reversedGeometry,
  rowMajorStrides,
  slicedGeometry,
  squeezedGeometry,
} from "./geometry/strided-geometry.ts";
export type { StridedGeometry } from "./geometry/strided-geometry.ts";
export { checkMinorToMajor, layoutOfStrides } from "./geometry/strided-layout.ts";
export { reshapeSizes, reshapeStrides } from "./geometry/strided-reshape.ts";
export { forEachRow, StridedWalk } from "./geometry/strided-walk.ts";
export { arrayOfClass } from "./memory/array-class.ts";
export { Bytewise } from "./memory/bytewise.ts";
export { isComplex, isElementInput } from "./memory/element-check.ts";
export { freshArray } from "./memory/fresh-array.ts";
export { kUnowned, memoryOwnerOf, MemoryToken, withHiddenOwner, withMemoryOwner } from "./memory/memory-owner.ts";
export type { ObjectLifecycle } from "./memory/object-element.ts";
export { objectLifecycleOf, storeObjectAt, storeObjects, storeObjectsAt, withObjectLifecycle } from "./memory/object-element.ts";
export { smallFormat } from "./memory/small-format.ts";
export type { Decimal, FloatFormat } from "./text/decimal-digits.ts";
export { exactDigits, kFloat32, kFloat64, readsBackAs } from "./text/decimal-digits.ts";
export { inspectedElements } from "./text/inspected-elements.ts";
export { nestedElements } from "./text/nested-elements.ts";
export { tensorJson } from "./text/tensor-json.ts";
export { decodeUtf8, encodeUtf8 } from "./text/utf8.ts";

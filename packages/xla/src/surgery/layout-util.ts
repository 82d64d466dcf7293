/**
 * LayoutUtil: XLA's functions on layouts (xla/layout_util.h), re-exported from the files that define them. `index.ts`
 * exports this module as `LayoutUtil`; no other file of the package imports it.
 */
export {
  getDefaultLayoutForR2,
  getDefaultLayoutForR3,
  getDefaultLayoutForR4,
  getDefaultLayoutForRank,
  getDefaultLayoutForShape,
  setToDefaultLayout as getWithDefaultLayout,
  setToDefaultLayout,
} from "../model/default-layout.ts";
export {
  clearLayout,
  clearTiles,
  copyLayoutBetweenShapes,
  equal,
  hasAnyLayout,
  hasCustomElementSizeInBits,
  hasLayout,
  isDenseArray,
  isPadded,
  layoutsInShapesEqual,
} from "../model/layout-in-shape.ts";
export {
  areDimensionsConsecutive,
  hasDescendingLayout,
  isMonotonicWithDim0Major,
  isMonotonicWithDim0Minor,
  major,
  makeLogicalToPhysical,
  minor,
  moveDimToMajor,
  moveDimToMinor,
} from "./layout-order.ts";
export { makeAscendingLayout, makeDescendingLayout, makeLayout, makeLayoutFromMajorToMinor } from "../model/make-layout.ts";
export { maxElementsInPerSplit, maxSplitSize } from "./split-size.ts";
export { linearIndex } from "../address/tiled-index.ts";
export { byteStridesIsMajorToMinor, isUntiledLayout } from "../address/untiled-layout.ts";
export { validateLayoutForShape, validateLayoutInShape } from "../model/validate-layout.ts";

/**
 * LayoutUtil: XLA's functions on layouts (xla/layout_util.h), collected from the files that hold them. `index.ts` hands
 * this module out as the one object `LayoutUtil`; nothing inside the package imports it.
 */
export {
  getDefaultLayoutForR2,
  getDefaultLayoutForR3,
  getDefaultLayoutForR4,
  getDefaultLayoutForRank,
  getDefaultLayoutForShape,
  setToDefaultLayout as getWithDefaultLayout,
  setToDefaultLayout,
} from "./default-layout.ts";
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
} from "./layout-in-shape.ts";
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
export { makeAscendingLayout, makeDescendingLayout, makeLayout, makeLayoutFromMajorToMinor } from "./make-layout.ts";
export { maxElementsInPerSplit, maxSplitSize } from "./split-size.ts";
export { linearIndex } from "./tiled-index.ts";
export { byteStridesIsMajorToMinor, isUntiledLayout } from "./untiled-layout.ts";
export { validateLayoutForShape, validateLayoutInShape } from "./validate-layout.ts";

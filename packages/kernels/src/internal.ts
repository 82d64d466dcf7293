/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export {
  detachScratch,
  kArgumentBytes,
  kBlockBytes,
  kRowBytes,
  kStagingBytes,
  kTailBytes,
  releaseScratch,
  scratchBlock,
  scratchBlockAt,
  scratchBlockIfRoom,
  scratchMark,
  stagingStart,
  takeScratch,
  withScratch,
} from "./calls/scratch.ts";
export type { ScratchBlock } from "./calls/scratch.ts";
export { fallBack, kernelCounts, noteKernel, notePlanned, noteRun, setKernelHooks } from "./calls/kernel-events.ts";
export type { KernelCounts, KernelHooks } from "./calls/kernel-events.ts";
export { accessRange, acrossRows, kShortRow, loopNest, nestPart, reductionNest, runsAcrossRows, tiledNest } from "./calls/loop-nest.ts";
export type { Access, AccessClass, KernelForm, LoopNest } from "./calls/loop-nest.ts";
export { equalParts } from "./calls/equal-parts.ts";
export { oneThread, setWorkSplitter, workSplitter } from "./calls/work-splitter.ts";
export type { DividedLoops, PoolModule, WorkSplitter } from "./calls/work-splitter.ts";
export {
  kernelDTypes,
  kindOf,
  laneWidth,
  lanesOf,
  mapLanes,
  maskKindOf,
  maskOfWidth,
  storageBytes,
  uniform,
  vectorsFor,
  vectorsOf,
  zipLanes,
} from "./lanes/lanes.ts";
export type { Lanes } from "./lanes/lanes.ts";
export {
  elementAccess,
  loadContiguous,
  loadPairs,
  loadRowSplats,
  loadRows,
  loadScattered,
  loadScatteredPairs,
  loadTransposed,
  loadUniform,
  loadUniformPair,
  loadWidePairs,
  spread,
  storeContiguous,
  storeNarrowPairs,
  storePairs,
  storeRows,
  storeScattered,
  storeScatteredPairs,
} from "./lanes/lane-memory.ts";
export type { Parts } from "./lanes/lane-memory.ts";
export { castLanes, integerRange, isFloatDType, narrowFloats, resizeIntegers, widenFloats } from "./lanes/lane-numbers.ts";
export { arrayKernel, textFunction } from "./calls/array-kernel.ts";
export type { ArrayFunctions } from "./calls/array-kernel.ts";
export { scanOfLines } from "./scans/scan-kernel.ts";
export type { AddressScan } from "./scans/scan-kernel.ts";
export { blendFunctions, kBlendSlack } from "./arrays/blend-kernel.ts";
export type { BilinearRows, BlendFunctions, BlendRows } from "./arrays/blend-kernel.ts";
export { countRows } from "./arrays/count-kernel.ts";
export { countedRows, countingScratch, suitsCounting } from "./arrays/counting-sort.ts";
export { nonzeroPlaces } from "./arrays/nonzero-kernel.ts";
export { selectPlaces } from "./arrays/nth-elements.ts";
export { hasPhilox, kTurnWords, philoxListing, philoxWords } from "./arrays/philox-kernel.ts";
export { rowNumbers, rowsKernel, scatterCombinations } from "./arrays/rows-kernel.ts";
export type { Rows } from "./arrays/rows-kernel.ts";
export { selectRows, selectScratch, suitsSelection } from "./arrays/select-kernel.ts";
export { sharedExtremesKernel } from "./arrays/shared-extremes-kernel.ts";
export { rowSorter, sortsByNetwork, sortScratch } from "./arrays/sort-kernel.ts";
export type { RowOrder } from "./arrays/sort-kernel.ts";
export { spreadKernel } from "./arrays/spread-kernel.ts";
export { kBlockWords, piecesKernel, runUnit } from "./arrays/pieces-kernel.ts";
export type { RunUnit } from "./arrays/pieces-kernel.ts";
export { contractionDType } from "./products/block-shape.ts";
export type { ContractionDType } from "./products/block-shape.ts";
export { Contraction } from "./products/contract.ts";
export type { Product, ProductLoops } from "./products/contract.ts";
export { gebpKernel, gebpListing } from "./products/gebp-kernel.ts";
export type { ByteOperands } from "./products/gebp-kernel.ts";
export type { ByteDType } from "./products/pack-bytes.ts";
export type { StridedLoops } from "./products/panels.ts";
export { addStridedProduct } from "./products/strided-product.ts";
export type { BlockProgram } from "./products/each-product.ts";
export { runContraction } from "./products/run-contraction.ts";
export {
  byteDTypeOf,
  floatsToPatterns,
  isNarrowFloat,
  isNarrowInteger,
  narrowIntegers,
  narrowPatterns,
  patternsToFloats,
} from "./lanes/narrow-lanes.ts";

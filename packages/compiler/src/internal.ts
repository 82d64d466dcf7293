/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export { fallBack, kernelCounts, noteKernel, noteRun, setKernelHooks } from "./form/kernel-events.ts";
export { arrayKernel, textFunction } from "./scans/array-kernel.ts";
export type { ArrayFunctions } from "./scans/array-kernel.ts";
export { Contraction } from "./contraction/contract.ts";
export { isBlockProduct } from "./contraction/matrix-products.ts";
export { baseOf } from "./plan/lowering-moves.ts";
export { operandPlaces, productNest, storedOperands } from "./contraction/product-operands.ts";
export type { ProductNest } from "./contraction/product-operands.ts";
export { gebpKernel } from "./contraction/gebp-kernel.ts";
export { runContraction } from "./contraction/run-contraction.ts";
export type { KernelCounts, KernelHooks } from "./form/kernel-events.ts";
export { writeOperation } from "./form/lane-ops.ts";
export type { LaneContext, LaneOperation } from "./form/lane-ops.ts";
export type { KernelForm } from "./plan/kernel-spec.ts";
export { kindOf, uniform } from "./plan/lanes.ts";
export type { Lanes } from "./plan/lanes.ts";
export { loopNest, reductionNest } from "./plan/loop-nest.ts";
export type { Access, LoopNest } from "./plan/loop-nest.ts";
export { lower } from "./plan/lowering.ts";
export type { Lowered } from "./plan/lowering.ts";
export { levels, valueLevels } from "./plan/program.ts";
export type { Program, ProgramNode, Parameter as ProgramParameter, ReduceOp } from "./plan/program.ts";
export { rowPasses } from "./plan/row-passes.ts";
export { Sharing } from "./plan/sharing.ts";
export { leafOf } from "./plan/tree-parts.ts";
export { targetAccess } from "./run/target-access.ts";
export { heldDType, mayNeedRecheck } from "./plan/kernel-support.ts";
export { kernelFallbacks } from "./plan/kernel-support.ts";
export { leafPlaces } from "./plan/leaf-places.ts";
export { detachScratch, kBlockBytes, releaseScratch, scratchBlockAt, scratchMark, takeScratch, withScratch } from "./plan/scratch.ts";
export type { ScratchBlock } from "./plan/scratch.ts";
export { explain } from "./run/explain.ts";
export type { ExplainedStep, Explanation } from "./run/explain.ts";
export type { DividedLoops, PoolModule, WorkSplitter } from "./split/work-splitter.ts";
export { addStridedProduct } from "./contraction/strided-product.ts";
export { oneThread, setWorkSplitter, workSplitter } from "./split/work-splitter.ts";

/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export { isBlockProduct } from "./contraction/matrix-products.ts";
export { baseOf } from "./plan/lowering-moves.ts";
export { operandPlaces, productNest, storedOperands } from "./contraction/product-operands.ts";
export type { ProductNest } from "./contraction/product-operands.ts";
export { neutralOfExtreme } from "./form/folds.ts";
export { writeOperation } from "./form/lane-ops.ts";
export type { LaneContext, LaneOperation } from "./form/lane-ops.ts";
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
export { explain } from "./run/explain.ts";
export type { ExplainedStep, Explanation } from "./run/explain.ts";

/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export type { OtherOperand } from "./elementwise/elementwise-base.ts";
export type { ComplexFormula } from "./formulas/complex-formulas.ts";
export { complexFormulas } from "./formulas/complex-formulas.ts";
export { ElementValue } from "./formulas/element-value.ts";
export type { FloatSteps } from "./formulas/element-value.ts";
export type { FormulaOperand } from "./formulas/formula-value.ts";
export { FormulaValue } from "./formulas/formula-value.ts";
export { longFunctions, raisingOps, shortFunctions, slowOps } from "./generated/op-costs.ts";
export { combinations, divisions, extremes, meanOps, movementReads, parts, placeOps } from "./generated/op-facts.ts";
export type { CombiningOp, Division, MovementReads, StrideMove } from "./generated/op-facts.ts";
export { compositeGradient } from "./gradients/composite-gradients.ts";
export type { CompositeGradient } from "./gradients/composite-gradients.ts";
export { marked, ruleOf, towards } from "./gradients/marks.ts";
export type { CustomRule } from "./gradients/marks.ts";
export { foldedByWindows } from "./gradients/fold-by-windows.ts";
export { elementsInside, windowGeometry } from "./gradients/window-geometry.ts";
export type { AxisWindows, WindowGeometry, Windows } from "./gradients/window-geometry.ts";
export {
  argsorted,
  chosen,
  conjugate,
  filled,
  joined,
  made,
  partAlong,
  placedAlong,
  places,
  repeated,
  reshaped,
  markedCumsum,
  scaledCumsum,
  sumTo,
  shuffled,
} from "./gradients/gradient-nodes.ts";
export { hasGradient, operandGradients } from "./gradients/gradient-rules.ts";
export { checkAxis } from "./inference/axes.ts";
export { shownCall, shownOperand } from "./inference/broadcast-dims.ts";
export { integerRange, roundToFloat } from "./inference/constant-value.ts";
export { binaryFields, castFields, checkDType, checkTree, isTree, operandTree, scalarFields } from "./inference/elementwise-inference.ts";
export type { PlainValue } from "./inference/elementwise-inference.ts";
export { gatherFields, reshapeFields, scatterFields, shuffleFields, sliceFields } from "./inference/movement-inference.ts";
export { matMulFields, reduceFields } from "./inference/reduction-inference.ts";
export { saturationRange } from "./inference/saturation.ts";
export { CompositeBase } from "./methods/composite-base.ts";
export { kMaxDepth, makeExpression, NodeMethods } from "./methods/expression-node.ts";
export { flatClass, membersOf } from "./methods/flat-class.ts";
export { operandText, otherNames } from "./methods/other-names.ts";
export { formulas, references } from "./ops/families.ts";
export { makeCustomCall } from "./methods/custom-call.ts";
export { customCallOf, operationName, recordOf } from "./tree/custom-record.ts";
export type { CustomCall, CustomKernel, CustomRecord, CustomType, CustomValue, CustomWriter } from "./tree/custom-record.ts";
export { deferredInputs } from "./tree/deferred-inputs.ts";
export type { DeferredInputs } from "./tree/deferred-inputs.ts";
export type { GradientValue } from "./tree/gradient-rule.ts";
export type { GradientStep, OperandGradients } from "./tree/gradient-step.ts";
export type { ElementFormula, ScalarContext } from "./ops/op-record.ts";
export { combined } from "./statistics/unsorted-segments.ts";
export { complexDTypes, isBig, isComplexDType, isFloat, isInteger, narrowDTypes, partDType } from "./tree/dtype-groups.ts";
export {
  codedDTypes,
  constantCodes,
  constantKind,
  dtypeNumber,
  kCode,
  kCodesPerOperation,
  kConstantCodes,
  dtypeNumberOf,
  kDTypeBits,
  kNoCode,
  kOperationCodes,
  kPlan,
  mayGoDirectly,
} from "./tree/node-code.ts";
export type { CodedTree, ConstantKind } from "./tree/node-code.ts";
export { decisiveDType, isCast, isConstant, isElementwise, isJoin, isMap, isSelection, isStrideMove } from "./tree/node-kinds.ts";
export { inputsOf, sizesOf } from "./tree/node-lists.ts";
export { NodeNumbers } from "./tree/node-numbers.ts";
export { attributesOf, noAttributes, reducedAxes } from "./tree/op-attributes.ts";
export type { ExpressionFields, ReduceAttributes, StoredTree } from "./tree/op-attributes.ts";
export type { OpNameOf } from "./tree/op-table.ts";
export { philox, skipped } from "./tree/philox.ts";
export type { TensorMapKind } from "./tree/tensor-map-kind.ts";
export { treeOrder } from "./tree/tree-order.ts";
export { fieldsOf, withNodes } from "./tree/with-nodes.ts";
export { treeText } from "./tree/tree-text.ts";
export type { TreeTextLimits } from "./tree/tree-text.ts";
export type { ArgAttributes } from "./tree/op-attributes.ts";

/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export type { BitSlots, CopyAxis } from "./geometry/strided-copy.ts";
export { bitSlots, copyStrided, forEachRun, joinAxes, kLongRun, slotBytesFor } from "./geometry/strided-copy.ts";
export { shownOperand } from "./expression/inference/broadcast-dims.ts";
export { leafPlaces } from "./kernel/plan/leaf-places.ts";
export { checkTree, isTree, operandTree } from "./expression/inference/elementwise-inference.ts";
export { attributesOf } from "./expression/tree/op-attributes.ts";
export type { OpNameOf } from "./expression/tree/op-table.ts";
export { isComplexDType, isFloat } from "./expression/tree/dtype-groups.ts";
export { integerRange } from "./expression/inference/constant-value.ts";
export { saturationRange } from "./expression/inference/saturation.ts";
export { treeOrder } from "./expression/tree/tree-order.ts";
export { sliceHint } from "./geometry/slice-hint.ts";
export { sameSizes } from "./geometry/same-sizes.ts";
export type { Decimal, FloatFormat } from "./text/decimal-digits.ts";
export { exactDigits, kFloat32, kFloat64, readsBackAs } from "./text/decimal-digits.ts";
export { decodeUtf8, encodeUtf8 } from "./text/utf8.ts";
export { inspectedElements } from "./text/inspected-elements.ts";
export { tensorJson } from "./text/tensor-json.ts";
export { assignByReference } from "./evaluate.ts";
export type { TensorMapKind } from "./expression/tree/tensor-map-kind.ts";
export { kernelCounts, setKernelHooks } from "./kernel/form/kernel-events.ts";
export type { KernelCounts, KernelHooks } from "./kernel/form/kernel-events.ts";
export type { KernelForm } from "./kernel/plan/kernel-spec.ts";
export { kernelFallbacks } from "./kernel/plan/kernel-support.ts";
export { assignFresh } from "./kernel/run/assign.ts";
export { mayGoDirectly } from "./kernel/run/elementwise-fast-path.ts";
export { explain } from "./kernel/run/explain.ts";
export type { ExplainedStep, Explanation } from "./kernel/run/explain.ts";
export { tensorMapKind, tensorMapKindOf } from "./map/kind-table.ts";
export { unalignedTensorMap } from "./map/unaligned-tensor-map.ts";
export { memoryOwnerOf, MemoryToken, kUnowned, withMemoryOwner } from "./memory/memory-owner.ts";
export { objectLifecycleOf, storeObjects, withObjectLifecycle } from "./memory/object-element.ts";
export type { ObjectLifecycle } from "./memory/object-element.ts";
export { TensorMapExpression } from "./map/base/map-expression.ts";
export { copyPlaces } from "./geometry/strided-bytes.ts";
export { isRowMajor, placeRange, rowMajorStrides } from "./geometry/strided-geometry.ts";

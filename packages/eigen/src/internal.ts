/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export { assignFresh, computeAssignments } from "./assign/assign.ts";
export { kernelOfPart, laterPart, prefetched } from "./assign/later-part.ts";
export type { KernelPart } from "./assign/later-part.ts";
export { checkedPairs } from "./assign-together.ts";
export type { ArraySpec, Backend, BackendArray, BackendProgram, ProgramSource, Queued } from "./backend/backend.ts";
export type { ElementBytes } from "./backend/element-bytes.ts";
export { abortable, checkSignal, checkTransfer, onAbort } from "./backend/transfer-options.ts";
export { assignByReference, evaluateTree, freshMap } from "./evaluate.ts";
export { TensorMapExpression } from "./map/base/map-expression.ts";
export { tensorMapKind, tensorMapKindOf } from "./map/kind-table.ts";
export { unalignedTensorMap } from "./map/unaligned-tensor-map.ts";
export { checkedAssignments } from "./device/checked-assignments.ts";
export { BackendDevice } from "./resident/backend-device.ts";
export { DeviceMap } from "./resident/device-map.ts";
export type { DeviceMapParts } from "./resident/device-map.ts";

/** All public names, of the face and every sub-path, and the plumbing that checks its arguments. */
export * from "onebuffer";
export * from "onebuffer/allocator";
export * from "onebuffer/base";
export * from "onebuffer/core";
export * from "onebuffer/debug";
export * from "onebuffer/eigen";
export * from "onebuffer/gradients";
export * from "onebuffer/io";
export * from "onebuffer/linalg";
export * from "onebuffer/node";
export * from "onebuffer/pool-worker";
export * from "onebuffer/proto";
export * from "onebuffer/shape";
export * from "onebuffer/signal";
export * from "onebuffer/slice";
export * from "onebuffer/stablehlo";
export * from "onebuffer/testing";
export * from "onebuffer/webgpu";
export * from "onebuffer/xla";
export * from "onebuffer/xla-device";
export { checkAllocationRequest, countCopied } from "@onebuffer/allocator/internal";
export {
  argumentError,
  checkArray,
  checkCallback,
  checkFunction,
  checkInteger,
  checkNumber,
  checkObject,
  checkText,
  halfTable,
  isArray,
  isClass,
  messageBytes,
  plainTypedArray,
  shownValue,
  typedArrayKind,
  typedArrayLength,
  viewPlace,
} from "@onebuffer/base/internal";
export { doubleText, elementLifecycle, elementSizeOf, floatText } from "@onebuffer/core/internal";
export { assignFresh, unalignedTensorMap } from "@onebuffer/eigen/internal";
export {
  decodeUtf8,
  encodeUtf8,
  kUnowned,
  memoryOwnerOf,
  MemoryToken,
  objectLifecycleOf,
  storeObjects,
  withMemoryOwner,
  withObjectLifecycle,
} from "@onebuffer/storage/internal";
export { mayGoDirectly } from "@onebuffer/expression/internal";

/**
 * Exports for other packages of onebuffer. Users do not import this file, and its names may change in any version.
 */
export { elementSizeOf } from "./buffer/typed-allocator.ts";
export { doubleText, floatText, sixDigitText } from "./element/float-text.ts";
export { kObjectElementSize } from "./element/element-lifecycle.ts";
export { elementLifecycle } from "./element/object-elements.ts";
export { isTensor } from "./is-tensor.ts";
export type { ElementLifecycle } from "./element/element-lifecycle.ts";
export { typedFieldOf } from "./proto/tensor-proto-field.ts";
export type { TypedField } from "./proto/tensor-proto-field.ts";
export type { ShapeDescription, ShapeField } from "./text/describe-shape.ts";
export type { DescribedTensor, Placement, RootDescription, TensorPicture } from "./text/describe-tensor.ts";
export { describe } from "./text/describe.ts";
export type { AllocatorDescription, Description } from "./text/describe.ts";

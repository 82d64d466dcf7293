/** @onebuffer/shape: TensorShape, PartialTensorShape and their utilities (tensorflow/core/framework/tensor_shape.h). */
export { addWithoutOverflow, multiplyWithoutOverflow } from "./multiply-without-overflow.ts";
export { PartialTensorShape } from "./partial-tensor-shape.ts";
export { PartialTensorShapeUtils } from "./partial-tensor-shape-utils.ts";
export { TensorShapeBase } from "./tensor-shape-base.ts";
export type { TensorShapeProto, TensorShapeProtoDim } from "./tensor-shape-proto.ts";
export { TensorShapeRep } from "./tensor-shape-rep.ts";
export type { RepTag } from "./tensor-shape-rep.ts";
export { TensorShapeUtils } from "./tensor-shape-utils.ts";
export { TensorShape } from "./tensor-shape.ts";

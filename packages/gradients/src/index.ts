/**
 * @onebuffer/gradients: the gradients of any expression, as expressions (TensorFlow's tf.gradients, tf.stop_gradient, tf.custom_gradient).
 */
export { gradients } from "./gradients.ts";
export type { GradientDType, GradientsOf, GradientsOptions, OneElement, Variable } from "./gradients.ts";
export { jacobian } from "./jacobian.ts";
export type { JacobiansOf } from "./jacobian.ts";
export { customGradient, stopGradient } from "./stop-gradient.ts";
export { hessianVectorProduct, jvp } from "./tangents.ts";
export { valueAndGradients } from "./value-and-gradients.ts";
export type { ValueAndGradients } from "./value-and-gradients.ts";

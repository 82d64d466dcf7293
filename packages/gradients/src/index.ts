/**
 * @onebuffer/gradients: the gradients of any expression, as expressions (TensorFlow's tf.gradients, tf.stop_gradient, tf.custom_gradient).
 *
 * All calls have one form: first operands, then what everyone writes by position, then one object of options.
 */
export { adam, adamState } from "./adam.ts";
export type { AdamOptions, AdamState } from "./adam.ts";
export { checkGradients } from "./check-gradients.ts";
export type { CheckedDType, CheckGradientsOptions } from "./check-gradients.ts";
export { gradients } from "./gradients.ts";
export type { GradientDType, GradientsOf, GradientsOptions, OneElement, Variable } from "./gradients.ts";
export { jacobian } from "./jacobian.ts";
export type { JacobiansOf } from "./jacobian.ts";
export { momentum, momentumState } from "./momentum.ts";
export type { MomentumOptions } from "./momentum.ts";
export { rmsProp, rmsPropState } from "./rms-prop.ts";
export type { RmsPropOptions } from "./rms-prop.ts";
export { sgd } from "./sgd.ts";
export type { SgdOptions } from "./sgd.ts";
export { customGradient, stopGradient } from "./stop-gradient.ts";
export { hessianVectorProduct, jvp } from "./tangents.ts";
export { valueAndGradients } from "./value-and-gradients.ts";
export type { ValueAndGradients } from "./value-and-gradients.ts";
export type { Parameter, RuleNumber } from "./update-parameters.ts";

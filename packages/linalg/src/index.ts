/**
 * @onebuffer/linalg: linear algebra, as functions of matrices that return expressions (TensorFlow's tf.linalg).
 */
export { trace } from "./trace.ts";

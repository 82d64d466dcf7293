/** The entry `onebuffer/linalg`: linear algebra: functions of matrices that return expressions (TensorFlow's tf.linalg). */
export * from "@onebuffer/linalg";

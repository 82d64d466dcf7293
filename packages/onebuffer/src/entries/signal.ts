/** The entry `onebuffer/signal`: spectra, windows and filters: functions of signals that return expressions (TensorFlow's tf.signal). */
export * from "@onebuffer/signal";

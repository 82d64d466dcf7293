/**
 * @onebuffer/signal: spectra, windows and filters, as functions of signals that return expressions (TensorFlow's tf.signal).
 */
export { hannWindow } from "./hann-window.ts";
export type { WindowFunctionOptions } from "./hann-window.ts";

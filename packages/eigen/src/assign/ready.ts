/**
 * ready: waits for the kernels (tf.ready() of TensorFlow.js).
 */
import { loadParts } from "./later-part.ts";

/**
 * Resolves when expressions are computed by kernels. In Node, and with the one file for pages, that is at once. In a bundled page the
 * kernels are a file of their own, which begins to load with the page; what is assigned before it has arrived is computed by the plain
 * evaluator: it has the same results within the bounds of the functions' accuracy, but takes many times as long. Pages that compute much
 * at the start therefore wait. Code that never waits for anything never gets the kernels, and a warning in the console.
 *
 * The promise is rejected with UNAVAILABLE if the file cannot be loaded. A further call then asks for it again; some browsers remember that
 * it could not be loaded, until the page is.
 *
 * @example
 * await ready();
 * const out = tensorMap("float32", new Float32Array(2), [2]);
 * out.assign(constant("float32", 2).square());
 * out.toArray(); // => [4, 4]
 */
export function ready(): Promise<void> {
  return loadParts();
}

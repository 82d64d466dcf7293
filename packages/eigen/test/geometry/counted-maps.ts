// Maps whose elements are 0, 1, 2, … in their order.
import { tensorMap } from "@onebuffer/eigen";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns the array of the first `count` numbers. */
export const line = (count: number): Float32Array<ArrayBuffer> => Float32Array.from({ length: count }, (_, n) => n);

/** Returns a map of 2 by 3 numbers. */
export const matrix = (): Any => tensorMap("float32", line(6), [2, 3]);

/**
 * steps: long computations in steps of some milliseconds. A computation is a generator that ends a step by yielding the number of operations on
 * real elements in it. Run at once it is a function; run step by step, other work can come between.
 */

/** A computation in steps, which returns a `T`. */
export type Steps<T> = Generator<number, T, void>;

/** Runs all steps, and returns the result. */
export function finished<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

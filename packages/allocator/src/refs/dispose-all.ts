/**
 * disposeAll: many handles let go at once, in order, whatever one of them throws (what C++ unwinding does for a vector of
 * tensors).
 */

/** A handle. */
interface Disposable {
  dispose(): void;
}

/** Disposes every handle. One that throws does not spare the others; the first error is thrown at the end. */
export function disposeAll(handles: readonly Disposable[]): void {
  const failures: unknown[] = [];
  for (const handle of handles) {
    try {
      handle.dispose();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}

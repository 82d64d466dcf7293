/**
 * disposeAll: disposes a list of handles in order, even if one of them throws (C++ does this when it destroys a vector of tensors).
 */

/** A handle, for example a Tensor. */
interface Disposable {
  dispose(): void;
}

/** Disposes every handle, in order. If some throw, the others are still disposed and the first error is thrown at the end. */
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

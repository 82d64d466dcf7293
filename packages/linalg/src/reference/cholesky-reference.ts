/** cholesky-reference: the Cholesky factor of a matrix, one element at a time (LAPACK's potf2). */
import type { Numbers } from "./numbers.ts";

/**
 * Replaces a matrix of n rows by the lower triangular L of A = L L^H, with zeros above the diagonal. Only the lower triangle is read. Returns
 * the first pivot that is not positive; -1 if there is none.
 */
export function factorCholesky<T>(numbers: Numbers<T>, a: T[], n: number): number {
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < j; i++) a[i * n + j] = numbers.of(0);
    let pivot = numbers.real(a[j * n + j]!);
    for (let k = 0; k < j; k++) pivot -= numbers.real(numbers.mul(a[j * n + k]!, numbers.conj(a[j * n + k]!)));
    if (!(pivot > 0)) return j;
    const root = numbers.of(Math.sqrt(pivot));
    a[j * n + j] = root;
    for (let i = j + 1; i < n; i++) {
      let sum = a[i * n + j] as T;
      for (let k = 0; k < j; k++) sum = numbers.sub(sum, numbers.mul(a[i * n + k]!, numbers.conj(a[j * n + k]!)));
      a[i * n + j] = numbers.div(sum, root);
    }
  }
  return -1;
}

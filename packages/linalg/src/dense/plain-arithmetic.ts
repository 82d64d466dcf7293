/** plain-arithmetic: the arithmetic of the decompositions as plain loops, over an array that grows. */
import type { Arithmetic, Mark, Strided } from "./arithmetic.ts";

/** Plain loops over an array of their own. */
export class PlainArithmetic implements Arithmetic {
  #memory: Float64Array<ArrayBuffer> = new Float64Array(256);
  #used: number = 0;

  get memory(): Float64Array<ArrayBuffer> {
    return this.#memory;
  }

  take(count: number): number {
    const at = this.#used;
    this.#used += count;
    if (this.#used > this.#memory.length) {
      const larger = new Float64Array(2 * this.#used);
      larger.set(this.#memory.subarray(0, at));
      this.#memory = larger;
    } else this.#memory.fill(0, at, this.#used);
    return at;
  }

  mark(): Mark {
    return [this.#used, 0];
  }

  release([taken]: Mark): void {
    this.#used = taken;
  }

  dot(n: number, x: number, y: number): number {
    const memory = this.#memory;
    let sum = 0;
    for (let i = 0; i < n; i++) sum += memory[x + i]! * memory[y + i]!;
    return sum;
  }

  axpy(n: number, alpha: number, x: number, y: number): void {
    const memory = this.#memory;
    for (let i = 0; i < n; i++) memory[y + i]! += alpha * memory[x + i]!;
  }

  rotate(n: number, x: number, y: number, c: number, s: number): void {
    const memory = this.#memory;
    for (let i = 0; i < n; i++) {
      const [p, q] = [memory[x + i]!, memory[y + i]!];
      memory[x + i] = c * p + s * q;
      memory[y + i] = c * q - s * p;
    }
  }

  times(m: number, n: number, alpha: number, a: number, ld: number, x: number, y: number): void {
    for (let j = 0; j < n; j++) this.axpy(m, alpha * this.#memory[x + j]!, a + j * ld, y);
  }

  transposed(m: number, n: number, alpha: number, a: number, ld: number, x: number, y: number): void {
    for (let j = 0; j < n; j++) this.#memory[y + j]! += alpha * this.dot(m, a + j * ld, x);
  }

  symmetric(n: number, a: number, ld: number, x: number, y: number): void {
    const memory = this.#memory;
    for (let j = 0; j < n; j++) {
      const column = a + j * (ld + 1);
      memory[y + j]! += this.dot(n - j, column, x + j);
      this.axpy(n - j - 1, memory[x + j]!, column + 1, y + j + 1);
    }
  }

  rankOne(m: number, n: number, alpha: number, x: number, y: number, a: number, ld: number): void {
    for (let j = 0; j < n; j++) this.axpy(m, alpha * this.#memory[y + j]!, x, a + j * ld);
  }

  toRows(m: number, n: number, a: number, ld: number, to: number, stride: number): void {
    const { memory } = this;
    for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) memory[to + i * stride + j] = memory[a + i + j * ld]!;
  }

  product(m: number, n: number, k: number, a: Strided, b: Strided, c: number, ld: number): void {
    const memory = this.#memory;
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < m; i++) {
        let sum = 0;
        for (let l = 0; l < k; l++) sum += memory[a.at + i * a.row + l * a.column]! * memory[b.at + l * b.row + j * b.column]!;
        memory[c + j * ld + i]! += sum;
      }
    }
  }
}

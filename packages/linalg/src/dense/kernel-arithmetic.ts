/** kernel-arithmetic: the arithmetic of the decompositions by kernels, over scratch memory of the linear memory. */
import { linearMemory } from "@onebuffer/wasm";
import { addStridedProduct, releaseScratch, scratchMark, takeScratch } from "@onebuffer/kernels/internal";
import type { ArrayFunctions } from "@onebuffer/kernels/internal";
import type { Arithmetic, Mark, Strided } from "./arithmetic.ts";
import { columnKernels } from "./column-kernels.ts";

/** Products with fewer multiplications are computed by columns: a product in blocks has a fixed cost of some microseconds. */
const kLeastProduct = 2048;

/** So many elements of a column are a line of a cache, which is read and written once if so many rows are copied at a time. */
const kLine = 8;

/** Where scratch memory comes from. */
export interface ScratchSource {
  take(numBytes: number): number;
  mark(): Mark;
  release(mark: Mark): void;
}

/** The stack of scratch memory, for what runs at once. */
const scratchStack: ScratchSource = { take: takeScratch, mark: scratchMark, release: releaseScratch };

/** Kernels over the linear memory. `take` takes scratch memory, which the caller releases by its mark. */
export class KernelArithmetic implements Arithmetic {
  readonly memory: Float64Array<ArrayBufferLike>;
  readonly #run: ArrayFunctions;
  readonly #scratch: ScratchSource;

  private constructor(run: ArrayFunctions, scratch: ScratchSource) {
    this.memory = new Float64Array(linearMemory().buffer);
    this.#run = run;
    this.#scratch = scratch;
  }

  /** Returns the arithmetic; null if the engine refuses its kernels. */
  static make(scratch: ScratchSource = scratchStack): KernelArithmetic | null {
    const run = columnKernels();
    return run === null ? null : new KernelArithmetic(run, scratch);
  }

  take(count: number): number {
    const at = this.#scratch.take(count * 8) / 8;
    this.memory.fill(0, at, at + count);
    return at;
  }

  mark(): Mark {
    return this.#scratch.mark();
  }

  release(mark: Mark): void {
    this.#scratch.release(mark);
  }

  dot(n: number, x: number, y: number): number {
    return this.#run["dot"]!(n, x * 8, y * 8);
  }

  axpy(n: number, alpha: number, x: number, y: number): void {
    this.#run["axpy"]!(n, alpha, x * 8, y * 8);
  }

  rotate(n: number, x: number, y: number, c: number, s: number): void {
    this.#run["rotate"]!(n, x * 8, y * 8, c, s);
  }

  times(m: number, n: number, alpha: number, a: number, ld: number, x: number, y: number): void {
    this.#run["times"]!(m, n, alpha, a * 8, ld * 8, x * 8, y * 8);
  }

  transposed(m: number, n: number, alpha: number, a: number, ld: number, x: number, y: number): void {
    this.#run["transposed"]!(m, n, alpha, a * 8, ld * 8, x * 8, y * 8);
  }

  symmetric(n: number, a: number, ld: number, x: number, y: number): void {
    this.#run["symmetric"]!(n, a * 8, ld * 8, x * 8, y * 8);
  }

  rankOne(m: number, n: number, alpha: number, x: number, y: number, a: number, ld: number): void {
    this.#run["rankOne"]!(m, n, alpha, x * 8, y * 8, a * 8, ld * 8);
  }

  toRows(m: number, n: number, a: number, ld: number, to: number, stride: number): void {
    for (let i = 0; i < m; i += kLine)
      this.#run["toRows"]!((a + i) * 8, ld * 8, (to + i * stride) * 8, stride * 8, n, Math.min(kLine, m - i));
  }

  product(m: number, n: number, k: number, a: Strided, b: Strided, c: number, ld: number): void {
    if (m === 0 || n === 0 || k === 0) return;
    if (m * n * k < kLeastProduct || !addStridedProduct(m, n, k, a, b, c, ld)) this.#byElements(m, n, k, a, b, c, ld);
  }

  #byElements(m: number, n: number, k: number, a: Strided, b: Strided, c: number, ld: number): void {
    const { memory } = this;
    for (let j = 0; j < n; j++) {
      for (let l = 0; l < k; l++) {
        const factor = memory[b.at + l * b.row + j * b.column]!;
        for (let i = 0; i < m; i++) memory[c + j * ld + i]! += memory[a.at + i * a.row + l * a.column]! * factor;
      }
    }
  }
}

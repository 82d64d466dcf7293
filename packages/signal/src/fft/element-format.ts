/**
 * element-format: how a vector of complex numbers lies in memory, and the code that loads and stores one.
 *
 *     split     [re re re re][im im im im]          between passes: 32 bytes
 *     woven     re im re im | re im re im           adjacent complex numbers: 32 bytes
 *     lines     re im ... re im ... re im ...       one complex number of each of several lines, which are some bytes apart
 *
 * A vector has four complex numbers of float32, or two of float64.
 */
import type { VectorBuilder, WasmFunction } from "@onebuffer/wasm/internal";
import type { ComplexVector } from "./butterflies.ts";
import type { PartDType } from "./fft-module.ts";

export type ElementFormat = "split" | "woven" | "lines";

/** The bytes of a vector of complex numbers. */
export const kVectorBytes = 32;

/** The number of complex numbers in a vector. */
export const lanesOf = (dtype: PartDType): number => (dtype === "float32" ? 4 : 2);

/** The bytes of a complex number. */
export const complexBytes = (dtype: PartDType): number => kVectorBytes / lanesOf(dtype);

/** The lanes that are the real and the imaginary parts of two vectors of adjacent complex numbers. */
const kEvenOdd = {
  float32: [
    [0, 2, 4, 6],
    [1, 3, 5, 7],
  ],
  float64: [
    [0, 2],
    [1, 3],
  ],
} as const;

/** The lanes of real and imaginary parts that are woven. */
const kWoven = {
  float32: [
    [0, 4, 1, 5],
    [2, 6, 3, 7],
  ],
  float64: [
    [0, 2],
    [1, 3],
  ],
} as const;

/** Writes the code of loads and stores of a function. Addresses are in locals. */
export class ElementAccess {
  readonly #target: WasmFunction;
  readonly #builder: VectorBuilder;
  readonly #dtype: PartDType;

  constructor(target: WasmFunction, builder: VectorBuilder, dtype: PartDType) {
    this.#target = target;
    this.#builder = builder;
    this.#dtype = dtype;
  }

  get kind(): "f32x4" | "f64x2" {
    return this.#dtype === "float32" ? "f32x4" : "f64x2";
  }

  /** Returns the addresses of the lanes of a vector of lines, as locals; the first is `at`. */
  lineLocals(at: number, lane: number): readonly number[] {
    const locals = [at];
    for (let k = 1; k < lanesOf(this.#dtype); k++) {
      const next = this.#target.local("i32", "line");
      this.#target.body
        .get(locals[k - 1]!)
        .get(lane)
        .op("i32.add")
        .set(next);
      locals.push(next);
    }
    return locals;
  }

  /** Loads a vector at `places`: one address, or for lines one for each lane. With `swaps` the real parts are those that are second. */
  load(format: ElementFormat, places: readonly number[], swaps: boolean, offset: number = 0): ComplexVector {
    const { kind } = this;
    const builder = this.#builder;
    const [evens, odds] = kEvenOdd[this.#dtype];
    const [at] = places as readonly [number];
    const [first, second] =
      format === "lines" ? this.#loadLines(places) : ([builder.load(kind, at, offset), builder.load(kind, at, offset + 16)] as const);
    const [re, im] = format === "split" ? [first, second] : [first.lanes(second, evens), first.lanes(second, odds)];
    return swaps ? { re: im, im: re } : { re, im };
  }

  #loadLines(places: readonly number[]) {
    const builder = this.#builder;
    if (this.#dtype === "float64") return [builder.load("f64x2", places[0]!), builder.load("f64x2", places[1]!)] as const;
    const two = (a: number, b: number) => builder.loadLane(builder.loadWith("v128.load64_zero", "f64x2", a, 0, 0), 1, b).as("f32x4");
    return [two(places[0]!, places[1]!), two(places[2]!, places[3]!)] as const;
  }

  /** Stores a vector at `places`. With `swaps` the real parts are stored second. */
  store(format: ElementFormat, value: ComplexVector, places: readonly number[], swaps: boolean): void {
    const builder = this.#builder;
    const [re, im] = swaps ? [value.im, value.re] : [value.re, value.im];
    const [at] = places as readonly [number];
    const [low, high] = kWoven[this.#dtype];
    const [first, second] = format === "split" ? [re, im] : [re.lanes(im, low), re.lanes(im, high)];
    if (format !== "lines") {
      builder.store(first, at);
      builder.store(second, at, 16);
    } else if (this.#dtype === "float64") {
      builder.store(first, places[0]!);
      builder.store(second, places[1]!);
    } else {
      places.forEach((place, k) => builder.storeLane((k < 2 ? first : second).as("f64x2"), k % 2, place));
    }
  }
}

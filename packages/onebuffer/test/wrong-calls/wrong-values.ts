// The wrong arguments for the tests of wrong calls. Each value is created anew for every call, because a call may change or dispose it.
import * as onebuffer from "./everything.ts";

/** A value's name in the report, and a function that creates the value. `made` records what must be released after the call. */
export type Named = readonly [name: string, make: (made: Made) => unknown];

/** The handles and reference-counted objects created for one call. They are released after it. */
export class Made {
  readonly #releases: (() => void)[] = [];

  /** Records a handle, which `release` disposes. Returns the handle. */
  handle<T extends { dispose(): void }>(handle: T): T {
    this.#releases.push(() => handle.dispose());
    return handle;
  }

  /** Records a reference-counted object, whose remaining references `release` drops. Returns the object. */
  counted<T extends { readonly refs: number; unref(): unknown }>(object: T): T {
    this.#releases.push(() => {
      while (object.refs > 0) object.unref();
    });
    return object;
  }

  /** Releases everything, in reverse order. */
  release(): void {
    for (const release of this.#releases.splice(0).reverse()) release();
  }
}

/** The error that the caller's own getters and traps throw. The library must pass it through unchanged. */
export class CallersError extends Error {}

/** A getter, trap or conversion that throws the caller's error. */
const refuse = (): never => {
  throw new CallersError("thrown by the caller's code");
};

/** A typed array that reports a wrong length. */
class LyingArray extends Float32Array {
  override get length(): number {
    return 2 ** 40;
  }
  override get byteLength(): number {
    return 2 ** 42;
  }
}

/** Returns a typed array whose buffer is detached. */
function detached(): Uint8Array {
  const array = new Uint8Array(8);
  structuredClone(array.buffer, { transfer: [array.buffer] });
  return array;
}

/** Values that are invalid for nearly all parameters. */
export const wrong: readonly Named[] = [
  ["undefined", () => undefined],
  ["null", () => null],
  ["5", () => 5],
  ["-1", () => -1],
  ["NaN", () => Number.NaN],
  ["0.5", () => 0.5],
  ["2**32", () => 2 ** 32],
  ["2**53", () => 2 ** 53],
  ["Infinity", () => Number.POSITIVE_INFINITY],
  ['"0"', () => "0"],
  ['""', () => ""],
  ["true", () => true],
  ["{}", () => ({})],
  ["[]", () => []],
  ["[1]", () => [1]],
  ["[[]]", () => [[]]],
  ["[null]", () => [null]],
  ["[{}]", () => [{}]],
  ["[-1]", () => [-1]],
  ["[2**53]", () => [2 ** 53]],
  ["Symbol()", () => Symbol("s")],
  ["10n", () => 10n],
  ["a function", () => () => 1],
  ["a class", () => class {}],
  ["the class Tensor", () => onebuffer.Tensor],
  ["no prototype", () => Object.create(null) as unknown],
  ["a Date", () => new Date(0)],
  ["a Map", () => new Map()],
  ["{length: 2**53}", () => ({ length: 2 ** 53 })],
  ["{length: -1}", () => ({ length: -1 })],
  ["{length: 2, 0, 1}", () => ({ length: 2, 0: 1, 1: 2 })],
  ["a sparse array of length 1e9", () => new Array(1e9)],
  ["a DataView", () => new DataView(new ArrayBuffer(8))],
  ["an ArrayBuffer", () => new ArrayBuffer(8)],
  ["a detached array", detached],
  ["an array with a wrong length", () => new LyingArray(2)],
  [
    "a throwing Proxy",
    () => new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse, getPrototypeOf: refuse }),
  ],
  ["throwing getters", () => Object.defineProperties({}, { length: { get: refuse }, dtype: { get: refuse }, dims: { get: refuse } })],
  ["throwing conversions", () => ({ toString: refuse, valueOf: refuse, [Symbol.toPrimitive]: refuse })],
  ["options of numbers", () => ({ allocator: 5, dtype: 5, shape: 5, copy: 5, release: 5, signal: 5, attributes: 5, axes: 5, keepDims: 5 })],
  ["options of objects", () => ({ allocator: {}, shape: {}, release: {}, attributes: {}, tensorShape: 5, extent: 5, floatVal: 5, dim: 5 })],
  [
    "a disposed Tensor",
    () => {
      const tensor = onebuffer.Tensor.zeros([2]);
      tensor.dispose();
      return tensor;
    },
  ],
  ["Tensor's prototype", () => Object.create(onebuffer.Tensor.prototype) as unknown],
  ["TensorShape's prototype", () => Object.create(onebuffer.TensorShape.prototype) as unknown],
];

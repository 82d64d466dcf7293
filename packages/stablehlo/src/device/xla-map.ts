/**
 * XlaMap: a map whose elements live on the devices of an XlaDevice (jax.Array; in TensorFlow: a tensor on a remote device).
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize, FailedPreconditionError } from "@onebuffer/base";
import { checkMadeInside, defineInspection, type kMadeInside } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { RawPlaces } from "@onebuffer/eigen";
import { MemoryToken, rowMajorStrides, TensorMapExpression } from "@onebuffer/eigen/internal";
import type { Sharding } from "../text/sharding.ts";
import type { ArrayHome, DeviceArray } from "./device-array.ts";
import type { XlaTransferOptions } from "./transfer-options.ts";

/**
 * The part of an array that one device has.
 *
 * @example
 * const shard: XlaShard = { device: 3, offsets: [6, 0], sizes: [2, 4] }; // rows 6 and 7
 */
export interface XlaShard {
  /** The number of the device, `id` of XlaDevice.devices. */
  readonly device: number;
  /** The index of its first element in each dimension. */
  readonly offsets: readonly number[];
  readonly sizes: readonly number[];
}

/** The device of a map, as far as the map needs it. */
export interface XlaMapHome extends ArrayHome {
  readonly name: string;
  fetch<D extends DType>(map: XlaMap<D, number>, options: XlaTransferOptions): Promise<Tensor<D>>;
  shardsOf(map: XlaMap<DType, number>): Promise<readonly XlaShard[]>;
}

/**
 * A map of elements that live on the devices: an operand of expressions that the same XlaDevice computes, and a target of its
 * assignments, which then stays there. `XlaDevice.put` and `XlaDevice.evaluate` make one.
 *
 * Its elements are not in this process: `at`, `set`, `assign` without a device, and other devices throw FAILED_PRECONDITION. `fetch` copies
 * them. The array is freed by `dispose`, by the end of a `using` declaration, or when it is forgotten.
 *
 * @example
 * const resident = (x: XlaMap<"float32", 1>): readonly number[] => x.mul(2).add(1).dimensions;
 */
export class XlaMap<D extends DType, R extends number = number> extends TensorMapExpression<D, R> {
  declare readonly dtype: D;
  declare readonly dimensions: readonly number[];
  /** How the dimensions are divided over the axes of the mesh. */
  declare readonly sharding: Sharding;
  /** The owner of the memory, for devices that hold what they use. */
  declare readonly owner: MemoryToken;
  readonly #home: XlaMapHome;
  readonly #array: DeviceArray;

  static {
    defineInspection(this.prototype as XlaMap<DType, number>, (map) => map.toString());
  }

  /** Made by an XlaDevice. Takes over the reference of `array`. */
  constructor(key: typeof kMadeInside, home: XlaMapHome, array: DeviceArray, dtype: D, dimensions: readonly number[], sharding: Sharding) {
    checkMadeInside(key, "XlaDevice's put and evaluate make an XlaMap");
    super();
    this.dtype = dtype;
    this.dimensions = Object.freeze(dimensions.slice());
    this.sharding = sharding;
    this.owner = new MemoryToken(array);
    this.#home = home;
    this.#array = array;
  }

  /** The number of dimensions. */
  override get rank(): R {
    return this.dimensions.length as R;
  }

  /** The number of elements. */
  override get size(): number {
    return this.dimensions.reduce((product, size) => product * size, 1);
  }

  /** Copies the elements into a new tensor. Throws FAILED_PRECONDITION after `dispose`, UNAVAILABLE if the runner has ended. */
  fetch(options: XlaTransferOptions = {}): Promise<Tensor<D>> {
    return this.#home.fetch(this as XlaMap<D, number>, options);
  }

  /** Returns which device of this process has which elements. Throws as `fetch` does. */
  shards(): Promise<readonly XlaShard[]> {
    return this.#home.shardsOf(this as unknown as XlaMap<DType, number>);
  }

  /** Frees the array, after the calls that use it. Later calls do nothing; later uses of the map throw FAILED_PRECONDITION. */
  dispose(): void {
    if (this.owner.refs === 0) return;
    this.owner.free();
    this.#array.unref();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Throws FAILED_PRECONDITION: the elements are elsewhere. */
  at(..._indices: readonly number[]): never {
    throw this.#elsewhere();
  }

  /** Throws FAILED_PRECONDITION: the elements are elsewhere. */
  set(..._args: readonly unknown[]): never {
    throw this.#elsewhere();
  }

  /** Returns a text such as `XlaMap<float32, [8, 4]>`. */
  override toString(): string {
    return `XlaMap<${this.dtype}, [${this.dimensions.join(", ")}]>`;
  }

  /**
   * Returns the location of the elements, for devices: one whose memory cannot be reached. Whoever computes in this process fails with
   * FAILED_PRECONDITION at the first access.
   */
  rawPlaces(): RawPlaces {
    const error = (): FailedPreconditionError => this.#elsewhere();
    if (this.owner.refs === 0) throw error();
    return {
      get buffer(): ArrayBufferLike {
        throw error();
      },
      byteOffset: 0,
      itemBytes: dtypeSize(this.dtype),
      dims: this.dimensions,
      strides: rowMajorStrides(this.dimensions),
    };
  }

  /** Returns the array's handle. Throws FAILED_PRECONDITION after `dispose`, or if `home` is another device. */
  static handleOf(map: XlaMap<DType, number>, home: XlaMapHome): number {
    if (map.owner.refs === 0) throw map.#elsewhere();
    if (map.#home !== home) throw new FailedPreconditionError(`${map.toString()} is on another device, ${map.#home.name}`);
    return map.#array.handle;
  }

  /** Returns true if a leaf of an expression is an XlaMap of this copy of the package. */
  static is(leaf: object): leaf is XlaMap<DType, number> {
    return #array in leaf;
  }

  #elsewhere(): FailedPreconditionError {
    return new FailedPreconditionError(
      this.owner.refs === 0
        ? `${this.toString()} was disposed`
        : `the elements of ${this.toString()} are on ${this.#home.name}: fetch() copies them, map.device(xla).assign() computes there`,
    );
  }
}

/**
 * DeviceMap: a map whose elements live in a backend (jax.Array; in TensorFlow: a tensor on another device).
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize, FailedPreconditionError } from "@onebuffer/base";
import { checkMadeInside, defineInspection, type kMadeInside } from "@onebuffer/base/internal";
import type { ArraySpec, BackendArray } from "../backend/backend.ts";
import type { DeviceArray } from "../backend/device-array.ts";
import type { RawPlaces } from "@onebuffer/storage";
import { MemoryToken, product, rowMajorStrides } from "@onebuffer/storage/internal";
import { TensorMapExpression } from "../map/base/map-expression.ts";

/** The device of a map, as far as the map needs it. */
export interface DeviceMapHome {
  readonly name: string;
}

/** The parts of a map that a device has made or computed. */
export interface DeviceMapParts<D extends DType, Content, Placement> extends ArraySpec<Placement> {
  readonly dtype: D;
  readonly home: DeviceMapHome;
  /** The array. The map takes over its reference. */
  readonly counted: DeviceArray<Content>;
}

/**
 * A map of elements that live in a backend: an operand of expressions that the same device computes, and a target of its assignments, which
 * then stays there. The `put` and `evaluate` of a device make one.
 *
 * Its elements are not in this process: `at`, `set`, `assign` without a device, and other devices throw FAILED_PRECONDITION. The array is
 * freed by `dispose`, by the end of a `using` declaration, or when it is forgotten. After the end of its device or backend the elements are
 * gone, and every use is refused; to dispose the map is still allowed.
 */
export class DeviceMap<D extends DType, R extends number = number> extends TensorMapExpression<D, R> {
  declare readonly dtype: D;
  declare readonly dimensions: readonly number[];
  /** The owner of the memory, for devices that hold what they use. */
  declare readonly owner: MemoryToken;
  readonly #home: DeviceMapHome;
  readonly #counted: DeviceArray<unknown>;
  readonly #placement: unknown;
  readonly #placementKey: string;

  static {
    defineInspection(this.prototype as DeviceMap<DType, number>, (map) => map.toString());
  }

  /** Made by a device. */
  constructor(key: typeof kMadeInside, parts: DeviceMapParts<D, unknown, unknown>) {
    checkMadeInside(key, "put and evaluate of a device make its maps");
    super();
    this.dtype = parts.dtype;
    this.dimensions = Object.freeze(parts.dimensions.slice());
    this.owner = new MemoryToken(parts.counted);
    this.#home = parts.home;
    this.#counted = parts.counted;
    this.#placement = parts.placement;
    this.#placementKey = JSON.stringify(parts.placement);
  }

  /** The number of dimensions. */
  override get rank(): R {
    return this.dimensions.length as R;
  }

  /** The number of elements. */
  override get size(): number {
    return product(this.dimensions);
  }

  /** Frees the array, after the calls that use it. Later calls do nothing; later uses of the map throw FAILED_PRECONDITION. */
  dispose(): void {
    if (this.owner.refs === 0) return;
    this.owner.free();
    this.#counted.unref();
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

  /** Returns a text such as `DeviceMap<float32, [8, 4]>`. */
  override toString(): string {
    return `${this.kind}<${this.dtype}, [${this.dimensions.join(", ")}]>`;
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

  /** Returns the array of a map. Throws FAILED_PRECONDITION after `dispose`, or if `home` is another device. */
  static arrayOf(map: DeviceMap<DType, number>, home: DeviceMapHome): BackendArray<unknown> {
    if (map.owner.refs === 0) throw map.#elsewhere();
    if (map.#home !== home) throw new FailedPreconditionError(`${map.toString()} is on another device, ${map.#home.name}`);
    return map.#counted.array;
  }

  /** Returns where in the backend a map's elements are. */
  static placementOf(map: DeviceMap<DType, number>): unknown {
    return map.#placement;
  }

  /** Returns the placement as a text, for keys of programs. */
  static placementKeyOf(map: DeviceMap<DType, number>): string {
    return map.#placementKey;
  }

  /** Returns true if a leaf of an expression is a DeviceMap of this copy of the package. */
  static is(leaf: object): leaf is DeviceMap<DType, number> {
    return #counted in leaf;
  }

  /** The name of the class in messages. */
  protected get kind(): string {
    return "DeviceMap";
  }

  /** How a program gets at the elements, for messages. */
  protected get remedy(): string {
    return "map.device(it).assign() computes there";
  }

  #elsewhere(): FailedPreconditionError {
    return new FailedPreconditionError(
      this.owner.refs === 0
        ? `${this.toString()} was disposed`
        : `the elements of ${this.toString()} are on ${this.#home.name}: ${this.remedy}`,
    );
  }
}

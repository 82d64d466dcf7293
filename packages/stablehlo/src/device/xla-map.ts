/**
 * XlaMap: a map whose elements live on the devices of an XlaDevice (jax.Array; in TensorFlow: a tensor on a remote device).
 */
import type { DType } from "@onebuffer/base";
import { checkMadeInside, type kMadeInside } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { DeviceTransferOptions } from "@onebuffer/eigen";
import { DeviceMap } from "@onebuffer/eigen/internal";
import type { DeviceMapParts } from "@onebuffer/eigen/internal";
import type { Sharding } from "../text/sharding.ts";

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
export interface XlaMapHome {
  fetch<D extends DType>(map: XlaMap<D, number>, options: DeviceTransferOptions): Promise<Tensor<D>>;
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
export class XlaMap<D extends DType, R extends number = number> extends DeviceMap<D, R> {
  /** How the dimensions are divided over the axes of the mesh. */
  declare readonly sharding: Sharding;
  readonly #xla: XlaMapHome;

  /** Made by an XlaDevice. */
  constructor(key: typeof kMadeInside, xla: XlaMapHome, parts: DeviceMapParts<D, unknown, Sharding>) {
    checkMadeInside(key, "XlaDevice's put and evaluate make an XlaMap");
    // A sharding that is none of the mesh counts as whole.
    const sharding = parts.placement ?? parts.dimensions.map(() => null);
    super(key, { ...parts, placement: sharding });
    this.sharding = sharding;
    this.#xla = xla;
  }

  /** Copies the elements into a new tensor. Throws FAILED_PRECONDITION after `dispose`, UNAVAILABLE if the runner has ended. */
  fetch(options: DeviceTransferOptions = {}): Promise<Tensor<D>> {
    return this.#xla.fetch(this as XlaMap<D, number>, options);
  }

  /** Returns which device of this process has which elements. Throws as `fetch` does. */
  shards(): Promise<readonly XlaShard[]> {
    return this.#xla.shardsOf(this as unknown as XlaMap<DType, number>);
  }

  protected override get kind(): string {
    return "XlaMap";
  }

  protected override get remedy(): string {
    return "fetch() copies them, map.device(xla).assign() computes there";
  }
}

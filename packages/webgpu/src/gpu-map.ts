/**
 * GpuMap: a map whose elements live on a GPU (tf.Tensor of tfjs's WebGPU backend; jax.Array).
 */
import type { DType, StatusError } from "@onebuffer/base";
import { checkMadeInside, type kMadeInside } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import { DeviceMap } from "@onebuffer/eigen/internal";
import type { DeviceTransferOptions } from "@onebuffer/eigen";
import type { DeviceMapParts } from "@onebuffer/eigen/internal";
import type { GpuBuffer } from "./gpu/gpu-types.ts";

/** The device of a map, as far as the map needs it. */
export interface GpuMapHome {
  fetch<D extends DType>(map: GpuMap<D, number>, options: DeviceTransferOptions): Promise<Tensor<D>>;
  bufferOf(map: GpuMap<DType, number>): GpuBuffer;
  /** The error of all uses once the GPU of the map is lost; else null. */
  readonly dead: StatusError | null;
}

/**
 * A map of elements that live on a GPU: an operand of expressions that the same WebGpuDevice computes, and a target of its assignments, which
 * then stays there. `WebGpuDevice.put` and `WebGpuDevice.evaluate` make one.
 *
 * Its elements are not in this process: `at`, `set`, `assign` without a device, and other devices throw FAILED_PRECONDITION. `fetch` copies
 * them. The buffer is freed by `dispose`, by the end of a `using` declaration, or when it is forgotten.
 *
 * @example
 * const resident = (x: GpuMap<"float32", 1>): readonly number[] => x.mul(2).add(1).dimensions;
 */
export class GpuMap<D extends DType, R extends number = number> extends DeviceMap<D, R> {
  readonly #gpu: GpuMapHome;

  /** Made by a WebGpuDevice. */
  constructor(key: typeof kMadeInside, gpu: GpuMapHome, parts: DeviceMapParts<D, unknown, unknown>) {
    checkMadeInside(key, "WebGpuDevice's put and evaluate make a GpuMap");
    super(key, parts);
    this.#gpu = gpu;
  }

  /**
   * The buffer with the elements, dense, in row-major order. An assignment to the map gives it another one. Throws FAILED_PRECONDITION after
   * `dispose`.
   */
  get buffer(): GpuBuffer {
    return this.#gpu.bufferOf(this as unknown as GpuMap<DType, number>);
  }

  /** Copies the elements into a new tensor. Throws FAILED_PRECONDITION after `dispose`, UNAVAILABLE if the GPU was lost. */
  fetch(options: DeviceTransferOptions = {}): Promise<Tensor<D>> {
    return this.#gpu.fetch(this as GpuMap<D, number>, options);
  }

  /** Returns true for a GpuMap. */
  static isOne(value: unknown): value is GpuMap<DType, number> {
    return typeof value === "object" && value !== null && #gpu in value;
  }

  /** Returns the error of a leaf whose GPU is lost; null for other leaves. */
  static lossOf(leaf: object): StatusError | null {
    return GpuMap.isOne(leaf) ? leaf.#gpu.dead : null;
  }

  protected override get kind(): string {
    return "GpuMap";
  }

  protected override get remedy(): string {
    return "fetch() copies them, map.device(gpu).assign() computes there";
  }
}

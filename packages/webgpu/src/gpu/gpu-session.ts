/**
 * GpuSession: one device of WebGPU with its buffers and pipelines, from its creation to its loss or end.
 */
import { InternalError, NotFoundError, UnavailableError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { BufferPool } from "./buffer-pool.ts";
import { limitsOf, mostBytes } from "./gpu-limits.ts";
import type { GpuLimits } from "./gpu-limits.ts";
import type { Gpu, GpuAdapter, GpuBuffer, GpuDevice, GpuEncoder } from "./gpu-types.ts";
import { kMapRead, kReadbackUsage } from "./gpu-types.ts";
import { Pipelines } from "./pipelines.ts";

/** How long the news of a loss is awaited after a call was rejected, in milliseconds. Chromium tells it at once, Deno and Firefox 20 later. */
const kLossMs = 1000;

declare function setTimeout(run: () => void, milliseconds: number): unknown;
declare function clearTimeout(timer: unknown): void;

/** How an adapter is chosen. */
export interface AdapterOptions {
  readonly powerPreference?: "low-power" | "high-performance" | undefined;
}

/** A device of WebGPU. */
export class GpuSession {
  readonly device: GpuDevice;
  readonly limits: GpuLimits;
  readonly pool: BufferPool;
  readonly pipelines: Pipelines;
  /** The entry and the adapter are kept: in Node a device stops answering once the entry is collected. */
  readonly kept: readonly (object | null)[];
  /** Resolves with the error of all further calls once the device is lost. */
  readonly lost: Promise<StatusError>;
  readonly #isOwn: boolean;
  #dead: StatusError | null = null;
  /** What the device has refused of the commands of this session, which then computed nothing. */
  #refusal: StatusError | null = null;
  #submits = 0;
  #reads = 0;

  /** `isOwn` is true if the device belongs to the session, which then destroys it in the end. */
  constructor(device: GpuDevice, kept: readonly (object | null)[], isOwn: boolean) {
    this.device = device;
    this.kept = kept;
    this.limits = limitsOf(device);
    this.pool = new BufferPool(device, mostBytes(this.limits));
    this.pipelines = new Pipelines(device);
    this.#isOwn = isOwn;
    this.lost = device.lost.then(({ message, reason }) => {
      this.#dead ??= new UnavailableError(`the GPU was lost (${reason ?? "unknown"}): ${message}`);
      return this.#dead;
    });
    // On a device of the program, errors of others arrive here, too.
    if (isOwn)
      device.addEventListener?.("uncapturederror", ({ error }) => {
        this.#refusal ??= new InternalError(`WebGPU refused a command: ${error.message}`);
      });
  }

  /** The error of all calls once the device is lost or the session is ended; else null. */
  get dead(): StatusError | null {
    return this.#dead;
  }

  /** Throws the error of all calls once the device is lost or the session is ended. */
  check(): void {
    if (this.#dead !== null) throw this.#dead;
  }

  /** The number of submissions. */
  get submits(): number {
    return this.#submits;
  }

  /** The number of copies to this process. */
  get reads(): number {
    return this.#reads;
  }

  /**
   * Finds an adapter and makes a device with the adapter's limits. Rejects with NOT_FOUND if there is no adapter, UNAVAILABLE if it makes no
   * device, or WebGPU refuses to look for one.
   */
  static async start(gpu: Gpu, options: AdapterOptions): Promise<GpuSession> {
    const adapter = await adapterOf(gpu, options);
    if (adapter === null) throw new NotFoundError("WebGPU has no adapter here");
    return new GpuSession(await deviceOf(adapter), [gpu, adapter], true);
  }

  /** Returns a new encoder of commands. */
  encoder(): GpuEncoder {
    return this.device.createCommandEncoder() as GpuEncoder;
  }

  /** Queues the commands of an encoder. */
  submit(encoder: GpuEncoder): void {
    this.#submits++;
    this.device.queue.submit([encoder.finish()] as never);
    this.pool.trim();
  }

  /**
   * Copies bytes of a buffer into `target`, when all that was queued before has run and `pending` is fulfilled. Rejects with the error of
   * `pending`, then `target` is not touched; with UNAVAILABLE if the device is lost.
   */
  async read(from: GpuBuffer, bytes: number, target: () => Uint8Array, pending: Promise<void> | null = null): Promise<void> {
    this.check();
    this.#reads++;
    const size = Math.max(4, Math.ceil(bytes / 4) * 4);
    const staging = this.pool.take(size, kReadbackUsage);
    const memory = this.pool.whether();
    const encoder = this.encoder();
    encoder.copyBufferToBuffer(from, 0, staging.buffer, 0, size);
    this.submit(encoder);
    try {
      if (pending !== null) await pending;
      if (memory !== null) await memory;
      await staging.buffer.mapAsync(kMapRead, 0, size);
      this.#checkRefusal();
      target().set(new Uint8Array(staging.buffer.getMappedRange(0, size), 0, bytes));
      staging.buffer.unmap();
    } catch (error) {
      this.pool.drop(staging);
      throw await this.errorOf(error);
    }
    this.pool.give(staging);
  }

  /** Returns the error of a call that a device rejected: that of the loss if it is lost. */
  async errorOf(error: unknown): Promise<unknown> {
    if (isStatus(error)) return error;
    if (this.#dead === null) {
      let timer: unknown;
      await Promise.race([this.lost, new Promise<void>((resolve) => (timer = setTimeout(resolve, kLossMs)))]);
      clearTimeout(timer);
    }
    return this.#dead ?? new InternalError(`WebGPU: ${String((error as Error | null)?.message)}`, { cause: error });
  }

  /**
   * Frees the memory that is kept for later use if there was none for a buffer since the last call. The commands that were to use that
   * buffer were refused, which is forgotten: the device tells it before it answers to a later error scope.
   */
  async reclaim(): Promise<void> {
    if (!this.pool.reclaim()) return;
    this.device.pushErrorScope("out-of-memory");
    await this.device.popErrorScope().catch(() => null);
    this.#refusal = null;
  }

  /** Throws INTERNAL, once, if the device has refused a command. */
  #checkRefusal(): void {
    const refusal = this.#refusal;
    this.#refusal = null;
    if (refusal !== null) throw refusal;
  }

  /** Ends the session: calls under way are rejected with `reason`. */
  close(reason: StatusError): void {
    this.#dead ??= reason;
    this.pool.destroy();
    if (this.#isOwn) this.device.destroy();
  }
}

const isStatus = (error: unknown): boolean => typeof (error as { readonly code?: unknown } | null)?.code === "string";

async function adapterOf(gpu: Gpu, options: AdapterOptions): Promise<GpuAdapter | null> {
  try {
    return await gpu.requestAdapter(options as never);
  } catch (cause) {
    throw new UnavailableError(`WebGPU finds no adapter: ${String((cause as Error | null)?.message)}`, { cause });
  }
}

async function deviceOf(adapter: GpuAdapter): Promise<GpuDevice> {
  try {
    const device: GpuDevice | null = await adapter.requestDevice({ requiredLimits: limitsOf(adapter) } as never);
    if (device !== null) return device;
  } catch (cause) {
    throw new UnavailableError(`WebGPU makes no device: ${String((cause as Error | null)?.message)}`, { cause });
  }
  throw new UnavailableError("WebGPU makes no device: the adapter gave null");
}

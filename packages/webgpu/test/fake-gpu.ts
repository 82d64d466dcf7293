// A device of WebGPU in this process: buffers are arrays, copies and clears are done, and a dispatch is a function of the test.
import type { Gpu, GpuBuffer, GpuDevice, GpuError } from "@onebuffer/webgpu";

/** A buffer that remembers whether it was destroyed. */
export class FakeBuffer implements GpuBuffer {
  readonly size: number;
  isDestroyed = false;
  /** True if there was no memory for it. */
  isInvalid = false;
  #bytes: Uint8Array | null = null;

  constructor(size: number) {
    this.size = size;
  }

  /** The bytes, which are memory once they are looked at. */
  get bytes(): Uint8Array {
    return (this.#bytes ??= new Uint8Array(this.size));
  }

  destroy(): void {
    this.isDestroyed = true;
  }

  async mapAsync(): Promise<void> {
    if (this.isDestroyed) throw new Error("a destroyed buffer was mapped");
  }

  getMappedRange(offset = 0, size = this.size): ArrayBuffer {
    return this.bytes.slice(offset, offset + size).buffer;
  }

  unmap(): void {}
}

/** What a dispatch of a fake device gets: the shader's text, its uniform numbers, its storage buffers. */
export type FakeShader = (code: string, buffers: readonly FakeBuffer[]) => void;

/** A device that counts what it is asked for. */
export class FakeDevice {
  readonly limits = { maxBufferSize: 2 ** 20, maxStorageBufferBindingSize: 2 ** 20 };
  /** Compiles a shader. */
  compile: () => Promise<void> = async () => {};
  readonly made: FakeBuffer[] = [];
  readonly codes: string[] = [];
  submits = 0;
  bindGroups = 0;
  isDestroyed = false;
  /** The bytes that the device has for all its buffers. */
  memory = Number.POSITIVE_INFINITY;
  shader: FakeShader = () => {};
  #lose: (info: { readonly message: string; readonly reason: string }) => void = () => {};
  readonly lost: Promise<{ readonly message: string; readonly reason: string }> = new Promise((resolve) => {
    this.#lose = resolve;
  });
  readonly #errors: (GpuError | null)[] = [];
  readonly #listeners: ((event: { readonly error: GpuError }) => void)[] = [];

  /** The buffers that are not destroyed. */
  get live(): number {
    return this.made.filter(({ isDestroyed }) => !isDestroyed).length;
  }

  /** The bytes of the buffers that are not destroyed. */
  get liveBytes(): number {
    return this.made.reduce((bytes, { isDestroyed, isInvalid, size }) => bytes + (isDestroyed || isInvalid ? 0 : size), 0);
  }

  addEventListener(_: string, listener: (event: { readonly error: GpuError }) => void): void {
    this.#listeners.push(listener);
  }

  /** Says that a command was refused. */
  refuse(message: string): void {
    for (const listener of this.#listeners) listener({ error: { message } });
  }

  #refuseInvalid(): void {
    void Promise.resolve().then(() => this.refuse("a buffer is invalid"));
  }

  lose(message: string): void {
    this.#lose({ message, reason: "unknown" });
  }

  readonly queue = {
    writeBuffer: (buffer: FakeBuffer, offset: number, data: Uint8Array | Int32Array, from: number, size: number): void => {
      if (buffer.isInvalid) this.#refuseInvalid();
      const unit = data.BYTES_PER_ELEMENT;
      buffer.bytes.set(new Uint8Array(data.buffer, data.byteOffset + from * unit, size * unit), offset);
    },
    submit: (commands: readonly (() => void)[]): void => {
      this.submits++;
      for (const run of commands) run();
    },
  };

  createBuffer({ size }: { readonly size: number }): FakeBuffer {
    if (size > this.limits.maxBufferSize) this.refuse(`a buffer of ${size} bytes is larger than ${this.limits.maxBufferSize}`);
    const buffer = new FakeBuffer(size);
    this.made.push(buffer);
    buffer.isInvalid = this.liveBytes > this.memory;
    this.#errors[this.#errors.length - 1] = buffer.isInvalid ? { message: "out of memory" } : null;
    return buffer;
  }

  pushErrorScope(): void {
    this.#errors.push(null);
  }

  async popErrorScope(): Promise<GpuError | null> {
    return this.#errors.pop() ?? null;
  }

  createShaderModule({ code }: { readonly code: string }): object {
    return { code };
  }

  createBindGroupLayout(): object {
    return {};
  }

  createPipelineLayout(): object {
    return {};
  }

  async createComputePipelineAsync({ compute }: { readonly compute: { readonly module: { readonly code: string } } }): Promise<object> {
    this.codes.push(compute.module.code);
    await this.compile();
    return compute.module;
  }

  createBindGroup({ entries }: { readonly entries: readonly { readonly resource: { readonly buffer: FakeBuffer } }[] }): object {
    this.bindGroups++;
    if (entries.some(({ resource }) => resource.buffer.isInvalid)) this.#refuseInvalid();
    return entries.map(({ resource }) => resource.buffer);
  }

  createCommandEncoder(): object {
    const commands: (() => void)[] = [];
    const used: FakeBuffer[] = [];
    let code = "";
    let group: readonly FakeBuffer[] = [];
    const pass = {
      setPipeline: (pipeline: { readonly code: string }) => void (code = pipeline.code),
      setBindGroup: (_: number, buffers: readonly FakeBuffer[]) => void (group = buffers),
      dispatchWorkgroups: () => {
        const [now, buffers] = [code, group.slice(1)];
        used.push(...group);
        commands.push(() => this.shader(now, buffers));
      },
      end: () => {},
    };
    return {
      beginComputePass: () => pass,
      clearBuffer: (buffer: FakeBuffer) => {
        used.push(buffer);
        commands.push(() => void buffer.bytes.fill(0));
      },
      copyBufferToBuffer: (from: FakeBuffer, at: number, to: FakeBuffer, place: number, size: number) => {
        used.push(from, to);
        commands.push(() => to.bytes.set(from.bytes.subarray(at, at + size), place));
      },
      finish: () => () => {
        if (used.some(({ isDestroyed }) => isDestroyed)) return this.refuse("a buffer is destroyed");
        for (const run of commands) run();
      },
    };
  }

  destroy(): void {
    this.isDestroyed = true;
    for (const buffer of this.made) buffer.destroy();
    this.#lose({ message: "destroyed", reason: "destroyed" });
  }
}

/** An entry that makes fake devices, which it remembers. */
export class FakeGpu {
  readonly devices: FakeDevice[] = [];

  /** The entry as `WebGpuDevice.create` takes it. */
  get gpu(): Gpu {
    return {
      requestAdapter: async () => ({
        limits: { maxBufferSize: 2 ** 20 },
        requestDevice: async () => {
          const device = new FakeDevice();
          this.devices.push(device);
          return device as unknown as GpuDevice;
        },
      }),
    };
  }

  /** The device that was made last. */
  get device(): FakeDevice {
    return this.devices.at(-1)!;
  }
}

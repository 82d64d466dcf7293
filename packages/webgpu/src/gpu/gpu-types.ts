/**
 * The part of WebGPU that this package uses, as structural types: objects of a browser, of Deno and of Node's Dawn fit, and so does a small
 * fake in tests. The package so needs no declarations of WebGPU, and neither do its users.
 */

/** A buffer of the GPU (WebGPU's GPUBuffer). */
export interface GpuBuffer {
  readonly size: number;
  destroy(): void;
  mapAsync(mode: number, offset?: number, size?: number): Promise<unknown>;
  getMappedRange(offset?: number, size?: number): ArrayBuffer;
  unmap(): void;
}

/** A texture of the GPU (GPUTexture). */
export interface GpuTexture {
  readonly width: number;
  readonly height: number;
  createView(): object;
  destroy(): void;
}

/** The queue of a device (GPUQueue). */
export interface GpuQueue {
  writeBuffer(buffer: never, offset: number, data: never, dataOffset?: number, size?: number): void;
  submit(commands: never): void;
  copyExternalImageToTexture?(source: never, target: never, size: never): void;
}

/** An error of a device: of an error scope or uncaptured. */
export interface GpuError {
  readonly message: string;
}

/** A device (GPUDevice). Members whose arguments are only passed on are typed as functions of anything. */
export interface GpuDevice {
  readonly queue: GpuQueue;
  readonly limits: object;
  readonly lost: Promise<{ readonly reason?: string | undefined; readonly message: string }>;
  createBuffer(descriptor: never): GpuBuffer;
  createTexture?(descriptor: never): GpuTexture;
  createShaderModule(descriptor: never): object;
  createBindGroupLayout(descriptor: never): object;
  createPipelineLayout(descriptor: never): object;
  createComputePipelineAsync(descriptor: never): Promise<object>;
  createBindGroup(descriptor: never): object;
  createCommandEncoder(): object;
  pushErrorScope(filter: "validation" | "out-of-memory" | "internal"): void;
  popErrorScope(): Promise<GpuError | null>;
  addEventListener?(type: "uncapturederror", listener: (event: { readonly error: GpuError }) => void): void;
  destroy(): void;
}

/** An adapter (GPUAdapter). */
export interface GpuAdapter {
  readonly limits: object;
  readonly info?: object;
  requestDevice(descriptor?: never): Promise<GpuDevice>;
}

/** The entry to WebGPU (GPU): `navigator.gpu`, or what the npm package `webgpu` creates. */
export interface Gpu {
  requestAdapter(options?: never): Promise<GpuAdapter | null>;
}

/** A compute pass, as the calls of this package use it. */
export interface GpuPass {
  setPipeline(pipeline: object): void;
  setBindGroup(index: number, group: object): void;
  dispatchWorkgroups(x: number, y: number, z: number): void;
  end(): void;
}

/** A command encoder, as the calls of this package use it. */
export interface GpuEncoder {
  beginComputePass(): GpuPass;
  clearBuffer(buffer: GpuBuffer, offset: number, size: number): void;
  copyBufferToBuffer(from: GpuBuffer, fromOffset: number, to: GpuBuffer, toOffset: number, size: number): void;
  finish(): object;
}

/** Flags of GPUBufferUsage. */
export const kUsage = { mapRead: 1, copySource: 4, copyTarget: 8, uniform: 64, storage: 128 } as const;

/** The usage of buffers that hold elements. */
export const kElementUsage: number = kUsage.storage | kUsage.copySource | kUsage.copyTarget;
/** The usage of buffers through which elements come back to this process. */
export const kReadbackUsage: number = kUsage.mapRead | kUsage.copyTarget;

/** GPUShaderStage.COMPUTE and GPUMapMode.READ. */
export const kComputeStage = 4;
export const kMapRead = 1;

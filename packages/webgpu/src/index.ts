/** Public names of @onebuffer/webgpu: a device that computes expressions on a GPU, through WebGPU. */
export { GpuMap } from "./gpu-map.ts";
export type { GpuMapHome } from "./gpu-map.ts";
export type { Gpu, GpuAdapter, GpuBuffer, GpuDevice, GpuError, GpuQueue, GpuTexture } from "./gpu/gpu-types.ts";
export type { GpuCanvas, ImageSource } from "./image/image-source.ts";
export type { GpuExplainedStep, GpuExplanation } from "./plan/explain-plan.ts";
export type { WebGpuNumerics } from "./run/numerics.ts";
export { WebGpuDevice } from "./web-gpu-device.ts";
export type { WebGpuOptions } from "./web-gpu-device.ts";

/**
 * The limits of an adapter that decide how programs are divided, and the sizes that a device refuses.
 */
import { ResourceExhaustedError } from "@onebuffer/base";

/** The limits that are asked of a device: as high as the adapter allows. */
const kWanted = [
  "maxBufferSize",
  "maxStorageBufferBindingSize",
  "maxStorageBuffersPerShaderStage",
  "maxComputeWorkgroupStorageSize",
  "maxComputeInvocationsPerWorkgroup",
  "maxComputeWorkgroupSizeX",
  "maxUniformBufferBindingSize",
] as const;

/** The limits of a device. */
export type GpuLimits = Readonly<Record<(typeof kWanted)[number], number>>;

/** What every implementation of WebGPU has at least. */
const kDefaults: GpuLimits = {
  maxBufferSize: 2 ** 28,
  maxStorageBufferBindingSize: 2 ** 27,
  maxStorageBuffersPerShaderStage: 8,
  maxComputeWorkgroupStorageSize: 16384,
  maxComputeInvocationsPerWorkgroup: 256,
  maxComputeWorkgroupSizeX: 256,
  maxUniformBufferBindingSize: 65536,
};

/** Returns the limits of an adapter or a device. */
export function limitsOf({ limits }: { readonly limits: object }): GpuLimits {
  const given = limits as Readonly<Record<string, unknown>>;
  const entries = kWanted.map((name): [string, number] => {
    const limit = given[name];
    return [name, typeof limit === "number" ? limit : kDefaults[name]];
  });
  return Object.fromEntries(entries) as GpuLimits;
}

/** Elements are addressed by signed 32-bit numbers. */
const kMostElements = 2 ** 31 - 1;

/** Returns how many bytes an array of a device can have. */
export function mostBytes({ maxBufferSize, maxStorageBufferBindingSize }: GpuLimits): number {
  return Math.min(maxBufferSize, maxStorageBufferBindingSize);
}

/** Throws RESOURCE_EXHAUSTED for arrays that no buffer of the device can hold, or that a shader cannot address. */
export function checkSize(name: string, limits: GpuLimits, bytes: number, elements: number): void {
  const most = mostBytes(limits);
  if (bytes > most) throw new ResourceExhaustedError(`${name} has no buffers of ${bytes} bytes: its largest has ${most}`);
  if (elements > kMostElements) throw new ResourceExhaustedError(`${name} does not address ${elements} elements, at most ${kMostElements}`);
}

/**
 * Transfers of elements between this process and buffers of the GPU.
 */
import type { DeviceTransferOptions } from "@onebuffer/eigen";
import type { ElementBytes } from "@onebuffer/eigen/internal";
import { checkSignal } from "@onebuffer/eigen/internal";
import type { GpuSession } from "../gpu/gpu-session.ts";
import { kElementUsage } from "../gpu/gpu-types.ts";
import type { GpuArray, GpuContent } from "./gpu-content.ts";
import { contentOf, madeContent } from "./gpu-content.ts";

/** True in Node, whose WebGPU ends the process when it is given shared memory. */
const kCopiesShared: boolean = typeof (globalThis as { process?: { versions?: { node?: unknown } } }).process?.versions?.node === "string";

/**
 * Gives an array a content with copies of the elements, which are read before this returns. The array has the content also if this throws, so
 * that the caller frees it.
 */
export function putElements(session: GpuSession, array: GpuArray, source: ElementBytes, options: DeviceTransferOptions): GpuContent {
  const { total } = source;
  checkSignal("put", options.signal);
  const pooled = session.pool.take(total, kElementUsage);
  const content = (array.content = madeContent(pooled.buffer, pooled, session.pool.whether()));
  writeBytes(session, pooled.buffer, source.view(0, total));
  options.onProgress?.({ bytes: total, totalBytes: total });
  return content;
}

/** Copies bytes to the beginning of a buffer. The queue takes multiples of 4 bytes. */
function writeBytes({ device }: GpuSession, buffer: object, bytes: Uint8Array): void {
  const even = bytes.length - (bytes.length % 4);
  const isShared = kCopiesShared && Object.prototype.toString.call(bytes.buffer) === "[object SharedArrayBuffer]";
  const main = isShared ? new Uint8Array(bytes.subarray(0, even)) : bytes.subarray(0, even);
  if (even > 0) device.queue.writeBuffer(buffer as never, 0, main as never, 0, even);
  if (even === bytes.length) return;
  const tail = new Uint8Array(4);
  tail.set(bytes.subarray(even));
  device.queue.writeBuffer(buffer as never, even, tail as never, 0, 4);
}

/** Copies all elements of an array to `target`. Rejects with the error of the run that computes the array. */
export async function takeElements(
  session: GpuSession,
  array: GpuArray,
  target: ElementBytes,
  options: DeviceTransferOptions,
): Promise<void> {
  const { buffer, pending } = contentOf(array);
  const { total } = target;
  await session.read(buffer, total, () => target.view(0, total), pending);
  options.onProgress?.({ bytes: total, totalBytes: total });
}

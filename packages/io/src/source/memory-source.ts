/** A byte source over memory. Reading it returns views and waits for nothing. */
import { byteView } from "@onebuffer/base/internal";
import type { ByteSource } from "./byte-source.ts";
import type { BytesInput } from "./bytes-input.ts";

/**
 * Returns a source over the caller's bytes, without a copy: what is read are views of them.
 *
 * Throws INVALID_ARGUMENT if `bytes` is neither a buffer nor a view.
 */
export function memorySource(bytes: BytesInput, name?: string): ByteSource {
  const view = byteView(bytes);
  return {
    size: view.length,
    bytes: view,
    ...(name === undefined ? {} : { name }),
    read(offset, length) {
      return Promise.resolve(view.subarray(offset, offset + length));
    },
    readInto(offset, target) {
      target.set(view.subarray(offset, offset + target.length));
      return Promise.resolve();
    },
  };
}

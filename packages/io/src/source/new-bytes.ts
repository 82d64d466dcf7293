/** Allocates bytes; an engine's RangeError for an array that is too long becomes a StatusError. */
import { ResourceExhaustedError } from "@onebuffer/base";

/** Returns `length` bytes of 0. Throws RESOURCE_EXHAUSTED if the engine has no memory for them; `what` names them in the message. */
export function newBytes(length: number, what: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(length);
  } catch (cause) {
    throw new ResourceExhaustedError(`${what}: no memory for ${length} bytes`, { cause });
  }
}

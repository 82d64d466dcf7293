// Helpers of tests: bytes as hexadecimal text, and the error that a call throws.
import type { StatusError } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";

/** Returns the bytes of hexadecimal text; spaces are ignored. */
export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
}

/** Returns bytes as hexadecimal text. */
export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** Returns the StatusError that `act` throws. Throws if there is none. */
export function thrownBy(act: () => unknown): StatusError {
  try {
    act();
  } catch (error) {
    if (isStatusError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

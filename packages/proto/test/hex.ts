// Bytes as text, and what a call throws.
import type { StatusError } from "@onebuffer/base";
import { isStatusError } from "@onebuffer/base";

/** The bytes of hexadecimal text; spaces are for the reader. */
export function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** The StatusError that `act` throws. */
export function thrownBy(act: () => unknown): StatusError {
  try {
    act();
  } catch (error) {
    if (isStatusError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/**
 * Packs elements of 4 bits, two to a byte, and unpacks them: safetensors' F4. A tensor has one byte per element, as TensorFlow stores it.
 *
 *     byte of the file      bits 7..4  element 1      bits 3..0  element 0
 *
 * The format does not say which element comes first. This is the order of PyTorch, whose dtype of two packed float4 is stored as F4.
 */
import { newBytes } from "../source/new-bytes.ts";

/** Writes the two elements of each byte of `packed` to `target`, which has twice as many bytes. */
export function unpackNibbles(packed: Uint8Array<ArrayBufferLike>, target: Uint8Array<ArrayBufferLike>): void {
  for (let i = 0; i < packed.length; i++) {
    const byte = packed[i] as number;
    target[2 * i] = byte & 15;
    target[2 * i + 1] = byte >> 4;
  }
}

/** Returns the packed bytes of an even number of elements. */
export function packNibbles(elements: Uint8Array<ArrayBufferLike>): Uint8Array<ArrayBuffer> {
  const packed = newBytes(elements.length / 2, "safetensors");
  for (let i = 0; i < packed.length; i++) packed[i] = ((elements[2 * i] as number) & 15) | (((elements[2 * i + 1] as number) & 15) << 4);
  return packed;
}

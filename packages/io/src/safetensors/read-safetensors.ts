/** Reads safetensors files that are in memory. */
import { byteView, checkOptions } from "@onebuffer/base/internal";
import type { BytesInput } from "../source/bytes-input.ts";
import { NamedTensors } from "../tensor/named-tensors.ts";
import { checkBoolBytes, kTensorReadOptions } from "../tensor/tensor-bytes.ts";
import type { TensorReadOptions } from "../tensor/tensor-bytes.ts";
import { tensorOfEntry } from "./entry-tensor.ts";
import { checkDuplicates, headerLength, kHeaderOptions, kLengthBytes, readSafetensorsHeader } from "./safetensors-header.ts";
import type { SafetensorsHeader, SafetensorsHeaderOptions } from "./safetensors-header.ts";

/**
 * The options of `readSafetensors`.
 *
 * @example
 * const options: SafetensorsReadOptions = { duplicates: "last", boolBytes: "keep" };
 * using tensors = readSafetensors(writeSafetensors({}), options);
 * tensors.size; // => 0
 */
export interface SafetensorsReadOptions extends TensorReadOptions, SafetensorsHeaderOptions {}

/**
 * Reads a safetensors file and returns its tensors by name, in the order of the file. `using` disposes them together.
 *
 * A tensor is a view of the caller's bytes where its elements are aligned in them: a write through one is seen in the other, and the bytes
 * must not be reused while the tensor is in use. Elements that are misaligned, F4 elements, which are packed, and bool bytes other than 0
 * and 1 are copied once. `SafetensorsFile.fromBytes` reads single tensors; `openSafetensors` reads files and servers.
 *
 * Throws INVALID_ARGUMENT if the bytes are not a safetensors file or the reference refuses its header, DATA_LOSS if they end early,
 * UNIMPLEMENTED for a tensor of F6_E2M3, F6_E3M2 or F8_E8M0, RESOURCE_EXHAUSTED if there is no memory for a copy.
 *
 * @example
 * using weights = Tensor.from([1, 2, 3]);
 * const bytes = writeSafetensors({ weights }, { metadata: { format: "pt" } });
 * using tensors = readSafetensors(bytes);
 * tensors.metadata.get("format"); // => "pt"
 * tensors.tensor("weights").toArray(); // => [1, 2, 3]
 * tensors.tensor("bias"); // throws NOT_FOUND
 * readSafetensors(bytes.subarray(0, -1)); // throws DATA_LOSS
 */
export function readSafetensors(bytes: BytesInput, options: SafetensorsReadOptions = {}): NamedTensors {
  checkReadOptions("readSafetensors", options);
  const all = byteView(bytes);
  const { entries, metadata } = headerOfBytes(all, options);
  const tensors = new NamedTensors();
  for (const [key, text] of metadata) tensors.metadata.set(key, text);
  try {
    for (const entry of entries.values()) {
      const stored = all.subarray(entry.byteOffset, entry.byteOffset + entry.byteLength);
      tensors.set(entry.name, tensorOfEntry(entry, stored, options));
    }
    return tensors;
  } catch (error) {
    tensors.dispose();
    throw error;
  }
}

/** Reads the header of a whole file. */
export function headerOfBytes(all: Uint8Array<ArrayBufferLike>, options: SafetensorsHeaderOptions): SafetensorsHeader {
  const length = headerLength(all, all.length);
  return readSafetensorsHeader(all.subarray(kLengthBytes, kLengthBytes + length), all.length, options);
}

/** Checks the options that are common to all functions that read safetensors. */
export function checkReadOptions(call: string, options: SafetensorsReadOptions, more: readonly string[] = []): void {
  checkOptions(call, options, [...kTensorReadOptions, ...kHeaderOptions, ...more]);
  checkDuplicates(call, options.duplicates);
  checkBoolBytes(call, options.boolBytes);
}

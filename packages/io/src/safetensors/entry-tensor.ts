/** Makes the tensor of an entry of a safetensors file. */
import { UnimplementedError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { countCopied } from "@onebuffer/allocator/internal";
import type { Tensor } from "@onebuffer/core";
import { filledTensor, tensorOverBytes } from "../tensor/tensor-bytes.ts";
import type { TensorReadOptions } from "../tensor/tensor-bytes.ts";
import { unpackNibbles } from "./packed-nibbles.ts";
import type { SafetensorsEntry } from "./safetensors-header.ts";
import type { SafetensorsDType } from "./safetensors-type.ts";

/** Returns the entry's dtype. Throws UNIMPLEMENTED for a type that has none here. */
export function dtypeOfEntry({ name, type, dtype }: SafetensorsEntry): SafetensorsDType {
  if (dtype === undefined)
    throw new UnimplementedError(
      `safetensors: tensor ${shownValue(name)} has ${type}, which has no dtype here; bytes(name) reads its bytes`,
    );
  return dtype;
}

/** Returns true if the bytes in the file are packed, so that a tensor's bytes are others. */
export const isPacked = ({ type }: SafetensorsEntry): boolean => type === "F4";

/** Returns the tensor of an entry whose stored bytes are `stored`: over them where they are aligned, else over a copy. */
export function tensorOfEntry(entry: SafetensorsEntry, stored: Uint8Array<ArrayBufferLike>, options: TensorReadOptions): Tensor {
  const dtype = dtypeOfEntry(entry);
  const subject = `safetensors: tensor ${shownValue(entry.name)}`;
  if (!isPacked(entry)) return tensorOverBytes(subject, stored, dtype, entry.shape, options);
  return filledTensor(subject, dtype, entry.shape, options, (target) => {
    unpackNibbles(stored, target);
    countCopied(target.length);
  });
}

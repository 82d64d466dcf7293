/** A serialized TensorProto as a TensorFile. */
import { Tensor } from "@onebuffer/core";
import { readFileBytes } from "@onebuffer/io/node";
import { tensorProtoCodec } from "@onebuffer/proto";
import { fileOfSlots } from "./slots.ts";
import { storedStrings } from "./stored-strings.ts";
import type { TensorFile } from "./tensor-file.ts";

/** Opens a file that is a serialized TensorProto. Its tensor has the name "". Throws INVALID_ARGUMENT or DATA_LOSS for anything else. */
export async function openTensorProto(path: string): Promise<TensorFile> {
  const tensor = Tensor.fromProto(tensorProtoCodec.decode(await readFileBytes(path)));
  const bytes = (): Uint8Array<ArrayBufferLike> => (tensor.dtype === "string" ? storedStrings(tensor) : tensor.tensorData.slice());
  const slot = {
    name: "",
    dtype: tensor.dtype,
    shape: tensor.shape.dimSizes,
    bytes: tensor.dtype === "string" ? bytes().length : tensor.totalBytes,
    tensor: async () => tensor.share(),
    stored: async () => ({ bytes: bytes(), crc: null }),
  };
  return fileOfSlots("TensorProto", [slot], [], () => tensor.dispose());
}

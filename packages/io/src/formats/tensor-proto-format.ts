/** A serialized TensorProto as a format. Its tensor has the name "". */
import { isStatusError } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import type { TensorProto } from "@onebuffer/core";
import { tensorProtoCodec } from "@onebuffer/proto";
import type { ByteSource } from "../source/byte-source.ts";
import { checkedRead } from "../source/checked-read.ts";
import type { AbortSignalLike } from "../source/transfer-options.ts";
import { elementBytes } from "./element-bytes.ts";
import type { Format } from "./format.ts";
import type { StoreReader } from "./checked-store.ts";

/** The most bytes of a message: protobuf's limit. */
const kMostBytes = 2 ** 31 - 1;

/** Messages that can be decoded and have a shape, as all writers give them. They have no magic number. */
export const tensorProtoFormat: Format = {
  name: "TensorProto",
  names: /\.pb$/,
  async sniff({ source, start }, { signal }): Promise<boolean> {
    if (!mayBeginMessage(start) || source.size > kMostBytes) return false;
    try {
      const { message, tensor } = await readMessage(source, signal);
      tensor.dispose();
      return message.tensorShape !== undefined;
    } catch (error) {
      if (!isStatusError(error) || error.code === "CANCELLED") throw error;
      return false;
    }
  },
  async open({ source }, { signal }): Promise<StoreReader> {
    const { message, tensor: first } = await readMessage(source, signal);
    using tensor = first;
    const { dtype } = tensor;
    const bytes = dtype === "string" ? elementBytes(tensor).length : tensor.totalBytes;
    const info = { name: "", dtype, shape: tensor.shape.dimSizes, bytes };
    return {
      format: "TensorProto",
      names: [""],
      hasChecksums: false,
      notes: [],
      info: (name) => (name === "" ? info : undefined),
      async read(_, slice, { allocator }) {
        const options = allocator === undefined ? {} : { allocator };
        if (slice === null) return Tensor.fromProto(message, options);
        using whole = Tensor.fromProto(message);
        return whole.copySlice(slice, options);
      },
      async bytes() {
        using whole = Tensor.fromProto(message);
        return { bytes: elementBytes(whole), checksum: null };
      },
    };
  },
  writer: null,
};

/** Returns true if the first byte is the tag of a field of a TensorProto, of the types that these have: a number, or bytes. */
function mayBeginMessage([tag = 0]: Uint8Array<ArrayBufferLike>): boolean {
  return tag >= 8 && [0, 1, 2, 5].includes(tag & 7);
}

async function readMessage(
  source: ByteSource,
  signal: AbortSignalLike | undefined,
): Promise<{ readonly message: TensorProto; readonly tensor: Tensor }> {
  const bytes = await checkedRead(source, 0, source.size, "the TensorProto", signal);
  const message = tensorProtoCodec.decode(bytes);
  return { message, tensor: Tensor.fromProto(message) };
}
